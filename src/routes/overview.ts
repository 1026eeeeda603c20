import { z } from 'zod';
import { killSwitchFields } from './kill-switch.ts';
import type { BrokerId } from '../domain/broker.ts';
import { allows, type Caller } from '../callers/caller.ts';
import { tradingDay } from '../domain/ist.ts';
import type { Clock } from '../platform/clock.ts';
import { messageOf } from '../platform/values.ts';
import type { Gateway } from '../router/gateway.ts';
import type { Overview } from '../router/overview.ts';
import { NEEDS } from '../router/needs.ts';
import type { ParkedWebhook, RefusedSignals } from '../router/overview-needs.ts';
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
import type { HookRegistry } from './hooks.ts';
import type { LoginSession } from './login.ts';
import type { Signals } from './signals.ts';
import type { WebhookRegistry } from './webhooks.ts';

const needSchema = z.object({
  what: z.enum(NEEDS).meta({ description: 'What kind of thing it is about' }),
  detail: z.string().meta({ description: 'What it is, and what to do, for people' }),
  broker: answeringBroker
    .nullable()
    .meta({ description: 'The broker concerned; null where none is' }),
  orderId: z
    .string()
    .nullable()
    .meta({ description: 'The order concerned; null for all but `order`' }),
  id: z.string().nullable().meta({
    description: 'Of the order, exit, closing, trigger, signal or webhook; null for what has none',
  }),
});

const overviewSchema = z
  .object({
    trading: z.enum(TRADING_STATES).meta({
      description:
        '`live`: orders go to a live broker. `paper`: to the paper account. `ways_out`: the kill switch, the stop ' +
        'of this key or a full disk lets only cancels, exits and orders that reduce pass. `none`: no broker to which ' +
        'orders of this key may go takes orders. It says nothing of the hour, nor of the scope of the key: `accepts` does',
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
      description:
        'What a person has to look at, the most urgent first; of exits, closings, triggers, signals and webhooks ten ' +
        'each, and how many more there are. Further kinds may come',
    }),
    openOrders: z.int().meta({
      description: 'Orders placed by the gateway that are not over; slices count as their order',
    }),
    killSwitch: z
      .object(killSwitchFields)
      .meta({ description: 'The kill switch of the whole gateway; GET /kill-switch tells more' }),
  })
  .meta({ id: 'Overview' });

/** What the overview tells of beside the gateway itself. */
export interface OverviewInputs {
  readonly signals: Pick<Signals, 'newest'>;
  readonly webhooks: Pick<WebhookRegistry, 'list'>;
  readonly hooks: Pick<HookRegistry, 'list'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** Whether the user can trade now, and what needs the user. */
export function overviewRoute(
  gateway: Pick<Gateway, 'getOverview'>,
  session: Pick<LoginSession, 'broker' | 'current'> | null,
  told: OverviewInputs,
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
    handler: async ({ query: { broker }, caller }) => {
      const state = session && { broker: session.broker, state: session.current() };
      const { id, scope, mode } = caller;
      const key = { id, mode, mayTrade: allows(scope, 'trade') };
      const refused = await refusedSignals(told, caller, broker);
      const signals = { ...refused, areOff: areSignalsOff(told) };
      const webhooks = parkedWebhooks(told, caller);
      const asked = { session: state, key, signals, webhooks, broker };
      return json(200, success(view(gateway.getOverview(asked))));
    },
  });
}

/** The overview tells of ten, and how many more there are. */
const MOST_SIGNALS = 100;

/** What the key may see at GET /signals; where a broker is named, without signals of other brokers. */
async function refusedSignals(
  { signals, clock }: OverviewInputs,
  { id, scope }: Caller,
  broker: BrokerId | undefined,
): Promise<RefusedSignals> {
  const query = { caller: scope === 'admin' ? null : id, state: 'refused', before: null } as const;
  try {
    const found = await signals.newest({ ...query, limit: MOST_SIGNALS });
    const today = tradingDay(clock.now());
    const ofToday = found.filter(({ receivedAt }) => tradingDay(receivedAt) === today);
    const mayBeOf = (named: BrokerId | null): boolean =>
      broker === undefined || named === null || named === broker;
    return {
      signals: ofToday.filter(
        ({ orders }) =>
          orders.length === 0 || orders.some(({ request }) => mayBeOf(request.broker)),
      ),
      ...{ hasMore: ofToday.length === MOST_SIGNALS, unread: null },
    };
  } catch (error) {
    return { signals: [], hasMore: false, unread: messageOf(error) };
  }
}

/** Each use of hooks whose file is damaged is a problem; whoever sends signals has to hear of it, not only an admin. */
function areSignalsOff({ hooks }: OverviewInputs): boolean {
  try {
    hooks.list();
    return false;
  } catch {
    return true;
  }
}

/** Only an admin can revive one. */
function parkedWebhooks({ webhooks }: OverviewInputs, { scope }: Caller): readonly ParkedWebhook[] {
  if (scope !== 'admin') return [];
  return webhooks
    .list()
    .flatMap(({ id, parkedAt, failing }) =>
      parkedAt === null ? [] : { id, parkedAt, reason: failing?.reason ?? null },
    );
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
