import { dayProfitOf } from '../domain/day-profit.ts';
import type { Figure, FillTotals, OrderCounts } from '../domain/day-report.ts';
import type { InstrumentName } from '../domain/instrument.ts';
import { type Decimal, difference, sum, toPaisa, ZERO } from '../domain/money.ts';
import type { OrderStatus } from '../domain/order.ts';
import type { Position } from '../domain/portfolio.ts';
import type { Quote } from '../domain/quote.ts';
import { rupees } from '../domain/rupees.ts';
import type { DayBook, DayOrder } from '../execution/books/day-book.ts';
import type { KeyPosition, TradedId } from '../execution/books/key-books.ts';
import { statusOf } from '../execution/order/order.ts';

/** A figure that is not known; `note` says why, for people. */
export const unknownFigure = (note: string): Figure => ({
  ...{ rupees: null, source: null, estimate: false },
  note,
});

const COUNTED: Readonly<Record<OrderStatus, keyof OrderCounts>> = {
  accepted: 'open',
  sending: 'open',
  working: 'open',
  filled: 'filled',
  partial: 'partial',
  cancelled: 'cancelled',
  rejected: 'rejected',
  not_sent: 'notSent',
  uncertain: 'uncertain',
  disputed: 'disputed',
};

/** A slice counts as its order. */
export function countsOf(orders: readonly DayOrder[]): OrderCounts {
  const whole = orders.filter(({ order }) => order.parentId === null);
  const counts = {
    ...{ placed: whole.length, filled: 0, partial: 0, cancelled: 0, rejected: 0 },
    ...{ notSent: 0, open: 0, uncertain: 0, disputed: 0 },
  };
  for (const { order } of whole) counts[COUNTED[statusOf(order)]] += 1;
  return counts;
}

/** What was filled on the day; `multiplier` as that of `positionRow`. */
export function fillsOf(
  { trades, positions }: Pick<DayBook, 'trades' | 'positions'>,
  multiplier: (line: KeyPosition['line']) => number | null,
): FillTotals {
  const lacking = trades.filter(({ isWhole }) => !isWhole);
  const bought = valueOf('bought', positions, multiplier);
  const sold = valueOf('sold', positions, multiplier);
  const notes = [
    ...(lacking.length > 0
      ? [`the trades of ${listed(lacking.map(({ id }) => id))} are not all known`]
      : []),
    ...(bought === null || sold === null ? ['the price of a fill is not known'] : []),
  ];
  return {
    count: lacking.length > 0 ? null : trades.reduce((all, { trades: of }) => all + of, 0),
    ...{ bought, sold },
    note: notes.length > 0 ? notes.join('; ') : null,
  };
}

function valueOf(
  side: 'bought' | 'sold',
  positions: readonly KeyPosition[] | null,
  multiplier: (line: KeyPosition['line']) => number | null,
): number | null {
  if (positions === null) return null;
  let total: Decimal = ZERO;
  for (const { line, today } of positions) {
    const units = today[side].quantity === 0 ? 1 : multiplier(line);
    if (units === null || today[side].unpriced > 0) return null;
    total = total.plus(today[side].value.times(units));
  }
  return toPaisa(total.toNumber());
}

/** Made by what was closed on the day. `rows` are those of the positions. */
export function realisedFigure(
  rows: readonly Position[] | null,
  doubts: readonly TradedId[],
): Figure {
  if (rows === null) return unknownFigure(NO_TOTALS);
  const unpriced = rows.find(({ realisedPnl }) => realisedPnl === null);
  if (unpriced) {
    const { instrument, product } = unpriced;
    return unknownFigure(
      `the position ${instrument} ${product}: a price that it needs is not known`,
    );
  }
  const rupees = toPaisa(sum(rows.map(({ realisedPnl }) => realisedPnl ?? 0)));
  return withDoubts(
    { rupees, source: 'journal', estimate: false, note: 'of orders of the gateway' },
    doubts,
  );
}

export const NO_TOTALS =
  'what was carried over from earlier days cannot be read: start the gateway again, which computes it anew';

/** The profit of the day by the gateway's own orders; `elsewhere` says that there may have been others. */
export function journalProfit(
  rows: readonly Position[] | null,
  quotes: ReadonlyMap<InstrumentName, Quote>,
  { doubts, isToday, elsewhere }: JournalProfitOf,
): Figure {
  if (rows === null) return unknownFigure(NO_TOTALS);
  const profit = dayProfitOf(rows, quotes);
  if (profit.kind === 'unknown') {
    const why = isToday ? '' : '; the gateway keeps no prices of earlier days';
    return unknownFigure(`${profit.reason}${why}`);
  }
  const figure: Figure = {
    ...{ rupees: profit.rupees, source: 'journal', estimate: elsewhere },
    note: elsewhere
      ? 'of orders of the gateway alone: those placed elsewhere are not in the journal'
      : 'of orders of the gateway',
  };
  return withDoubts(figure, doubts);
}

interface JournalProfitOf {
  readonly doubts: readonly TradedId[];
  readonly isToday: boolean;
  readonly elsewhere: boolean;
}

/** A figure that lacks what some orders may have filled is not known; what is known of it is told. */
export function withDoubts(figure: Figure, doubts: readonly TradedId[]): Figure {
  if (doubts.length === 0 || figure.rupees === null) return figure;
  return unknownFigure(
    `it is not known how much ${listed(doubts)} filled; without that it would be ${rupees(figure.rupees)}`,
  );
}

/** The profit less the charges. */
export function netFigure(profit: Figure, charges: Figure): Figure {
  if (profit.rupees === null || charges.rupees === null || profit.source === null) {
    const missing = [
      ...(profit.rupees === null ? ['the profit'] : []),
      ...(charges.rupees === null ? ['the charges'] : []),
    ];
    return unknownFigure(`needs ${missing.join(' and ')}, which is not known`);
  }
  const estimate = profit.estimate || charges.estimate;
  return {
    rupees: toPaisa(difference(profit.rupees, charges.rupees)),
    source: profit.source,
    estimate,
    note: estimate ? 'the profit or the charges are an estimate' : null,
  };
}

const SHOWN = 3;

/** For people: the first few ids, and how many more there are. */
function listed(ids: readonly TradedId[]): string {
  const more = ids.length > SHOWN ? ` and ${ids.length - SHOWN} more` : '';
  return `${ids.length === 1 ? 'order' : 'orders'} ${ids.slice(0, SHOWN).join(', ')}${more}`;
}
