import { z } from 'zod';
import { allows } from '../callers/caller.ts';
import type { Gateway } from '../router/gateway.ts';
import { NEEDS, type Overview } from '../router/overview.ts';
import { ACCEPTED_ORDERS, TRADING_STATES } from '../router/overview-sentence.ts';
import {
  accountSchema,
  answeringBroker,
  type BrokerInputs,
  defineRoute,
  enveloped,
  isoOrNull,
  json,
  type Route,
  success,
  time,
} from './define-route.ts';
import type { LoginSession } from './login.ts';

const needSchema = z.object({
  what: z.enum(NEEDS),
  detail: z.string().meta({ description: 'What it is, and what to do, for people' }),
  broker: answeringBroker.nullable(),
  orderId: z.string().nullable(),
});

const overviewSchema = z
  .object({
    trading: z.enum(TRADING_STATES).meta({
      description:
        '`live`: orders go to a live broker. `paper`: to the paper account. `ways_out`: the kill switch, the stop ' +
        'of this key or a full disk lets only cancels, exits and orders that reduce pass. `none`: no broker of the ' +
        'route takes orders. It says nothing of the hour, nor of the scope of the key: `accepts` does',
    }),
    accepts: z.enum(ACCEPTED_ORDERS).meta({
      description:
        'Which orders of this key pass now. `any`: all. `after_market`: NSE is closed, and of its orders those with ' +
        '`amo` alone pass (GET /calendar has the hours of the other exchanges). `ways_out`: as in `trading`. ' +
        '`none`: none, also where the key may only read',
    }),
    ordersFrom: time.nullable().meta({
      description:
        'From when on NSE accepts orders without `amo` again; null while it does, and where APP_MARKET_HOURS is ' +
        '`always`',
    }),
    sentence: z.string().meta({ description: '"Can I trade?", answered for people' }),
    account: accountSchema.nullable().meta({
      description: 'Where an order goes that names no broker; null where there is none',
    }),
    needs: z.array(needSchema).meta({
      description: 'What a person has to look at, the most urgent first; further kinds may come',
    }),
    openOrders: z.int().meta({
      description: 'Orders placed by the gateway that are not over; slices count as their order',
    }),
    killSwitch: z.object({
      engaged: z.boolean(),
      reason: z.string().nullable(),
      changedAt: time.nullable(),
    }),
  })
  .meta({ id: 'Overview' });

/** Whether the user can trade now, and what needs the user. */
export function overviewRoute(
  gateway: Pick<Gateway, 'getOverview'>,
  session: Pick<LoginSession, 'broker' | 'current'> | null,
  { brokerQuery }: Pick<BrokerInputs, 'brokerQuery'>,
): Route {
  return defineRoute({
    method: 'GET',
    path: '/api/v1/overview',
    scope: 'read',
    operationId: 'getOverview',
    tag: 'Gateway',
    summary: 'Whether you can trade now, and what needs you; no broker is asked',
    query: brokerQuery,
    problems: [],
    replies: { 200: { description: 'The overview', schema: enveloped(overviewSchema) } },
    handler: ({ query: { broker }, caller }) => {
      const state = session && { broker: session.broker, state: session.current() };
      const key = { id: caller.id, mayTrade: allows(caller.scope, 'trade') };
      return json(200, success(view(gateway.getOverview({ session: state, key, broker }))));
    },
  });
}

function view(overview: Overview): z.output<typeof overviewSchema> {
  const { engaged, reason, changedAt } = overview.killSwitch;
  return {
    ...overview,
    ordersFrom: isoOrNull(overview.ordersFrom),
    needs: overview.needs.map((need) => ({ ...need })),
    killSwitch: { engaged, reason, changedAt: isoOrNull(changedAt) },
  };
}
