import {
  type ModifyAttempt,
  needsPrice,
  type OrderMarks,
  type OrderTerms,
  type OrderType,
  type PlaceAttempt,
} from '../../domain/order.ts';
import type { VarietyFields } from './schemas.ts';
import type { SdkParams } from './sdk.ts';
import type { BrokerOrderId } from '../../units/branded.ts';

/** The broker's names of the gateway's products (docs/spec/kite-orders.md). */
export const PRODUCTS: Readonly<Record<OrderTerms['product'], string>> = {
  CNC: 'CNC',
  INTRADAY: 'MIS',
  MARGIN: 'NRML',
};

/** Whether a text is a broker order id. The SDK puts ids and varieties into paths unchanged. */
export function isOrderId(text: string): boolean {
  return /^(?=.*[1-9])\d{1,32}$/.test(text);
}

export function varietyOf(terms: OrderTerms): string {
  return terms.amo ? 'amo' : 'regular';
}

const VARIETY = /^[a-z][a-z_-]{0,19}$/;

/**
 * The variety under which the broker changes the order of a row; null when neither the row nor what is known
 * of the order tells it. Any word that fits into a path is accepted: an order placed elsewhere is changed
 * under the variety of its row. An after-market order is one also where its row does not say so again.
 */
export function varietyOfRow(
  { variety, exchange_order_id }: Pick<VarietyFields, 'variety' | 'exchange_order_id'>,
  known: string | null,
): string | null {
  const overnight = known === 'amo' ? known : null;
  const named = variety && VARIETY.test(variety) ? variety : overnight;
  // Once an AMO reaches the exchange it is a regular order, although its row still says `amo`. A
  // change sent under `amo` then times out (docs/spec/kite-orders.md).
  return named === 'amo' && exchange_order_id ? 'regular' : named;
}

/** What the settings say of orders that do not say it themselves. */
export interface MarksOfSettings {
  readonly algoId: string | null;
  readonly marketProtection: number;
}

export function placeParams(
  { terms, instrument, tag }: PlaceAttempt,
  settings: MarksOfSettings,
): SdkParams {
  const algoId = terms.algoId ?? settings.algoId;
  return {
    exchange: instrument.exchange,
    tradingsymbol: instrument.tradingSymbol,
    transaction_type: terms.side,
    quantity: terms.quantity,
    product: PRODUCTS[terms.product],
    order_type: terms.orderType,
    validity: terms.validity,
    ...(terms.price === null ? {} : { price: terms.price }),
    ...(terms.triggerPrice === null ? {} : { trigger_price: terms.triggerPrice }),
    ...protection(terms.orderType, terms, settings),
    ...(algoId === null ? {} : { algo_id: algoId }),
    tag,
  };
}

/** The marks that an order is sent with: its own, and what the settings say of others. */
export function marksOf(terms: OrderTerms, settings: MarksOfSettings): OrderMarks {
  const algoId = terms.algoId ?? settings.algoId;
  const { market_protection: marketProtection } = protection(terms.orderType, terms, settings);
  return {
    ...(algoId === null ? {} : { algoId }),
    ...(typeof marketProtection === 'number' ? { marketProtection } : {}),
  };
}

/** Only the fields that change; the broker keeps the rest. */
export function modifyParams(
  { terms, changes }: ModifyAttempt,
  settings: MarksOfSettings,
): SdkParams {
  const { quantity, price, triggerPrice, orderType, validity } = changes;
  return {
    ...(quantity === null ? {} : { quantity }),
    ...(price === null ? {} : { price }),
    ...(triggerPrice === null ? {} : { trigger_price: triggerPrice }),
    ...(orderType === null ? {} : { order_type: orderType }),
    ...(validity === null ? {} : { validity }),
    ...protection(orderType ?? terms.orderType, terms, settings),
  };
}

/** A change or exit of a cover order's second leg also names the first leg. */
export function parentParams(parentOrderId: BrokerOrderId | null): SdkParams {
  return parentOrderId === null ? {} : { parent_order_id: parentOrderId };
}

/**
 * Without this field the broker takes 0 and refuses the order; with -1 it chooses the protection.
 */
function protection(orderType: OrderType, terms: OrderMarks, settings: MarksOfSettings): SdkParams {
  if (needsPrice(orderType)) return {};
  return { market_protection: terms.marketProtection ?? settings.marketProtection };
}

/** What the broker needs in the path of a request that changes an order. */
export interface VarietyOfOrder {
  readonly variety: string;
  /** The first leg, where the order is the second leg of a cover order; else null. */
  readonly parentOrderId: BrokerOrderId | null;
}

/** The varieties of the orders that were placed or read in a book. */
export interface OrderVarieties {
  of(brokerOrderId: BrokerOrderId): VarietyOfOrder | null;
  learn(brokerOrderId: BrokerOrderId, variety: VarietyOfOrder): void;
  /** The same of an order that was acknowledged under this id; its row in a book knows better. */
  placed(brokerOrderId: BrokerOrderId, variety: VarietyOfOrder): void;
  /** Whether it was acknowledged since a book was read. */
  isPlaced(brokerOrderId: BrokerOrderId): boolean;
  /** A book was read. */
  read(): void;
}

/** Twice the broker's daily limit for an account, with a margin for orders placed in its app. */
const MOST = 12_000;

/**
 * A request to change an order needs the order's variety, which the attempt does not have. It comes
 * from the book of the day and from what was placed since. The oldest entries are dropped; reading
 * a book brings back those of the day.
 */
export function createOrderVarieties(): OrderVarieties {
  const varieties = new Map<BrokerOrderId, VarietyOfOrder>();
  const placed = new Set<BrokerOrderId>();
  function learn(brokerOrderId: BrokerOrderId, variety: VarietyOfOrder): void {
    varieties.set(brokerOrderId, variety);
    if (varieties.size <= MOST) return;
    const oldest = varieties.keys().next();
    if (!oldest.done) varieties.delete(oldest.value);
  }
  return {
    of: (brokerOrderId) => varieties.get(brokerOrderId) ?? null,
    learn,
    placed(brokerOrderId, variety) {
      placed.add(brokerOrderId);
      learn(brokerOrderId, variety);
    },
    isPlaced: (brokerOrderId) => placed.has(brokerOrderId),
    read: () => placed.clear(),
  };
}
