import type { Row, SqlValue } from '../../platform/database.ts';
import { decimal, textOf } from '../../domain/money.ts';
import { ORDER_TYPES, PRODUCTS, SIDES, VALIDITIES } from '../../domain/order.ts';
import {
  PAPER_STATUSES,
  type PaperAccount,
  type PaperFill,
  type PaperHolding,
  type PaperOrder,
  type PaperPosition,
} from './state.ts';
import { type BrokerOrderId, epochMs } from '../../units/branded.ts';

/** Writes rows of the ledger into columns and reads them back; both directions stand together. */

export function writeAccount(account: PaperAccount): SqlValue[] {
  const { day, series, openingCash, cash, brokerage, realised } = account;
  return [day, series, ...[openingCash, cash, brokerage, realised].map(textOf)];
}

export function readAccount(row: Row): PaperAccount {
  return {
    day: String(row['day']),
    series: Number(row['series']),
    openingCash: decimal(String(row['opening_cash'])),
    cash: decimal(String(row['cash'])),
    brokerage: decimal(String(row['brokerage'])),
    realised: decimal(String(row['realised'])),
  };
}

const priceText = (price: number | null): string | null => (price === null ? null : String(price));
const readPrice = (value: unknown): number | null => (value === null ? null : Number(value));

/** A word of a row, which has to be one of `words`. Throws where it is another. */
function readWord<Word extends string>(row: Row, column: string, words: readonly Word[]): Word {
  const word = words.find((each) => each === row[column]);
  if (word === undefined) {
    throw new Error(
      `${column} of a row of the paper ledger is none of ${words.join(', ')}: ` +
        'restore the ledger from a copy',
    );
  }
  return word;
}

/** The columns that never change once an order is placed. */
export function writeFixedOrder(order: PaperOrder): SqlValue[] {
  return [
    order.number,
    order.id,
    order.attemptId,
    order.tag === '' ? null : order.tag,
    order.instrument,
    order.side,
    order.product,
    order.amo ? 1 : 0,
    order.activeFrom,
    order.expiresAt,
    order.createdAt,
  ];
}

export function writeMovingOrder(order: PaperOrder): SqlValue[] {
  return [
    order.day,
    order.quantity,
    order.orderType,
    order.validity,
    priceText(order.price),
    priceText(order.triggerPrice),
    order.status,
    order.reason,
    order.triggered ? 1 : 0,
    order.filledQuantity,
    textOf(order.filledValue),
    String(order.reservePrice),
    textOf(order.reserved),
    order.closing,
    order.updatedAt,
  ];
}

export function readOrder(row: Row): PaperOrder {
  return {
    number: Number(row['number']),
    id: String(row['id']),
    attemptId: String(row['attempt_id']),
    tag: row['tag'] === null ? '' : String(row['tag']),
    day: String(row['day']),
    instrument: String(row['instrument']),
    side: readWord(row, 'side', SIDES),
    quantity: Number(row['quantity']),
    orderType: readWord(row, 'order_type', ORDER_TYPES),
    product: readWord(row, 'product', PRODUCTS),
    validity: readWord(row, 'validity', VALIDITIES),
    price: readPrice(row['price']),
    triggerPrice: readPrice(row['trigger_price']),
    amo: row['amo'] === 1,
    status: readWord(row, 'status', PAPER_STATUSES),
    reason: row['reason'] === null ? null : String(row['reason']),
    triggered: row['triggered'] === 1,
    filledQuantity: Number(row['filled_quantity']),
    filledValue: decimal(String(row['filled_value'])),
    reservePrice: Number(row['reserve_price']),
    reserved: decimal(String(row['reserved'])),
    closing: Number(row['closing']),
    activeFrom: epochMs(Number(row['active_from'])),
    expiresAt: epochMs(Number(row['expires_at'])),
    createdAt: epochMs(Number(row['created_at'])),
    updatedAt: epochMs(Number(row['updated_at'])),
  };
}

export function writeFill(fill: PaperFill): SqlValue[] {
  const { number, id, orderNumber, price, quantity, at } = fill;
  return [number, id, orderNumber, String(price), quantity, at];
}

export function readFill(row: Row, orderId: BrokerOrderId): PaperFill {
  return {
    number: Number(row['number']),
    id: String(row['id']),
    orderNumber: Number(row['order_number']),
    orderId,
    price: Number(row['price']),
    quantity: Number(row['quantity']),
    at: epochMs(Number(row['at'])),
  };
}

export function writePosition(position: PaperPosition): SqlValue[] {
  return [
    position.instrument,
    position.product,
    position.quantity,
    textOf(position.cost),
    textOf(position.realised),
    position.buyQuantity,
    position.sellQuantity,
  ];
}

export function readPosition(row: Row): PaperPosition {
  return {
    instrument: String(row['instrument']),
    product: readWord(row, 'product', PRODUCTS),
    quantity: Number(row['quantity']),
    cost: decimal(String(row['cost'])),
    realised: decimal(String(row['realised'])),
    buyQuantity: Number(row['buy_quantity']),
    sellQuantity: Number(row['sell_quantity']),
  };
}

export function writeHolding(holding: PaperHolding): SqlValue[] {
  return [holding.instrument, holding.quantity, textOf(holding.cost)];
}

export function readHolding(row: Row): PaperHolding {
  return {
    instrument: String(row['instrument']),
    quantity: Number(row['quantity']),
    cost: decimal(String(row['cost'])),
  };
}
