import type { InstrumentName } from './instrument.ts';
import { type Decimal, decimal, toPaisa, worth, ZERO } from './money.ts';
import type { Position, Turnover } from './portfolio.ts';
import type { Quote } from './quote.ts';

/** What an account has made today, rupees; or why that is not known, for people. */
export type DayProfit =
  | { readonly kind: 'known'; readonly rupees: number }
  | { readonly kind: 'unknown'; readonly reason: string };

/**
 * The day's profit of an account's positions, those of orders placed elsewhere included, without charges
 * (docs/spec/daily-profit.md). One row that cannot be valued makes the whole figure unknown.
 */
export function dayProfitOf(
  positions: readonly Position[],
  quotes: ReadonlyMap<InstrumentName, Quote>,
): DayProfit {
  let total = ZERO;
  for (const position of positions) {
    const profit = profitOf(position, quotes.get(position.instrument));
    if (typeof profit === 'string') {
      const reason = `the position ${position.instrument} ${position.product}: ${profit}`;
      return { kind: 'unknown', reason };
    }
    total = total.plus(profit);
  }
  return { kind: 'known', rupees: toPaisa(total.toNumber()) };
}

/** Whether a quote says something about a position: it is open, or was carried over from an earlier day. */
export function needsQuote(position: Position): boolean {
  return position.quantity !== 0 || carriedOf(position) !== 0;
}

const net = ({ buyQuantity, sellQuantity }: Turnover): number => buyQuantity - sellQuantity;

/** What is carried over from earlier days, negative when short: what the trades of the day leave. */
const carriedOf = ({ quantity, day }: Position): number => (day ? quantity - net(day) : quantity);

function profitOf(position: Position, quote: Quote | undefined): Decimal | string {
  const { product, quantity, day, carried, multiplier = 1 } = position;
  if (!day) return 'the broker does not say what was traded today';
  const overnight = carriedOf(position);
  if (carried && net(carried) !== overnight) {
    return `its quantity is ${quantity}, and what was carried over and traded today is ${net(carried) + net(day)}`;
  }
  const traded = decimal(day.sellValue).minus(day.buyValue);
  if (product === 'CNC') return deliveryProfit(position, day, traded, quote);
  const mark = quantity === 0 ? 0 : closingPrice(position, quantity, quote);
  if (mark === null) return 'no price of it is known';
  const before = overnight === 0 ? 0 : (quote?.previousClose ?? null);
  if (before === null) return 'its close of the day before is not known';
  return traded
    .plus(worth(mark, quantity).times(multiplier))
    .minus(worth(before, overnight).times(multiplier));
}

/**
 * Of delivery only the trades of the day count: the holdings that they add to or are taken from are no
 * position. Shares sold out of holdings have made nothing today by that.
 */
function deliveryProfit(
  position: Position,
  day: Turnover,
  traded: Decimal,
  quote: Quote | undefined,
): Decimal | string {
  const left = net(day);
  if (left < 0) {
    const sold = decimal(day.sellValue).div(day.sellQuantity);
    return traded.plus(sold.times(left));
  }
  if (left === 0) return traded;
  const mark = closingPrice(position, left, quote);
  return mark === null ? 'no price of it is known' : traded.plus(worth(mark, left));
}

/**
 * The price at which a position could be closed: the best bid for what is long, the best ask for what is
 * short. Where the quote has none, its last price; without a quote the broker's own. Null without any.
 */
function closingPrice(
  { lastPrice }: Position,
  quantity: number,
  quote: Quote | undefined,
): number | null {
  const best = quantity > 0 ? quote?.bid : quote?.ask;
  return best ?? quote?.lastPrice ?? lastPrice;
}
