import type { Instrument } from '../domain/instrument.ts';
import type { OrderRecord } from './records.ts';

/** More slices than this are no order any more, but a programme: it is refused. */
export const MOST_SLICES = 20;

/** `NIFTY26NOV24450CE`, of a week `NIFTY26N2424450CE`, `NIFTY26NOVFUT`: underlying, year, expiry. */
const CONTRACT =
  /^(.+?)\d{2}(?:JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC|[1-9OND]\d{2})(?:FUT|\d+(?:\.\d+)?(?:CE|PE))$/;

/**
 * The largest quantity of one order: of the instrument itself, as told for it, or as told for what a
 * contract is on (`NIFTY` for `NFO:NIFTY26NOV24450CE`), or by its symbol alone. Null where nobody has told.
 */
export function freezeQuantityOf(
  { name, segment, tradingSymbol, freezeQuantity }: Instrument,
  told: ReadonlyMap<string, number>,
): number | null {
  const own = freezeQuantity ?? told.get(name);
  if (own !== undefined) return own;
  const key = segment === 'DERIVATIVE' ? CONTRACT.exec(tradingSymbol)?.[1] : tradingSymbol;
  return told.get(key ?? '') ?? null;
}

/**
 * The quantities in which an order above the freeze quantity goes to the exchange: whole lots, as few
 * slices as there can be, the last one smaller. One slice when it need not be cut, or when the
 * largest that the exchange takes is not even one lot.
 */
export function sliceQuantities(
  quantity: number,
  freezeQuantity: number | null,
  lotSize: number,
): readonly number[] {
  const most = freezeQuantity === null ? 0 : freezeQuantity - (freezeQuantity % lotSize);
  if (most <= 0 || quantity <= most) return [quantity];
  const whole = Math.floor(quantity / most);
  const rest = quantity - whole * most;
  const slices = Array.from({ length: whole }, () => most);
  return rest > 0 ? [...slices, rest] : slices;
}

/** The key of a slice. Callers know their keys, and this one names an id that is ours. */
export const sliceKey = (parentId: string, number: number): string => `${parentId}#${number}`;

const numberOf = (slice: OrderRecord): number => Number(slice.idempotencyKey.split('#').at(-1));

/** A sliced order, as its slices now stand: it has no request of its own. */
export function inSlices(parent: OrderRecord, members: readonly OrderRecord[]): OrderRecord {
  const slices = [...members].sort((left, right) => numberOf(left) - numberOf(right));
  const filled = sum(slices.map((slice) => slice.filledQuantity));
  const status = statusOf(parent, slices, filled);
  const last = slices.findLast((slice) => slice.reason !== null);
  const quantity = slices.reduce((total, { terms }) => total + terms.quantity, 0);
  // While they are being written down, they do not add up yet.
  const terms =
    status === 'accepted' || quantity === parent.terms.quantity
      ? parent.terms
      : { ...parent.terms, quantity };
  return {
    ...parent,
    terms,
    broker: slices[0]?.broker ?? parent.broker,
    mode: slices[0]?.mode ?? parent.mode,
    status,
    // A slice that is dead is told of also while others work.
    reason: status === 'filled' ? null : (last?.reason ?? null),
    filledQuantity: filled,
    ...(filled === null ? { averagePrice: null, fillPriceSource: null } : priceOf(slices)),
    cancelWanted: false,
  };
}

/** Null as soon as one is not known: what is unknown is not nothing. */
function sum(quantities: readonly (number | null)[]): number | null {
  return quantities.reduce<number | null>(
    (total, each) => (total === null || each === null ? null : total + each),
    0,
  );
}

function statusOf(
  parent: OrderRecord,
  slices: readonly OrderRecord[],
  filled: number | null,
): OrderRecord['status'] {
  const some = (...statuses: readonly OrderRecord['status'][]): boolean =>
    slices.some((slice) => statuses.includes(slice.status));
  const all = (status: OrderRecord['status']): boolean =>
    slices.every((slice) => slice.status === status);
  // What is open comes first: nothing final is said while one slice may still do something.
  if (some('uncertain')) return 'uncertain';
  if (some('sending')) return 'sending';
  if (all('accepted')) return 'accepted';
  if (some('working', 'accepted')) return 'working';
  if (some('disputed')) return 'disputed';
  if (filled !== null && filled >= parent.terms.quantity) return 'filled';
  if (some('filled', 'partial')) return 'partial';
  if (all('not_sent')) return 'not_sent';
  return some('cancelled') ? 'cancelled' : 'rejected';
}

/** The average over the slices that filled; unknown while one of them does not say. */
function priceOf(
  slices: readonly OrderRecord[],
): Pick<OrderRecord, 'averagePrice' | 'fillPriceSource'> {
  const filled = slices.filter((slice) => (slice.filledQuantity ?? 0) > 0);
  if (filled.length === 0 || filled.some((slice) => slice.averagePrice === null)) {
    return { averagePrice: null, fillPriceSource: null };
  }
  const quantity = filled.reduce((total, slice) => total + slice.filledQuantity!, 0);
  const value = filled.reduce(
    (total, slice) => total + slice.filledQuantity! * slice.averagePrice!,
    0,
  );
  const sources = new Set(filled.map((slice) => slice.fillPriceSource));
  const [source = null] = sources;
  return {
    averagePrice: Math.round((value / quantity) * 10_000) / 10_000,
    fillPriceSource: sources.size === 1 ? source : 'average',
  };
}
