import type { RejectionClass } from '../../domain/failure.ts';
import { parentExchange, type Instrument } from '../../domain/instrument.ts';
import { isMultipleOf } from '../../domain/money.ts';

/** A request body with the broker's names, or the reason why the gateway does not send one. */
export type BuiltRequest =
  | {
      readonly kind: 'built';
      readonly path: string;
      readonly body: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: 'unsendable'; readonly rejection: RejectionClass; readonly reason: string };

export function unsendable(reason: string, rejection: RejectionClass = 'other'): BuiltRequest {
  return { kind: 'unsendable', rejection, reason };
}

/**
 * The algo id that the exchange requires for orders sent by API (docs/spec/primary-brokerage.md).
 */
const ALGO_IDS: Readonly<Record<string, string>> = { NSE: '99999', BSE: '9999999999999999' };

/** The exchange and segment as order calls name them; null where this broker takes no orders. */
export interface OrderPlace {
  readonly exchange: string;
  readonly segment: OrderSegment;
  readonly securityId: string;
  readonly algoId: string;
}

export type OrderSegment = 'EQUITY' | 'DERIVATIVE';

export function orderPlace(instrument: Instrument): OrderPlace | null {
  const segment = orderSegment(instrument);
  const exchange = parentExchange(instrument.exchange);
  const algoId = ALGO_IDS[exchange];
  const { securityId } = instrument;
  if (securityId === null || segment === null || algoId === undefined) return null;
  return { exchange, segment, securityId, algoId };
}

export function orderSegment(instrument: Instrument): OrderSegment | null {
  return instrument.segment === 'INDEX' ? null : instrument.segment;
}

export function isQuantity(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}

/** JSON would turn a price that is not finite into null. */
export function isPrice(value: number | null): value is number {
  return value !== null && Number.isFinite(value) && value > 0;
}

/** A tick larger than this share of the price is not believed (docs/spec/primary-brokerage.md). */
const LARGEST_TICK = 0.002;

/**
 * The reason why a price cannot be sent; null when it can. Prices are never rounded: one that is
 * not a multiple of a believed tick is refused, and where no tick is believed, the broker decides.
 */
export function offTick(price: number, { name, tickSize }: Instrument): BuiltRequest | null {
  if (tickSize === null || tickSize <= 0 || tickSize > price * LARGEST_TICK) return null;
  if (isMultipleOf(price, tickSize)) return null;
  return unsendable(`${price} is not a multiple of the tick of ${name}, ${tickSize}`, 'price');
}
