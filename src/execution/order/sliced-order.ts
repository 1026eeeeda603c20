import { weightedAverage, type PricedQuantity } from '../../domain/money.ts';
import type { OrderStatus } from '../../domain/order.ts';
import {
  FILL_UNKNOWN,
  fillOf,
  reasonOf,
  statusOf,
  type FillProgress,
  type OrderIn,
  type OrderRecord,
} from './order.ts';
import type { OrderId } from '../../units/branded.ts';

/** The key of a slice. Callers know their keys, and this one names an id that is ours. */
export const sliceKey = (parentId: OrderId, number: number): string => `${parentId}#${number}`;

const numberOf = (slice: OrderRecord): number => Number(slice.idempotencyKey.split('#').at(-1));

/** A sliced order as its slices now stand. */
export function summarise(
  parent: OrderIn<'sliced'>,
  members: readonly OrderRecord[],
): OrderIn<'sliced'> {
  const slices = [...members].sort((left, right) => numberOf(left) - numberOf(right));
  const filled = sum(slices.map((slice) => fillOf(slice).filledQuantity));
  const quantity = slices.reduce((total, { terms }) => total + terms.quantity, 0);
  const status = summaryStatus(slices, filled, quantity);
  const last = slices.findLast((slice) => reasonOf(slice) !== null);
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
    state: {
      kind: 'sliced',
      status,
      // A slice that has ended is told of also while others work.
      reason: status === 'filled' || !last ? null : reasonOf(last),
      fill: filled === null ? FILL_UNKNOWN : { filledQuantity: filled, ...priceOf(slices) },
    },
  };
}

/** Null as soon as one is not known: what is unknown is not nothing. */
function sum(quantities: readonly (number | null)[]): number | null {
  return quantities.reduce<number | null>(
    (total, each) => (total === null || each === null ? null : total + each),
    0,
  );
}

function summaryStatus(
  slices: readonly OrderRecord[],
  filled: number | null,
  quantity: number,
): OrderStatus {
  const found = new Set(slices.map(statusOf));
  const all = (status: OrderStatus): boolean => found.size === 1 && found.has(status);
  // What is open comes first: nothing final is said while one slice may still do something.
  if (found.has('uncertain')) return 'uncertain';
  if (found.has('sending')) return 'sending';
  if (all('accepted')) return 'accepted';
  if (found.has('working') || found.has('accepted')) return 'working';
  if (found.has('disputed')) return 'disputed';
  if (filled !== null && filled >= quantity) return 'filled';
  if (found.has('filled') || found.has('partial')) return 'partial';
  if (all('not_sent')) return 'not_sent';
  return found.has('cancelled') ? 'cancelled' : 'rejected';
}

/** The average over the slices that filled; unknown while one of them does not say. */
function priceOf(slices: readonly OrderRecord[]): Omit<FillProgress, 'filledQuantity'> {
  const fills: PricedQuantity[] = [];
  const sources = new Set<FillProgress['fillPriceSource']>();
  for (const { filledQuantity, averagePrice, fillPriceSource } of slices.map(fillOf)) {
    if (filledQuantity === null || filledQuantity === 0) continue;
    if (averagePrice === null) return { averagePrice: null, fillPriceSource: null };
    fills.push({ quantity: filledQuantity, price: averagePrice });
    sources.add(fillPriceSource);
  }
  const [source = null] = sources;
  return {
    averagePrice: weightedAverage(fills),
    fillPriceSource: sources.size > 1 ? 'average' : source,
  };
}
