import type { ClosingPosition, ClosingUnread } from '../domain/closing.ts';
import { readableTime } from '../domain/ist.ts';
import type { Product } from '../domain/order.ts';
import type { ClosingRecord } from '../execution/closings/closing.ts';
import { type ExitOver, type ExitRecord, isSamePosition } from '../execution/exits/exit.ts';
import type { ExecutionState } from '../execution/journal/state.ts';
import {
  heldOf,
  type IsinOf,
  mayBe,
  type Shares,
  unclearRowOf,
  unreadHoldingOf,
} from '../execution/reconcile/held.ts';
import type { EpochMs, TradingDay } from '../units/branded.ts';

export interface ExitsGiven {
  readonly exits: readonly ExitRecord[];
  readonly closings: readonly ClosingRecord[];
  /** What each account was last read to hold. */
  readonly portfolios: ExecutionState['portfolios'];
  readonly isinOf: IsinOf;
  readonly today: TradingDay;
}

type Position = Pick<ExitRecord, 'broker' | 'instrument' | 'product' | 'side'>;
type Portfolio = ReturnType<ExitsGiven['portfolios']['get']>;

export interface UnfinishedExit {
  readonly exit: ExitRecord;
  readonly text: string;
}

/** The exits of today that ended `stopped`, and whose position may still be held; newest first. */
export function unfinishedExits(given: ExitsGiven): readonly UnfinishedExit[] {
  return given.exits
    .flatMap((exit) => {
      const { over, day } = exit;
      if (over?.end !== 'stopped' || day !== given.today) return [];
      // A caller wanted it to end, and is told of no failure (execution/exits/decide-exit.ts).
      if (over.why === 'cancelled' || isFollowed(exit, over, given)) return [];
      return isGone(given, exit, over.at)
        ? []
        : { exit, at: over.at, text: exitText(given, exit, over) };
    })
    .toSorted((one, other) => other.at - one.at);
}

/** Whether a later exit of the position has stopped as well: that one tells how it stands. */
const isFollowed = (exit: ExitRecord, { at }: ExitOver, { exits }: ExitsGiven): boolean =>
  exits.some(
    ({ over, ...other }) => over?.end === 'stopped' && over.at > at && isSamePosition(other, exit),
  );

/** Whether nothing of a position is held any more: a later exit or a later read of the account says so. */
function isGone(given: ExitsGiven, position: Position, since: EpochMs): boolean {
  const isFlat = given.exits.some(
    ({ over, ...other }) =>
      over?.end === 'flat' && over.at > since && isSamePosition(other, position),
  );
  return isFlat || heldSince(given, position, since) === 0;
}

/** What the last read of the account showed; null where there is none since, or where it leaves that open. */
function heldSince(given: ExitsGiven, position: Position, since: EpochMs): number | null {
  const portfolio = readSince(given, position.broker, since);
  if (portfolio === undefined) return null;
  const { isinOf } = given;
  const isUnclear =
    unclearRowOf(portfolio, position, isinOf) !== null ||
    unreadHoldingOf(portfolio, position) !== null;
  return isUnclear ? null : heldOf(portfolio, position, isinOf);
}

function readSince({ portfolios }: ExitsGiven, broker: string, since: EpochMs): Portfolio {
  const portfolio = portfolios.get(broker);
  return portfolio !== undefined && portfolio.readAt > since ? portfolio : undefined;
}

function exitText(given: ExitsGiven, exit: ExitRecord, over: ExitOver): string {
  const { instrument, product, broker, mode } = exit;
  const held = heldSince(given, exit, over.at) ?? over.held;
  const left = held === null ? 'how much is still held is not known' : `${held} still held`;
  const where = mode === 'live' ? ' in the app of the broker' : '';
  return (
    `the exit of ${instrument} (${product}) at ${broker} stopped on ${readableTime(over.at)}: ${over.detail}; ` +
    `${left}: look at the position${where}, then begin a new exit`
  );
}

export interface UnfinishedClosing {
  readonly closing: ClosingRecord;
  readonly text: string;
}

/** The closings of today that ended `stopped`, of which a position may still be held; newest first. */
export function unfinishedClosings(given: ExitsGiven): readonly UnfinishedClosing[] {
  return given.closings
    .flatMap((closing) => {
      const { over, day, isCancelWanted, positions, unread = [] } = closing;
      if (over?.end !== 'stopped' || day !== given.today || isCancelWanted) return [];
      const open = positions.filter(
        (each) => each.status !== 'flat' && !isGone(given, positionOf(each), over.at),
      );
      const rows = unread.filter((row) => !isRowGone(given, row, over.at));
      if (open.length + rows.length === 0) return [];
      return { closing, at: over.at, text: closingText(over.at, open, rows) };
    })
    .toSorted((one, other) => other.at - one.at);
}

const positionOf = ({ broker, instrument, product, net }: ClosingPosition): Position => ({
  ...{ broker, instrument, side: net < 0 ? 'BUY' : 'SELL' },
  // A product of the broker's own is compared as any other.
  product: product as Product & Shares['product'],
});

/** Whether a later read, with every row readable, holds nothing that the row could have been. */
function isRowGone(given: ExitsGiven, row: ClosingUnread, since: EpochMs): boolean {
  const portfolio = readSince(given, row.broker, since);
  if (portfolio === undefined || (portfolio.unread ?? []).length > 0) return false;
  const { positions, holdings } = portfolio;
  const all = [...positions, ...holdings.map((each) => ({ ...each, product: 'CNC' }))];
  return !all.some((each) => each.quantity !== 0 && mayBe(row, each));
}

const MOST_NAMED = 5;

function closingText(
  at: EpochMs,
  open: readonly ClosingPosition[],
  rows: readonly ClosingUnread[],
): string {
  const names = open.map(
    ({ instrument, product, broker }) => `${instrument} (${product}) at ${broker}`,
  );
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
  const left = [
    ...(names.length === 0 ? [] : [`${names.slice(0, MOST_NAMED).join(', ')}${more}`]),
    ...rows.map(({ broker, list }) => `a row of the ${list} at ${broker} that could not be read`),
  ].join('; ');
  return (
    `the closing of positions stopped on ${readableTime(at)}, and these may still be held: ${left}: ` +
    'look at them in the app of the broker, then close or exit them again'
  );
}
