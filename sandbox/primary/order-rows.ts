import { istIso, istIsoSeconds } from '../kernel/ist.ts';
import { asOdd, type RowFields } from '../kernel/book-view.ts';
import type { ManagedFill, ManagedOrder } from '../exchange/managed-order.ts';
import { rupeeText, rupees } from './refusal.ts';

export const primaryRowFields: RowFields = {
  id: 'id',
  quantity: 'requested_qty',
  filled: 'traded_qty',
  status: 'status',
  symbol: 'security_id',
  side: 'txn_type',
  tags: ['remarks'],
  complete: 'SUCCESS',
  partial: 'PARTIALLY FILLED',
  open: 'PENDING',
};

/** Whether its row has the type of a smart order, whatever its id looks like. */
export const isSmart = (order: ManagedOrder): boolean => /^(OCO|GTT)/.test(order.orderType);

/** One of the fifteen statuses; a smart order begins with a status of its own. */
export function primaryStatus(order: ManagedOrder): string {
  const partly = order.filled > order.filledLate;
  switch (order.phase) {
    case 'received':
      if (isSmart(order)) return 'CREATED';
      // Ordinary orders are acknowledged with either.
      return order.sequence % 4 === 0 ? 'O-PENDING' : 'INITIATED';
    case 'validating':
      return order.sequence % 2 === 0 ? 'QUEUED' : 'PROCESSING';
    case 'after_market':
      return 'O-PENDING';
    case 'trigger_pending':
      return 'SL-PENDING';
    case 'open':
    case 'cancel_pending':
      return partly ? 'PARTIALLY FILLED' : 'PENDING';
    case 'modify_pending':
      return partly ? 'PARTIALLY FILLED' : 'MODIFIED';
    case 'complete':
      return 'SUCCESS';
    case 'cancelled':
      return partly ? 'PARTIALLY FILLED - CANCELLED' : 'CANCELLED';
    case 'rejected':
      return order.sequence % 2 === 0 ? 'FAILED' : 'ABORTED';
    case 'expired':
      return partly ? 'PARTIALLY FILLED - EXPIRED' : 'EXPIRED';
  }
}

/** The display name, which is never a symbol (for an option: underlying, date, strike, right). */
function displayName(order: ManagedOrder): string {
  const { option, name, symbol } = order.instrument;
  if (!option) return name;
  const [, month = '01', day = '01'] = option.expiry.split('-');
  const words = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ');
  const date = `${Number(day)} ${words[Number(month) - 1] ?? ''}`;
  return symbol ? `${name} ${date} ${option.strike} ${option.right}` : name;
}

/** What a row depends on beside its order. */
export interface PrimaryRowSettings {
  echoRemarks: boolean;
  /** A MARKET order is shown as a LIMIT one. */
  marketAsLimit: boolean;
  /** What stands in the place of the exchange's id where there is none. */
  noExchangeId: string;
}

/** An order row as `GET /order-book` has it. */
export function primaryOrderRow(
  order: ManagedOrder,
  clientId: string,
  { echoRemarks, marketAsLimit, noExchangeId }: PrimaryRowSettings,
): Record<string, unknown> {
  const { extras, instrument } = order;
  const row = {
    created_at: istIso(order.createdAt),
    updated_at: istIso(order.updatedAt),
    user_id: clientId,
    security_id: instrument.primary.securityId,
    isin: instrument.isin,
    name: displayName(order),
    id: order.orderId,
    exch_order_id: order.exchangeOrderId ?? noExchangeId,
    txn_type: order.side,
    exchange: instrument.primary.exchange,
    segment: instrument.primary.segment,
    product: extras['product'],
    order_type: marketAsLimit && order.orderType === 'MARKET' ? 'LIMIT' : order.orderType,
    validity: order.validity,
    mkt_type: 'NL',
    off_mkt_flag: extras['off_mkt_flag'] ?? '',
    // A row that has not taken in a late trade leaves the quantity out.
    ...(order.filledLate > 0 ? {} : { traded_qty: order.filled }),
    requested_qty: order.quantity,
    // Until it triggers, a waiting order has its price only in the target's fields.
    requested_price: order.phase === 'trigger_pending' ? '' : rupeeText(order.limit),
    traded_price: order.filled > 0 ? rupeeText(order.filledValue / order.filled) : '',
    sl_trigger_price: extras['sl_trigger_price'] ?? '',
    sl_limit_price: extras['sl_limit_price'] ?? '',
    tgt_trigger_price: extras['tgt_trigger_price'] ?? '',
    tgt_limit_price: extras['tgt_limit_price'] ?? '',
    status: primaryStatus(order),
    extra_info: order.phase === 'rejected' ? (order.refusal?.message ?? '') : '',
    ...(echoRemarks && order.remarks !== null ? { remarks: order.remarks } : {}),
  };
  return asOdd(row, order.odd, primaryRowFields, 'requested_price');
}

/** A fill as `GET /order/trades` has it. */
export const primaryFillRow = (fill: ManagedFill): Record<string, unknown> => ({
  fill_id: fill.fillId,
  exch_order_id: fill.exchangeOrderId,
  quantity: fill.quantity,
  price: rupees(fill.price),
  trade_date: istIsoSeconds(fill.at),
});

/** A row of `GET /trade-book`: without order id and side. */
export const primaryTradeBookRow = (
  fill: ManagedFill,
  echoRemarks: boolean,
): Record<string, unknown> => ({
  ...primaryFillRow(fill),
  trade_serial_no: `${fill.at}${String(fill.fillId).padStart(7, '0')}`,
  scrip_code: fill.instrument.primary.securityId,
  ...(echoRemarks && fill.remarks !== null ? { remarks: fill.remarks } : {}),
});

/** A row of the older `GET /trades/{order_id}`. */
export const primaryOldTradeRow = (
  fill: ManagedFill,
  product: unknown,
): Record<string, unknown> => ({
  trade_id: String(fill.fillId),
  order_id: fill.orderId,
  exchange_order_id: fill.exchangeOrderId,
  exchange_trade_id: String(fill.fillId),
  exchange_segment:
    fill.instrument.kind === 'option' ? 'NSE_FNO' : `${fill.instrument.exchange}_EQ`,
  security_id: fill.instrument.primary.securityId,
  trading_symbol: fill.instrument.primary.tradingSymbol,
  transaction_type: fill.side,
  product_type: product,
  quantity: fill.quantity,
  price: rupees(fill.price),
  trade_timestamp: istIsoSeconds(fill.at),
});
