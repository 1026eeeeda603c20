import { readableTime } from '../domain/ist.ts';
import type { OrderResponse } from '../domain/order.ts';
import type { Signal } from '../domain/signal.ts';
import type { Execution } from '../execution/execution.ts';
import type { TriggerRecord } from '../execution/triggers/trigger.ts';
import type { EpochMs } from '../units/branded.ts';
import type { BrokerStatus } from './broker-status.ts';
import { type Need, needOf } from './needs.ts';
import { triggerNeeds } from './overview-triggers.ts';
import { type ExitsGiven, unfinishedClosings, unfinishedExits } from './overview-exits.ts';
import type { LoginState } from './overview-sentence.ts';

/** The kill switch, as far as a person is told of it at a glance. */
export interface SwitchNow {
  readonly engaged: boolean;
  readonly reason: string | null;
  readonly changedAt: EpochMs | null;
}

/** A webhook to which nothing is sent any more. Its address may hold a secret and is left out. */
export interface ParkedWebhook {
  readonly id: string;
  readonly parkedAt: EpochMs;
  readonly reason: string | null;
}

/** The refused signals of today of the key, or of all for an admin, newest first. */
export interface RefusedSignals {
  readonly signals: readonly Signal[];
  /** Whether there are more than these. */
  readonly hasMore: boolean;
  /** Why they cannot be read; null where they were. */
  readonly unread: string | null;
  /** No signal is taken, because the file of the hooks cannot be read. */
  readonly areOff?: boolean;
}

export interface NeedsGiven extends ExitsGiven {
  readonly brokers: readonly BrokerStatus[];
  readonly hasPrices: boolean;
  readonly killSwitch: SwitchNow;
  readonly session: LoginState | null;
  readonly open: readonly OrderResponse[];
  readonly unread: ReturnType<Execution['unreadBooks']>;
  readonly triggers: readonly TriggerRecord[];
  readonly signals: RefusedSignals;
  readonly webhooks: readonly ParkedWebhook[];
}

/** Of one kind at most so many are told each for itself. */
const MOST_OF_A_KIND = 10;

function limited(needs: readonly Need[], more: (count: number) => string): readonly Need[] {
  const rest = needs.length - MOST_OF_A_KIND;
  const [first] = needs;
  if (rest <= 0 || first === undefined) return needs;
  return [...needs.slice(0, MOST_OF_A_KIND), needOf(first.what, `and ${more(rest)}`)];
}

/** Pure. The most urgent first. */
export function needsOf(given: NeedsGiven): readonly Need[] {
  const { brokers, hasPrices, killSwitch, session, open, unread } = given;
  const orders = open
    .filter(({ status }) => status === 'uncertain' || status === 'disputed')
    .map((order) => {
      const { broker, id } = order;
      return needOf('order', orderText(order), { broker, orderId: id, id });
    });
  const books = unread.map(({ broker, since, openOrders: count }) =>
    needOf(
      'book',
      `the order book of ${broker} cannot be read since ${readableTime(since)}, and ${count} orders there are open: ` +
        'look at them in the app of the broker',
      { broker },
    ),
  );
  const addresses = brokers.flatMap(({ broker, addressRefusal }) =>
    addressRefusal === null ? [] : [needOf('address', addressRefusal.reason, { broker })],
  );
  const deadTokens = brokers.flatMap(({ broker, deadToken }) =>
    deadToken === null ? [] : [needOf('token', deadToken, { broker })],
  );
  const because = killSwitch.reason === null ? '' : ` (${killSwitch.reason})`;
  return [
    ...(killSwitch.engaged
      ? [needOf('kill_switch', `the kill switch is engaged${because}: an admin can release it`)]
      : []),
    ...loginNeeds(session).map((detail) =>
      needOf('session', detail, { broker: session?.broker ?? null }),
    ),
    ...deadTokens,
    ...exitNeeds(given),
    ...orders,
    ...limited(
      triggerNeeds(given.triggers),
      (count) => `${count} more triggers: GET /api/v1/triggers lists those that may still trigger`,
    ),
    ...books,
    ...addresses,
    ...(hasPrices
      ? []
      : [needOf('prices', 'no broker gives prices now: log in, or set the token of another one')]),
    ...signalNeeds(given.signals),
    ...webhookNeeds(given.webhooks),
  ];
}

function exitNeeds(given: NeedsGiven): readonly Need[] {
  const exits = unfinishedExits(given).map(({ exit: { id, broker }, text }) =>
    needOf('exit', text, { broker, id }),
  );
  const closings = unfinishedClosings(given).map(({ closing: { id }, text }) =>
    needOf('closing', text, { id }),
  );
  return [
    ...limited(exits, (count) => `${count} more: GET /api/v1/exits lists the exits of today`),
    ...limited(
      closings,
      (count) => `${count} more closings of today: look at what is held in the app of the broker`,
    ),
  ];
}

const SIGNALS_OFF =
  'signals are off, because hooks.json in the data directory cannot be read: restore it, or remove it to make new ' +
  'hooks, and start the gateway again';

function signalNeeds({ areOff = false, ...told }: RefusedSignals): readonly Need[] {
  return [...(areOff ? [needOf('signal', SIGNALS_OFF)] : []), ...refusedNeeds(told)];
}

function refusedNeeds({ signals, hasMore, unread }: RefusedSignals): readonly Need[] {
  if (unread !== null) {
    const detail = `the refused signals of today cannot be read (${unread}): look at GET /api/v1/signals`;
    return [needOf('signal', detail)];
  }
  const needs = signals.map((signal) => needOf('signal', signalText(signal), { id: signal.id }));
  const least = hasMore ? 'at least ' : '';
  return limited(
    needs,
    (count) => `${least}${count} more: GET /api/v1/signals?state=refused lists them`,
  );
}

function signalText({ hookName, receivedAt, problem, orders }: Signal): string {
  const failed = orders.flatMap((each) => each.problem ?? []);
  const what =
    problem === null
      ? `${failed.length} of the ${orders.length} orders of a signal of the hook ${hookName} had a problem`
      : `a signal of the hook ${hookName} was refused, and nothing of it placed`;
  const why = (problem ?? failed[0])?.detail ?? 'no reason is known';
  return (
    `${what}, on ${readableTime(receivedAt)}: ${why.replace(/\.$/, '')}; look at the orders before you place it ` +
    'by hand'
  );
}

function webhookNeeds(webhooks: readonly ParkedWebhook[]): readonly Need[] {
  const needs = webhooks.map(({ id, parkedAt, reason }) => {
    const why = reason === null ? '' : ` (${reason})`;
    const text =
      `the webhook ${id} is parked since ${readableTime(parkedAt)}${why}, and nothing is sent there: once its ` +
      `receiver works, revive it with POST /api/v1/webhooks/${id}/revive`;
    return needOf('webhook', text, { id });
  });
  return limited(needs, (count) => `${count} more: GET /api/v1/webhooks lists them`);
}

function loginNeeds(session: LoginState | null): readonly string[] {
  switch (session?.state.state) {
    case 'absent':
      return [`nobody is logged in at ${session.broker}: log in`];
    case 'expired': {
      const ended = readableTime(session.state.expiredAt);
      return [`the login at ${session.broker} ended on ${ended}: log in`];
    }
    default:
      return [];
  }
}

function orderText(order: OrderResponse): string {
  const { status, side, quantity, instrument, broker, reason, brokerOrderId, createdAt } = order;
  // Which one it is at the broker is known: nobody can resolve that (docs/orders.md).
  const isBound = brokerOrderId !== null;
  // With its day: it may be of an earlier one.
  const what = `${side} ${quantity} ${instrument} at ${broker} of ${readableTime(createdAt)}`;
  const why = reason === null ? '' : ` (${reason})`;
  return status === 'uncertain'
    ? `it is not known whether ${what} was placed${why}: the gateway is finding out; do not place it again`
    : `${what} is disputed${why}: look at it in the app of the broker, then ${isBound ? 'cancel it if you do not want it' : 'resolve it'}`;
}
