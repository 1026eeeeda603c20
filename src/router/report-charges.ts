import { type ExecutedOrder, totalCharges } from '../domain/contract-note.ts';
import type { Mode } from '../domain/broker.ts';
import type { Figure } from '../domain/day-report.ts';
import { toFourDecimals } from '../domain/money.ts';
import type { Account } from '../domain/ports.ts';
import type { DayTrade } from '../execution/books/day-book.ts';
import type { TradedId } from '../execution/books/key-books.ts';
import type { NoteEntry } from './contract-note.ts';
import { unknownFigure, withDoubts } from './report-figures.ts';

/** The charges of orders of one account, by order; or why they are not known, for people. */
export type AccountCharges =
  | {
      readonly kind: 'read';
      readonly entries: readonly NoteEntry[];
      /** Whether the broker computes charges at all. */
      readonly computes: boolean;
    }
  | { readonly kind: 'unread'; readonly reason: string };

export interface ChargesOf {
  readonly broker: string;
  readonly mode: Mode;
  readonly isToday: boolean;
  /** Orders of the gateway that have to be among those with charges. */
  readonly trades: readonly DayTrade[];
  readonly doubts: readonly TradedId[];
}

/** The sum of the charges of some orders, with the rule by which they were computed. */
export function chargesFigure(
  charges: AccountCharges,
  { broker, mode, isToday, trades, doubts }: ChargesOf,
  keep: (entry: NoteEntry) => boolean,
): Figure {
  if (charges.kind === 'unread') return unknownFigure(charges.reason);
  const entries = charges.entries.filter(keep);
  const known = new Set(entries.map(({ order }) => order.orderId));
  const missing = trades.find(({ id }) => !known.has(id));
  if (missing) {
    return unknownFigure(
      `order ${missing.id} has filled, and ${broker} did not compute its charges`,
    );
  }
  if (!charges.computes && entries.length > 0) return unknownFigure(NO_CHARGES);
  const of = entries.flatMap(({ order }) => order.charges ?? []);
  const without = entries.find(({ order }) => order.charges === null);
  if (without) return unknownFigure(`the charges of ${without.order.orderId} are not known`);
  const rupees = of.length === 0 ? 0 : totalCharges(of).total;
  const rule = ruleOf(broker, mode, isToday);
  return withDoubts({ rupees, ...(of.length === 0 ? { ...rule, ...NOTHING } : rule) }, doubts);
}

const NOTHING = { estimate: false, note: 'no order has filled' };

function ruleOf(
  broker: string,
  mode: Mode,
  isToday: boolean,
): Pick<Figure, 'source' | 'estimate' | 'note'> {
  if (mode === 'paper') {
    return {
      source: 'settings',
      estimate: !isToday,
      note: isToday
        ? 'the brokerage of the settings for each order; the paper account books nothing else'
        : 'the brokerage that the settings have now, for each order',
    };
  }
  const later = 'the contract note that the broker sends at night counts';
  return {
    source: 'broker_charges',
    estimate: true,
    note: isToday
      ? `computed by ${broker} from the orders of the day: ${later}`
      : `computed by ${broker} now from the orders of the gateway, without those placed elsewhere: ${later}`,
  };
}

/**
 * The charges of the gateway's orders of an earlier day: the broker computes them now, by its rates of now.
 * Rejects where it does not.
 */
export async function chargesOfPastDay(
  account: Account | undefined,
  trades: readonly DayTrade[],
): Promise<readonly NoteEntry[]> {
  const filled = trades.map((trade) => ({ trade, ...executedOf(trade) }));
  const asked = filled.flatMap(({ executed }) => executed ?? []);
  // Called as a method: an adapter may need its own object.
  const found = asked.length === 0 ? [] : ((await account?.charges?.(asked)) ?? []);
  const left = found.values();
  return filled.map(({ trade: { id, caller }, executed, terms }) => ({
    caller,
    order: {
      ...{ orderId: id, external: false, ...terms },
      ...{ quantity: executed?.quantity ?? null, price: executed?.price ?? null },
      charges: executed ? (left.next().value ?? null) : null,
    },
  }));
}

const NO_CHARGES = 'the broker computes no charges: its contract note has them';

type Terms = Omit<ExecutedOrder, 'quantity' | 'price'>;

/** What the broker needs of an order to compute its charges; null where its price is not known. */
function executedOf(trade: DayTrade): { terms: Terms; executed: ExecutedOrder | null } {
  const { brokerOrderId, instrument, side, product, orderType } = trade;
  const terms: Terms = { brokerOrderId, instrument, side, product, orderType, variety: null };
  const { quantity, unpriced, value } = trade.sums[side === 'BUY' ? 'bought' : 'sold'];
  if (unpriced > 0 || quantity === 0) return { terms, executed: null };
  const price = toFourDecimals(value.div(quantity).toNumber());
  return { terms, executed: { ...terms, quantity, price } };
}
