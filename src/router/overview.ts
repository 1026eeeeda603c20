import type { BrokerId } from '../domain/broker.ts';
import { readableTime } from '../domain/ist.ts';
import type { OrderResponse } from '../domain/order.ts';
import type { Execution } from '../execution/execution.ts';
import { must } from '../platform/values.ts';
import type { SessionState } from '../session/session.ts';
import type { EpochMs } from '../units/branded.ts';
import type { BrokerStatus } from './broker-status.ts';
import { shownOrder } from './shown-order.ts';

/** The kill switch, as far as a person is told of it at a glance. */
export interface SwitchNow {
  readonly engaged: boolean;
  readonly reason: string | null;
  readonly changedAt: EpochMs | null;
}

/**
 * What orders come to now. `live`: they go to a live broker. `paper`: to the paper account. `ways_out`: the kill
 * switch lets only cancels, exits and orders that reduce pass. `none`: no broker of the route takes orders.
 */
export const TRADING_STATES = ['live', 'paper', 'ways_out', 'none'] as const;
export type TradingState = (typeof TRADING_STATES)[number];

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
export interface Overview {
  readonly trading: TradingState;
  /** The same in one sentence. */
  readonly sentence: string;
  /** The account to which an order goes that names none; null where there is none. */
  readonly account: Pick<BrokerStatus, 'broker' | 'mode'> | null;
  /** The most urgent first. */
  readonly needs: readonly Need[];
  /** Orders of the gateway that are not over; slices count as their order. */
  readonly openOrders: number;
  readonly killSwitch: SwitchNow;
}

export interface OverviewRead {
  /**
   * From memory: no broker is asked. `session` is that of the broker with a daily login; null without one. With a
   * `broker` of that one alone, as for orders that name it.
   */
  getOverview(session: LoginState | null, broker?: BrokerId): Overview;
}

export interface LoginState {
  readonly broker: BrokerId;
  readonly state: SessionState;
}

export interface OverviewParts {
  readonly execution: Pick<Execution, 'state' | 'poller' | 'unreadBooks'>;
  /** Every broker that is set up. */
  readonly brokers: () => readonly BrokerStatus[];
  /** Those that take orders, first to last. */
  readonly route: readonly BrokerId[];
  readonly killSwitch: () => SwitchNow;
}

export function createOverviewRead(parts: OverviewParts): OverviewRead {
  const { execution, brokers, route, killSwitch } = parts;
  return {
    getOverview(session, broker) {
      const all = brokers();
      const isWanted = (name: BrokerId): boolean => broker === undefined || name === broker;
      return overviewOf({
        brokers: all.filter((each) => isWanted(each.broker)),
        // Prices are the same at every broker.
        hasPrices: all.some(({ parts: of }) => of.some(isPriceNow)),
        route: broker === undefined ? route : [broker],
        killSwitch: killSwitch(),
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

interface Given {
  readonly brokers: readonly BrokerStatus[];
  readonly hasPrices: boolean;
  readonly route: readonly BrokerId[];
  readonly killSwitch: SwitchNow;
  readonly session: LoginState | null;
  readonly open: readonly OrderResponse[];
  readonly unread: ReturnType<Execution['unreadBooks']>;
}

/** Pure. */
export function overviewOf(given: Given): Overview {
  const { killSwitch, open } = given;
  const account = accountOf(given);
  const trading = killSwitch.engaged ? 'ways_out' : (account?.mode ?? 'none');
  return {
    trading,
    sentence: sentenceOf(trading, given, account),
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

function sentenceOf(trading: TradingState, given: Given, account: BrokerStatus | null): string {
  if (trading === 'ways_out') {
    return 'No: the kill switch is engaged. Cancels, exits and orders that only reduce a position pass.';
  }
  if (account === null) return `No: ${whyNotLive(given)}.`;
  return account.mode === 'live'
    ? `Yes, with real money at ${account.broker}${untilText(given, account)}.`
    : `Only on paper: ${whyNotLive(given)}.`;
}

function untilText({ session }: Given, account: BrokerStatus): string {
  if (session?.state.state !== 'valid' || session.broker !== account.broker) return '';
  return `, until ${readableTime(session.state.expiresAt)}`;
}

function whyNotLive({ brokers, route }: Given): string {
  const live = brokers.filter(({ broker, mode }) => mode === 'live' && route.includes(broker));
  if (live.length === 0) return 'no live broker is set up on the route of orders';
  return live
    .map(({ broker, parts, reason }) => {
      const own = parts.find(({ part }) => part === 'trading')?.reason ?? reason;
      return `${broker} takes no orders now (${own ?? 'no reason is known'})`;
    })
    .join(', and ');
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
