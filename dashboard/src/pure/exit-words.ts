import type { Schemas } from '../../../client/index.ts';
import { count } from './format.ts';
import type { Account } from './stop-words.ts';

type Position = Schemas['Position'];
type Holding = Schemas['Holding'];
type Shares = Pick<Position, 'instrument' | 'isin'>;

/** What an exit of a position will do, for people. */
export interface ExitWords {
  /** `SELL 10 NSE:INFY CNC at alt`; without the number where the page does not know it. */
  readonly what: string;
  readonly verb: 'sold' | 'bought back';
  /** Further words; null without any. */
  readonly note: string | null;
}

/**
 * What an exit of a row of the positions does (docs/exits.md); null where nothing can be held. A row of CNC is what was traded today: an
 * exit of it sells what is still held, the holdings included, so the sign of the row does not tell its side. `holdings` are null where
 * the page does not have them.
 */
export function exitWords(
  position: Position,
  { broker, positions }: Pick<Account, 'broker' | 'positions'>,
  holdings: readonly Holding[] | null,
): ExitWords | null {
  const { instrument, product, quantity } = position;
  if (quantity === 0) return null;
  const shares = `${instrument} ${product}`;
  if (product !== 'CNC') {
    const side = quantity > 0 ? 'SELL' : 'BUY';
    const what = `${side} ${count(Math.abs(quantity))} ${shares} at ${broker}`;
    return { what, verb: quantity > 0 ? 'sold' : 'bought back', note: null };
  }
  const held = holdings === null ? null : deliveryHeld(position, positions ?? [], holdings);
  if (held === null) {
    const note =
      'How many shares that are is not known to the page: the holdings and what was traded today count together.';
    return { what: `SELL what is held of ${shares} at ${broker}`, verb: 'sold', note };
  }
  if (held <= 0) return null;
  const note = 'Delivery shares: the holdings and what was traded today count together.';
  return { what: `SELL ${count(held)} ${shares} at ${broker}`, verb: 'sold', note };
}

/** Whether an account has rows of which an exit needs the holdings. */
export const needsHoldings = ({ positions }: Pick<Account, 'positions'>): boolean =>
  (positions ?? []).some(({ product, quantity }) => product === 'CNC' && quantity !== 0);

/**
 * Delivery shares that an exit may sell, as the gateway counts them: the holdings and the day's net, and less what was sold of them on
 * the other exchange. Null where nobody tells whether two rows are of the same shares.
 */
function deliveryHeld(
  position: Position,
  positions: readonly Position[],
  holdings: readonly Holding[],
): number | null {
  let held = 0;
  for (const row of positions.filter(({ product }) => product === 'CNC')) {
    const isSame = isSameShares(position, row);
    if (isSame === null) return null;
    // What was bought there today is not delivered yet.
    if (isSame)
      held += row.instrument === position.instrument ? row.quantity : Math.min(0, row.quantity);
  }
  for (const row of holdings) {
    const isSame = isSameShares(position, row);
    if (isSame === null) return null;
    if (isSame) held += row.quantity;
  }
  return held;
}

const symbolOf = (name: string): string => name.slice(name.indexOf(':') + 1);

/** Null where one of two rows with the same symbol has no ISIN: it may be the same shares on the other exchange. */
function isSameShares(one: Shares, other: Shares): boolean | null {
  if (one.instrument === other.instrument) return true;
  if (one.isin && other.isin) return one.isin === other.isin;
  return symbolOf(one.instrument) === symbolOf(other.instrument) ? null : false;
}
