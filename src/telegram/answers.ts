import type { Answer } from '../domain/answer.ts';
import { readableTime } from '../domain/ist.ts';
import { sum } from '../domain/money.ts';
import type { OrderResponse } from '../domain/order.ts';
import type { Position } from '../domain/portfolio.ts';
import type { BrokerStatus } from '../router/broker-status.ts';
import type { KillSwitchState, OrderPage } from '../router/gateway.ts';
import type { SessionState } from '../session/session.ts';
import { gain, rupees } from '../domain/rupees.ts';
import { clockTime, orderText } from './words.ts';
import type { EpochMs } from '../units/branded.ts';

/** The most positions or orders in one answer. */
const LISTED = 15;

/** The bot's answers, made from the gateway's. Pure. */
export function statusAnswer(given: {
  readonly session: SessionState | null;
  /** The name of the broker with the login, after "the". */
  readonly loginTitle: string;
  readonly brokers: readonly BrokerStatus[];
  readonly killSwitch: KillSwitchState;
  readonly now: EpochMs;
}): string {
  const { session, loginTitle, brokers, killSwitch, now } = given;
  const because = killSwitch.reason ? `: ${killSwitch.reason}` : '';
  return [
    readableTime(now),
    `${capitalised(loginTitle)}: ${sessionText(session)}`,
    ...brokers.map(brokerLine),
    killSwitch.engaged ? `Kill switch: ENGAGED${because}` : 'Kill switch: off',
  ].join('\n');
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function sessionText(session: SessionState | null): string {
  if (session === null) return 'not set up';
  switch (session.state) {
    case 'valid': {
      const who = session.userId === null ? '' : ` as ${session.userId}`;
      return `logged in${who} until ${readableTime(session.expiresAt)}`;
    }
    case 'expired':
      return `the login ended on ${readableTime(session.expiredAt)}. /login`;
    case 'absent':
      return 'not logged in. /login';
  }
}

function brokerLine({ broker, mode, serves, available, reason }: BrokerStatus): string {
  const what = serves.length === 0 ? 'on no route' : serves.join(', ').replaceAll('_', ' ');
  const state = available ? 'can serve' : `cannot serve now (${reason ?? 'no reason known'})`;
  return `${broker} (${mode}): ${what}; ${state}`;
}

export function loginAnswer(
  session: SessionState | null,
  { loginUrl, loginTitle }: { readonly loginUrl: string; readonly loginTitle: string },
): string {
  if (session === null) return `The ${loginTitle} is not set up, so there is no login.`;
  return session.state === 'valid'
    ? `Logged in until ${readableTime(session.expiresAt)}. To log in again:\n${loginUrl}`
    : `Log in here:\n${loginUrl}`;
}

export function positionsAnswer({ data, meta }: Answer<readonly Position[]>): string {
  const from = `${meta.broker}, ${meta.mode}, as of ${clockTime(meta.asOf)}`;
  const open = data.filter((position) => position.quantity !== 0);
  const closed = data.length - open.length;
  const more = closed === 0 ? [] : [`${closed} closed today`];
  if (open.length === 0) return [`No open positions (${from})`, ...more].join('\n');
  return [
    `Positions (${from})`,
    ...open.slice(0, LISTED).map(positionLine),
    ...(open.length > LISTED ? [`and ${open.length - LISTED} more`] : []),
    ...more,
    `Unrealised in all: ${gain(knownSum(open.map((position) => position.unrealisedPnl)))}`,
  ].join('\n');
}

function positionLine(position: Position): string {
  const { instrument, product, quantity, averagePrice, lastPrice, unrealisedPnl } = position;
  const price = (amount: number | null): string => (amount === null ? '?' : rupees(amount));
  return (
    `${instrument} ${quantity > 0 ? '+' : ''}${quantity} ${product} at ${price(averagePrice)}, ` +
    `now ${price(lastPrice)}: ${gain(unrealisedPnl)}`
  );
}

/** Null when a part is unknown, because a sum without it would be wrong. */
function knownSum(amounts: readonly (number | null)[]): number | null {
  const known = amounts.filter((amount) => amount !== null);
  return known.length < amounts.length ? null : sum(known);
}

export function ordersAnswer({ data, meta, nextCursor, books }: OrderPage): string {
  const lacking = books.flatMap(({ unreadRows, reason }) =>
    unreadRows > 0 && reason !== null ? [`Not all orders are listed: ${reason}`] : [],
  );
  const from = `${meta.broker}, ${meta.mode}, as of ${clockTime(meta.asOf)}`;
  if (data.length === 0) {
    return lacking.length > 0 ? lacking.join('\n') : `No orders today (${from})`;
  }
  const atLeast = nextCursor === null ? '' : 'at least ';
  return [
    `Orders of today, newest first (${from})`,
    ...data.slice(0, LISTED).map(orderLine),
    ...(data.length > LISTED ? [`and ${atLeast}${data.length - LISTED} more`] : []),
    ...lacking,
  ].join('\n');
}

function orderLine(order: OrderResponse): string {
  const { filledQuantity: filled, averagePrice, status, createdAt } = order;
  const at = averagePrice === null ? '' : ` at ${rupees(averagePrice)}`;
  const quantity = filled === null ? 'filled: not known' : `filled ${filled}${at}`;
  const by = order.external ? ', placed elsewhere' : '';
  return `${clockTime(createdAt)} ${orderText(order)}: ${status}, ${quantity}${by}`;
}

export const HELP = [
  '/status: login, brokers, kill switch',
  '/login: the link to log in',
  '/positions: open positions',
  '/orders: orders of today',
  'After you confirm:',
  '/exit INFY: ends a position',
  '/closeall: ends all positions but delivery shares',
  '/cancelall: cancels all open orders',
  '/kill: refuses new orders',
].join('\n');
