import type { BrokerId, Mode } from '../domain/broker.ts';
import { istDay, istTime, readableDay, readableTime } from '../domain/ist.ts';
import { holidaysKnown, nextOpening } from '../domain/market-hours.ts';
import { tradingCalendar } from '../domain/trading-calendar.ts';
import type { SessionState } from '../session/session.ts';
import type { EpochMs } from '../units/branded.ts';
import type { BrokerStatus } from './broker-status.ts';

/**
 * What orders come to now. `live`: they go to a live broker. `paper`: to the paper account. `ways_out`: a brake
 * lets only cancels, exits and orders that reduce pass. `none`: no broker of the route takes orders.
 */
export const TRADING_STATES = ['live', 'paper', 'ways_out', 'none'] as const;
export type TradingState = (typeof TRADING_STATES)[number];

/**
 * Which orders of this key pass now. `any`: all. `after_market`: NSE is closed, so that of its orders only those with
 * `amo` pass. `ways_out`: cancels, exits and orders that reduce. `none`: none.
 */
export const ACCEPTED_ORDERS = ['any', 'after_market', 'ways_out', 'none'] as const;
export type AcceptedOrders = (typeof ACCEPTED_ORDERS)[number];

export interface LoginState {
  readonly broker: BrokerId;
  readonly state: SessionState;
}

/** What of the key that asks decides which of its orders pass. */
export interface AskingKey {
  readonly id: string;
  /** Whether its scope lets it place orders. */
  readonly mayTrade: boolean;
  /** `live`: its orders never go to a paper account. Null for no such limit. */
  readonly mode: Mode | null;
}

export interface SentenceGiven {
  readonly brokers: readonly BrokerStatus[];
  readonly route: readonly BrokerId[];
  /** Of the route, where an order goes that names no broker: live brokers alone, while one of them has a session. */
  readonly candidates: readonly BrokerStatus[];
  /** The broker that the question, or the key, is about; null for all of the route. */
  readonly named: BrokerId | null;
  readonly killSwitch: { readonly engaged: boolean };
  /** Whether the disk is so full that only ways out are written. */
  readonly isDiskLow: boolean;
  readonly session: LoginState | null;
  readonly key: Pick<AskingKey, 'mayTrade' | 'mode'> & {
    /** Why its orders are stopped; null while they are not. */
    readonly stopped: string | null;
  };
  /** `always`: orders are refused at no hour. */
  readonly marketHours: 'exchange' | 'always';
  readonly now: EpochMs;
}

/** "Can I trade?", for programs and for people. */
export interface TradingNow {
  readonly trading: TradingState;
  readonly accepts: AcceptedOrders;
  /** From when on NSE accepts orders without `amo` again; null while it does, or where hours do not count. */
  readonly ordersFrom: EpochMs | null;
  readonly sentence: string;
}

/** Pure. `account` is where an order goes that names no broker. */
export function tradingNow(given: SentenceGiven, account: BrokerStatus | null): TradingNow {
  const closed = whileClosed(given);
  const ordersFrom = closed?.ordersFrom ?? null;
  const brake = brakeText(given);
  const own =
    brake !== null
      ? { trading: 'ways_out' as const, accepts: 'ways_out' as const, sentence: brake }
      : account === null
        ? {
            ...{ trading: 'none' as const, accepts: 'none' as const },
            sentence: `No: ${whyNowhere(given)}.${besidePaper(given)}`,
          }
        : {
            trading: account.mode,
            accepts: closed === null ? ('any' as const) : ('after_market' as const),
            sentence:
              closed === null ? openText(given, account) : closedText(given, account, closed),
          };
  if (given.key.mayTrade) return { ...own, ordersFrom };
  const others = own.sentence.replace(/^./, (first) => first.toLowerCase());
  return {
    // Where orders go is no question of the key: programs that only watch read it.
    ...{ trading: own.trading, accepts: 'none', ordersFrom },
    sentence: `Not with this key, which may only read. With a key that may trade: ${others}`,
  };
}

const WAYS_OUT = 'Cancels, exits and orders that only reduce a position pass';

/** The brakes in the order in which they stop an order (execution/submit/brakes.ts); null where none holds. */
function brakeText({ killSwitch, isDiskLow, key }: SentenceGiven): string | null {
  if (killSwitch.engaged) return `No: the kill switch is engaged. ${WAYS_OUT}.`;
  if (isDiskLow) {
    return `No: the disk of the data directory is nearly full. ${WAYS_OUT}. Free some disk space.`;
  }
  if (key.stopped === null) return null;
  return `No: this key is stopped (${key.stopped}). ${WAYS_OUT}. An admin can release it.`;
}

function openText(given: SentenceGiven, account: BrokerStatus): string {
  return account.mode === 'live'
    ? `Yes, with real money at ${account.broker}${untilText(given, account)}.`
    : `Only on paper: ${whyOnPaper(given, account)}.`;
}

function untilText(given: SentenceGiven, account: BrokerStatus): string {
  const ends = loginEnd(given, account);
  return ends === null ? '' : `, until ${readableTime(ends)}`;
}

/** When the login of the account ends; null where it has none. */
function loginEnd({ session }: SentenceGiven, account: BrokerStatus): EpochMs | null {
  if (session?.state.state !== 'valid' || session.broker !== account.broker) return null;
  return session.state.expiresAt;
}

/** Why orders go to a paper account. */
function whyOnPaper(given: SentenceGiven, { broker }: BrokerStatus): string {
  if (given.named !== null || given.key.mode === 'paper') return `${broker} is a paper account`;
  return whyNot(given, 'live');
}

/** Why an order of the key goes to no broker at all. */
function whyNowhere(given: SentenceGiven): string {
  const { mode } = given.key;
  if (given.named !== null) return whyNot(given, null);
  const which = mode === 'live' ? 'live brokers' : 'paper accounts';
  const why = whyNot(given, mode ?? 'live');
  return mode === null ? why : `the orders of this key go to ${which} alone, and ${why}`;
}

/** That paper does not step in, where a live broker has a session and takes no orders, and a paper account would. */
function besidePaper({ brokers, candidates, route, named, key }: SentenceGiven): string {
  if (named !== null || key.mode !== null) return '';
  const paper = brokers.find(
    ({ broker, mode, available }) => mode === 'paper' && available && route.includes(broker),
  );
  if (!paper || !candidates.some(({ mode }) => mode === 'live')) return '';
  return ` An outage sends no order to paper: only one that names ${paper.broker} goes there.`;
}

/** Why none of the brokers of a mode takes orders; null for those of any mode. */
function whyNot({ brokers, route }: SentenceGiven, mode: Mode | null): string {
  const asked = brokers.filter(
    (each) => (mode === null || each.mode === mode) && route.includes(each.broker),
  );
  if (asked.length === 0) {
    return `no ${mode === null ? '' : `${mode} `}broker is set up on the route of orders`;
  }
  return asked
    .map(({ broker, parts, reason }) => {
      const own = parts.find(({ part }) => part === 'trading')?.reason ?? reason;
      return `${broker} takes no orders now (${own ?? 'no reason is known'})`;
    })
    .join(', and ');
}

interface Closed {
  readonly ordersFrom: EpochMs;
  /** Whether after-market orders of shares are accepted at this hour, as far as docs/spec/market-hours.md knows. */
  readonly isAfterMarket: boolean;
  /** Exchanges of which orders pass although NSE is closed, with the time until which they do. */
  readonly open: string;
}

/** Null while NSE accepts orders, and where orders are refused at no hour. */
function whileClosed({ marketHours, now }: SentenceGiven): Closed | null {
  if (marketHours === 'always') return null;
  const { exchanges } = tradingCalendar(now);
  const shares = exchanges.find(({ exchange }) => exchange === 'NSE');
  if (shares === undefined || shares.openNow) return null;
  const byClose = new Map<string, string[]>();
  for (const { exchange, close, openNow } of exchanges) {
    if (openNow) byClose.set(close, [...(byClose.get(close) ?? []), exchange]);
  }
  const afterMarket = shares.sessions.find(({ name }) => name === 'after_market');
  const time = (hours: string): EpochMs => istTime(istDay(now), hours);
  return {
    ordersFrom: nextOpening(now),
    isAfterMarket:
      afterMarket !== undefined && (now >= time(afterMarket.from) || now < time(afterMarket.to)),
    open: listed([...byClose].map(([close, names]) => `${listed(names)} until ${close}`)),
  };
}

const listed = (items: readonly string[]): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;

function closedText(given: SentenceGiven, account: BrokerStatus, closed: Closed): string {
  const { ordersFrom, isAfterMarket, open } = closed;
  const isLive = account.mode === 'live';
  const where = isLive ? `with real money at ${account.broker}` : 'on paper';
  const ends = isLive ? loginEnd(given, account) : null;
  const endsBefore = ends !== null && ends <= ordersFrom;
  const login = endsBefore
    ? ` The login at ${account.broker} ends before, on ${readableTime(ends)}: log in again.`
    : '';
  const why = isLive
    ? ''
    : ` Orders go to the paper account because ${whyOnPaper(given, account)}.`;
  const from = openingText(ordersFrom);
  if (open === '' && !isAfterMarket) {
    const then = endsBefore ? '' : `; ${where} then`;
    return (
      `Not now: NSE takes orders again from ${from}${then}.${login}${why} ` +
      'Whether the broker accepts an after-market order at this hour is not known.'
    );
  }
  const passing = [
    ...(isAfterMarket ? ['after-market orders'] : []),
    ...(open === '' ? [] : [`orders at ${open}`]),
  ].join(', and ');
  const again = isAfterMarket ? 'other orders again' : 'orders again';
  return `Only ${passing}, ${where}: NSE takes ${again} from ${from}.${login}${why}`;
}

/** `09:00 on Mon 30 Nov, 2026`. */
function openingText(at: EpochMs): string {
  const day = istDay(at);
  const text = `09:00 on ${readableDay(day)}`;
  return holidaysKnown(day)
    ? text
    : `${text}, unless that is a holiday (those of ${day.slice(0, 4)} are not known here)`;
}
