import type { BrokerId } from '../domain/broker.ts';
import { readableTime } from '../domain/ist.ts';
import type { OrderResponse } from '../domain/order.ts';
import type { Execution } from '../execution/execution.ts';
import { must } from '../platform/values.ts';
import type { Clock } from '../platform/clock.ts';
import type { EpochMs } from '../units/branded.ts';
import type { BrokerStatus } from './broker-status.ts';
import {
  type AskingKey,
  type LoginState,
  type SentenceGiven,
  type TradingNow,
  tradingNow,
} from './overview-sentence.ts';
import { shownOrder } from './shown-order.ts';

/** The kill switch, as far as a person is told of it at a glance. */
export interface SwitchNow {
  readonly engaged: boolean;
  readonly reason: string | null;
  readonly changedAt: EpochMs | null;
}

/** What a person has to look at. */
export const NEEDS = [
  'disarmed',
  'kill_switch',
  'session',
  'order',
  'book',
  'address',
  'prices',
] as const;

export interface Need {
  readonly what: (typeof NEEDS)[number];
  /** What it is, and what to do, for people. */
  readonly detail: string;
  readonly broker: BrokerId | null;
  /** Of `order` alone. */
  readonly orderId: string | null;
}

/** Whether the user can trade now, and what needs the user: the first thing that a person asks. */
export interface Overview extends TradingNow {
  /** The account to which an order goes that names none; null where there is none. */
  readonly account: Pick<BrokerStatus, 'broker' | 'mode'> | null;
  /** The most urgent first. */
  readonly needs: readonly Need[];
  /** Orders of the gateway that are not over; slices count as their order. */
  readonly openOrders: number;
  readonly killSwitch: SwitchNow;
}

export interface OverviewQuery {
  /** The session of the broker with a daily login; null without one. */
  readonly session: LoginState | null;
  readonly key: AskingKey;
  /** Of that one alone, as for orders that name it; of all when absent. */
  readonly broker?: BrokerId | undefined;
}

export interface OverviewRead {
  /** From memory: no broker is asked. */
  getOverview(query: OverviewQuery): Overview;
}

export interface OverviewParts {
  readonly execution: Pick<Execution, 'state' | 'poller' | 'unreadBooks'>;
  /** Every broker that is set up. */
  readonly brokers: () => readonly BrokerStatus[];
  /** Those that take orders, first to last. */
  readonly route: readonly BrokerId[];
  readonly killSwitch: () => SwitchNow;
  /** As orders keep to them: `always` refuses at no hour. */
  readonly marketHours: SentenceGiven['marketHours'];
  readonly clock: Pick<Clock, 'now'>;
}

export function createOverviewRead(parts: OverviewParts): OverviewRead {
  const { execution, brokers, route, killSwitch, marketHours } = parts;
  const { state } = execution;
  return {
    getOverview({ session, key, broker }) {
      const all = brokers();
      const isWanted = (name: BrokerId): boolean => broker === undefined || name === broker;
      return overviewOf({
        brokers: all.filter((each) => isWanted(each.broker)),
        // Prices are the same at every broker.
        hasPrices: all.some(({ parts: of }) => of.some(isPriceNow)),
        route: broker === undefined ? route : [broker],
        killSwitch: killSwitch(),
        isDiskLow: state.disk.isLow,
        key: { ...key, stopped: state.keys.get(key.id)?.stopped ?? null },
        ...{ marketHours, now: parts.clock.now() },
        session: session !== null && isWanted(session.broker) ? session : null,
        open: openOrders(execution).filter((each) => isWanted(each.broker)),
        unread: execution.unreadBooks().filter((each) => isWanted(each.broker)),
      });
    },
  };
}

const isPriceNow = ({ part, available }: BrokerStatus['parts'][number]): boolean =>
  part === 'market_data' && available;

function openOrders(execution: OverviewParts['execution']): readonly OrderResponse[] {
  const { state } = execution;
  return [...state.openOrders]
    .map((id) => must(state.orders.get(id), 'an open order is in memory'))
    .filter(({ parentId }) => parentId === null)
    .map((order) => shownOrder(execution, order));
}

interface Given extends SentenceGiven {
  readonly hasPrices: boolean;
  readonly killSwitch: SwitchNow;
  readonly open: readonly OrderResponse[];
  readonly unread: ReturnType<Execution['unreadBooks']>;
}

/** Pure. */
export function overviewOf(given: Given): Overview {
  const { killSwitch, open } = given;
  const account = accountOf(given);
  return {
    ...tradingNow(given, account),
    account: account && { broker: account.broker, mode: account.mode },
    needs: needsOf(given),
    openOrders: open.length,
    killSwitch,
  };
}

/** The first broker of the route that takes orders now. */
function accountOf({ brokers, route }: Given): BrokerStatus | null {
  const takesOrders = (status: BrokerStatus | undefined): status is BrokerStatus =>
    status?.parts.some(({ part, available }) => part === 'trading' && available) === true;
  return (
    route.map((name) => brokers.find(({ broker }) => broker === name)).find(takesOrders) ?? null
  );
}

function needsOf({
  brokers,
  hasPrices,
  killSwitch,
  session,
  open,
  unread,
}: Given): readonly Need[] {
  const need = (what: Need['what'], detail: string, of: Partial<Need> = {}): Need => ({
    ...{ what, detail, broker: null, orderId: null },
    ...of,
  });
  const orders = open
    .filter(({ status }) => status === 'uncertain' || status === 'disputed')
    .map((order) => need('order', orderText(order), { broker: order.broker, orderId: order.id }));
  const books = unread.map(({ broker, since, openOrders: count }) =>
    need(
      'book',
      `the order book of ${broker} cannot be read since ${readableTime(since)}, and ${count} orders there are open: ` +
        'look at them in the app of the broker',
      { broker },
    ),
  );
  const addresses = brokers.flatMap(({ broker, addressRefusal }) =>
    addressRefusal === null ? [] : [need('address', addressRefusal.reason, { broker })],
  );
  const because = killSwitch.reason === null ? '' : ` (${killSwitch.reason})`;
  return [
    ...(killSwitch.engaged
      ? [need('kill_switch', `the kill switch is engaged${because}: an admin can release it`)]
      : []),
    ...loginNeeds(session).map((detail) =>
      need('session', detail, { broker: session?.broker ?? null }),
    ),
    ...orders,
    ...books,
    ...addresses,
    ...(hasPrices
      ? []
      : [need('prices', 'no broker gives prices now: log in, or set the token of another one')]),
  ];
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
