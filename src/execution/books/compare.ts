import type { Mode } from '../../domain/broker.ts';
import type { InstrumentName } from '../../domain/instrument.ts';
import { mayBeOfProduct, type Side } from '../../domain/order.ts';
import type { Holding, Position } from '../../domain/portfolio.ts';
import { isCarriedOver, type KeyPosition } from './key-books.ts';

/** What an order placed elsewhere has filled today. */
export interface FilledElsewhere {
  readonly instrument: InstrumentName;
  readonly product: string;
  readonly side: Side;
  /** Shares or units; null where the book does not say how many. */
  readonly quantity: number | null;
}

/** One instrument and product of an account: whose it is, and whether that is all. Negative when short. */
export interface ComparedPosition {
  readonly instrument: InstrumentName;
  readonly product: string;
  /** What each key that has traded it holds, the largest first. */
  readonly keys: readonly { readonly caller: string; readonly quantity: number }[];
  /** The sum of `keys`. */
  readonly ofKeys: number;
  /** Bought less sold today by orders placed elsewhere; null where the book does not say how much. */
  readonly elsewhereToday: number | null;
  /** What was carried over from earlier days and is of no key; null where it cannot be told apart from a difference. */
  readonly elsewhereBefore: number | null;
  /** The broker's position, with the holdings for delivery; null where a row that cannot be read may be of it. */
  readonly broker: number | null;
  /** What the broker has more than all of these; null where that cannot be told. */
  readonly difference: number | null;
}

export interface Compared {
  readonly mode: Mode;
  readonly keys: readonly KeyPosition[];
  readonly elsewhere: readonly FilledElsewhere[];
  readonly positions: readonly Position[];
  readonly holdings: readonly Holding[];
  /** Rows that cannot be read: of what each may be, nothing is told that it would change. */
  readonly unread: readonly HiddenRow[];
}

export interface HiddenRow {
  readonly list: 'orders' | 'positions' | 'holdings';
  /** Null where it cannot be read: then the row may be of any. */
  readonly instrument: InstrumentName | null;
  /** The same. */
  readonly product: string | null;
}

/**
 * Compares what the keys hold at an account with what the broker says that it holds. What was bought and sold
 * today has to be that of the keys and of orders placed elsewhere; what is carried over and is of no key
 * was there before, or was traded without the gateway.
 */
export function comparePositions(compared: Compared): readonly ComparedPosition[] {
  const { keys, elsewhere, positions, holdings } = compared;
  const names = new Map<string, readonly [InstrumentName, string]>();
  const add = (instrument: InstrumentName, product: string): void =>
    void names.set(`${instrument} ${product}`, [instrument, product]);
  for (const { line } of keys) add(line.instrument, line.product);
  for (const { instrument, product } of [...elsewhere, ...positions]) add(instrument, product);
  for (const { instrument, product } of compared.unread) {
    if (instrument !== null && product !== null) add(instrument, product);
  }
  for (const { instrument, quantity } of holdings) if (quantity !== 0) add(instrument, 'CNC');
  return [...names.values()]
    .map(([instrument, product]) => compareOne(compared, instrument, product))
    .sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
}

const nameOf = ({ instrument, product }: ComparedPosition): string => `${instrument} ${product}`;
const netOf = ({ bought, sold }: KeyPosition['today']): number => bought.quantity - sold.quantity;
const total = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);

function compareOne(
  compared: Compared,
  instrument: InstrumentName,
  product: string,
): ComparedPosition {
  const keys = compared.keys.filter(
    ({ line }) => line.instrument === instrument && line.product === product,
  );
  const is = (row: { readonly instrument: InstrumentName; readonly product: string }): boolean =>
    row.instrument === instrument && row.product === product;
  const rows = compared.positions.filter(is);
  const held = compared.holdings.filter(
    (row) => product === 'CNC' && row.instrument === instrument,
  );
  const hidden = compared.unread.filter(
    (row) =>
      (row.instrument === null || row.instrument === instrument) &&
      (row.product === null || mayBeOfProduct(row.product, product)),
  );
  const isHeldHidden = hidden.some(({ list }) => list !== 'orders');
  const broker = isHeldHidden ? null : total([...rows, ...held].map(({ quantity }) => quantity));
  const elsewhereToday = hidden.some(({ list }) => list === 'orders')
    ? null
    : sumOf(compared.elsewhere.filter(is));
  const ofKeys = total(keys.map(({ quantity }) => quantity));
  const before = elsewhereBefore(compared.mode, { product, rows, broker, keys });
  return {
    ...{ instrument, product },
    keys: byKey(keys),
    ...{ ofKeys, elsewhereToday, elsewhereBefore: before, broker },
    difference:
      before === null || elsewhereToday === null || broker === null
        ? null
        : broker - ofKeys - elsewhereToday - before,
  };
}

/** One sum for each key: of fills whose account was not known when they came, a key has a line of its own. */
function byKey(keys: readonly KeyPosition[]): ComparedPosition['keys'] {
  const quantities = new Map<string, number>();
  for (const { line, quantity } of keys) {
    quantities.set(line.caller, (quantities.get(line.caller) ?? 0) + quantity);
  }
  return [...quantities]
    .map(([caller, quantity]) => ({ caller, quantity }))
    .sort((one, other) => Math.abs(other.quantity) - Math.abs(one.quantity));
}

function sumOf(filled: readonly FilledElsewhere[]): number | null {
  let sum = 0;
  for (const { side, quantity } of filled) {
    if (quantity === null) return null;
    sum += side === 'BUY' ? quantity : -quantity;
  }
  return sum;
}

/** What is carried over at the broker, less what the keys carry over. */
function elsewhereBefore(
  mode: Mode,
  {
    product,
    rows,
    broker,
    keys,
  }: {
    readonly product: string;
    readonly rows: readonly Position[];
    readonly broker: number | null;
    readonly keys: readonly KeyPosition[];
  },
): number | null {
  // Nothing but the gateway trades at the paper account, and what is intraday begins at 0 each day.
  if (mode === 'paper' || !isCarriedOver({ product, mode })) return 0;
  if (broker === null) return null;
  const today = rows.map(({ day }) => (day ? day.buyQuantity - day.sellQuantity : null));
  if (today.includes(null)) return null;
  const carried = total(keys.map((key) => key.quantity - netOf(key.today)));
  return broker - total(today.map((each) => each ?? 0)) - carried;
}
