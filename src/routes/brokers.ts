import { z } from 'zod';
import { atOrNull, flag, number, text, word } from './answer-parts.ts';
import { BROKER_PARTS, type BrokerNotSetUp, type BrokerStatus } from '../router/broker-status.ts';
import { istIso } from '../domain/ist.ts';
import type { Gateway } from '../router/gateway.ts';
import type { SourceState } from '../router/instrument-reads.ts';
import {
  answeringBroker,
  answeringMode,
  defineRoute,
  enveloped,
  isoOrNull,
  json,
  type Route,
  success,
  time,
} from './define-route.ts';

const listSchema = z.object({
  count: number('How many instruments it has'),
  asOf: atOrNull('When it was read; null where it never was'),
  outdated: flag('Whether it should have been read anew by now'),
  problem: word('Why it could not be read; null where it could'),
});
const listsSchema = listSchema.extend({
  lists: z.array(listSchema.extend({ name: text('Which list of the broker it is') })).meta({
    description: 'Each list by itself: when one fails, the others stay in use',
  }),
});

const partSchema = z.object({
  part: z.enum(BROKER_PARTS).meta({ description: 'What kind of request it is about' }),
  chosenBy: z.enum(['route', 'name']).meta({
    description:
      '`route`: it is on the route of the part; `name`: only requests that name it use it',
  }),
  available: z.boolean().meta({ description: 'Whether a request that leaves now would go to it' }),
  reason: z.string().nullable().meta({ description: 'Why not; null when it would' }),
});

const brokerStatusSchema = z
  .object({
    broker: answeringBroker,
    mode: answeringMode,
    setUp: z.boolean().meta({
      description: 'False where it has no settings: it serves nothing, and reason says what to set',
    }),
    serves: z
      .array(z.enum(BROKER_PARTS))
      .meta({ description: 'What requests that name no broker get from it now' }),
    available: z.boolean().meta({
      description: 'False where it has no session, or lacks the prices that its orders fill at',
    }),
    reason: word('Why it is not available, or not set up; null where it is'),
    parts: z.array(partSchema).meta({
      description: 'What it offers, also parts for which no route has it',
    }),
    instruments: listsSchema.nullable().meta({
      description:
        'Its instrument lists together; asOf is that of the oldest; an outdated list stays in ' +
        'use until a newer one can be read',
    }),
    addressRefusedAt: time.nullable().meta({
      description:
        'When it last refused a request that changes orders because the address of this computer is ' +
        'not registered there; null where it has not, or has accepted one since. It can still be read',
    }),
    addressAdvice: z.string().nullable().meta({
      description: "The broker's words, and where to register which address",
    }),
    streaming: z
      .boolean()
      .nullable()
      .meta({
        description:
          'Whether its ticker, the connection for prices and changes of orders, is open and was heard within 5 s; ' +
          'null where it has none',
      }),
    postbacks: z
      .object({
        since: time.meta({
          description: 'When the gateway started: of what came before, nothing is remembered here',
        }),
        lastAt: time.nullable().meta({
          description: 'When the last one with a right checksum came; null where none has since',
        }),
      })
      .nullable()
      .meta({
        description: 'Messages of the broker that an order changed; null where it sends none',
      }),
    clock: z
      .object({
        aheadMs: z.number().meta({
          description: "How far this computer's clock was ahead of the broker's, to half a second",
        }),
        toldAt: time.meta({ description: 'When an answer of the broker last told its time' }),
      })
      .nullable()
      .meta({
        description:
          'Null for a paper account, and before the broker has told its time since the gateway started',
      }),
  })
  .meta({ id: 'BrokerStatus' });

export function brokerRoutes(gateway: Gateway): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/v1/brokers',
      scope: 'read',
      operationId: 'getBrokers',
      tag: 'Gateway',
      summary: 'Who serves what, and why',
      problems: [],
      replies: {
        200: { description: 'Brokers', schema: enveloped(z.array(brokerStatusSchema)) },
      },
      handler: () => {
        const absent = gateway.getBrokersNotSetUp().map(absentView);
        return json(200, success([...gateway.getBrokers().map(view), ...absent]));
      },
    }),
  ];
}

function view(status: BrokerStatus): z.output<typeof brokerStatusSchema> {
  return {
    broker: status.broker,
    mode: status.mode,
    setUp: true,
    serves: [...status.serves],
    available: status.available,
    reason: status.reason,
    parts: status.parts.map((each) => ({ ...each })),
    instruments: status.instruments && listsView(status.instruments),
    addressRefusedAt: isoOrNull(status.addressRefusal?.at ?? null),
    addressAdvice: status.addressRefusal?.reason ?? null,
    streaming: status.isStreaming,
    postbacks: status.postbacks && {
      since: istIso(status.postbacks.since),
      lastAt: isoOrNull(status.postbacks.lastAt),
    },
    clock: status.clock && {
      aheadMs: status.clock.aheadMs,
      toldAt: istIso(status.clock.toldAt),
    },
  };
}

function absentView(status: BrokerNotSetUp): z.output<typeof brokerStatusSchema> {
  return {
    ...{ broker: status.broker, mode: status.mode, setUp: false, available: false },
    ...{ serves: [], parts: [], reason: status.reason },
    ...{ instruments: null, addressRefusedAt: null, addressAdvice: null },
    ...{ streaming: null, postbacks: null, clock: null },
  };
}

function listsView(state: SourceState): z.output<typeof listsSchema> {
  const lists = state.lists.map((list) => ({ name: list.name, ...listView(list) }));
  return { ...listView(state), lists };
}

function listView(state: Omit<SourceState, 'broker' | 'lists'>): z.output<typeof listSchema> {
  const { count, fetchedAt, outdated, problem } = state;
  return { count, asOf: isoOrNull(fetchedAt), outdated, problem };
}
