import { instrumentName, type Instrument, type InstrumentName } from '../../domain/instrument.ts';
import type { Product, Side } from '../../domain/order.ts';
import { toProduct, wallTime } from './mapping.ts';
import { isOrderId, PRODUCTS } from './request.ts';
import type { SdkGttParams } from './sdk.ts';
import type { TriggerLegRow, TriggerRow } from './schemas-gtt.ts';

/**
 * A LIMIT order that the broker places when the price is reached. Prices in rupees, quantity in
 * shares.
 */
export interface GttLeg {
  readonly trigger: number;
  readonly side: Side;
  readonly quantity: number;
  readonly product: Product;
  readonly price: number;
}

/** One leg, or two legs: the first to be reached cancels the other. */
export interface GttTerms {
  readonly instrument: Instrument;
  /** The present price: it tells the broker from which side a trigger is reached. */
  readonly lastPrice: number;
  readonly legs: readonly [GttLeg] | readonly [GttLeg, GttLeg];
}

export interface GttRowLeg {
  readonly trigger: number | null;
  readonly side: Side;
  readonly quantity: number;
  readonly product: string;
  readonly orderType: string;
  readonly price: number;
  /** The order that the leg placed. Null until then, and where the order was refused. */
  readonly brokerOrderId: string | null;
  readonly reason: string | null;
}

/** A trigger in the broker's list, with the broker's words. Times are epoch ms. */
export interface Gtt {
  readonly id: string;
  readonly instrument: InstrumentName;
  /**
   * active, triggered, disabled, expired, cancelled, rejected or deleted; other values may occur.
   */
  readonly status: string;
  readonly legs: readonly GttRowLeg[];
  readonly createdAt: number | null;
  readonly updatedAt: number | null;
  readonly expiresAt: number | null;
}

export function gttParams({ instrument, lastPrice, legs }: GttTerms): SdkGttParams {
  return {
    trigger_type: legs.length === 1 ? 'single' : 'two-leg',
    exchange: instrument.exchange,
    tradingsymbol: instrument.tradingSymbol,
    trigger_values: legs.map((leg) => leg.trigger),
    last_price: lastPrice,
    orders: legs.map((leg) => ({
      transaction_type: leg.side,
      // The SDK does not pass on market protection, so no other type would be accepted.
      order_type: 'LIMIT',
      product: PRODUCTS[leg.product],
      quantity: leg.quantity,
      price: leg.price,
    })),
  };
}

export function toGtt(row: TriggerRow): Gtt {
  const { condition } = row;
  return {
    id: row.id,
    instrument: instrumentName(condition.exchange, condition.tradingsymbol),
    status: row.status,
    legs: row.orders.map((leg, place) => toLeg(leg, condition.trigger_values[place] ?? null)),
    createdAt: wallTime(row.created_at),
    updatedAt: wallTime(row.updated_at),
    expiresAt: wallTime(row.expires_at),
  };
}

function toLeg(row: TriggerLegRow, trigger: number | null): GttRowLeg {
  const result = row.result?.order_result;
  const orderId = result?.order_id ?? '';
  return {
    trigger,
    side: row.transaction_type,
    quantity: row.quantity,
    product: toProduct(row.product),
    orderType: row.order_type,
    price: row.price,
    brokerOrderId: isOrderId(orderId) ? orderId : null,
    reason: result?.rejection_reason || null,
  };
}

/** Whether a row has the same terms, whatever its state. */
export function isLike(gtt: Gtt, { instrument, legs }: GttTerms): boolean {
  const sameLeg = (leg: GttLeg, row: GttRowLeg | undefined): boolean =>
    row !== undefined &&
    leg.trigger === row.trigger &&
    leg.side === row.side &&
    leg.quantity === row.quantity &&
    leg.product === row.product &&
    leg.price === row.price;
  return (
    gtt.instrument === instrumentName(instrument.exchange, instrument.tradingSymbol) &&
    gtt.legs.length === legs.length &&
    legs.every((leg, place) => sameLeg(leg, gtt.legs[place]))
  );
}
