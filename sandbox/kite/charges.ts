import { recordOf } from '../kernel/routes.ts';
import { oneOf, priceField } from './form-fields.ts';
import { type KiteParts, sizeOf } from './place.ts';
import { badInput, rupees } from './refusal.ts';

/** The calculators take JSON; the checks of orders take a form. */
export function formOfRow(row: unknown): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(recordOf(row))) form.set(name, String(value));
  return form;
}

const paise = (value: number): number => Math.round(value * 100) / 100;

/** Charges in rupees, rounded to paise. */
export function chargesOf(
  worth: number,
  isIntraday: boolean,
  isBuy: boolean,
): Record<string, unknown> {
  const brokerage = isIntraday ? Math.min(20, worth * 0.0003) : 0;
  const stt = isIntraday ? (isBuy ? 0 : worth * 0.00025) : worth * 0.001;
  const exchangeTurnover = worth * 0.0000297;
  const sebi = worth * 0.000001;
  const stamp = isBuy ? worth * (isIntraday ? 0.00003 : 0.00015) : 0;
  const gst = 0.18 * (brokerage + exchangeTurnover + sebi);
  return {
    transaction_tax: paise(stt),
    transaction_tax_type: 'stt',
    exchange_turnover_charge: paise(exchangeTurnover),
    sebi_turnover_charge: paise(sebi),
    brokerage: paise(brokerage),
    stamp_duty: paise(stamp),
    gst: { igst: paise(gst), cgst: 0, sgst: 0, total: paise(gst) },
    total: paise(brokerage + stt + exchangeTurnover + sebi + stamp + gst),
  };
}

export function sumOfCharges(orders: readonly Record<string, unknown>[]): Record<string, unknown> {
  const each = orders.map((order) => recordOf(order['charges']));
  const sum = (name: string): number =>
    paise(each.reduce((all, one) => all + Number(one[name] ?? 0), 0));
  const gst = paise(each.reduce((all, one) => all + Number(recordOf(one['gst'])['total'] ?? 0), 0));
  return {
    transaction_tax: sum('transaction_tax'),
    transaction_tax_type: 'stt',
    exchange_turnover_charge: sum('exchange_turnover_charge'),
    sebi_turnover_charge: sum('sebi_turnover_charge'),
    brokerage: sum('brokerage'),
    stamp_duty: sum('stamp_duty'),
    gst: { igst: gst, cgst: 0, sgst: 0, total: gst },
    total: sum('total'),
  };
}

/** A filled order of the request. Kite refuses one without an id, or without an average price. */
function filledOrder({ exchange }: KiteParts, row: unknown) {
  const form = formOfRow(row);
  const { instrument, side, quantity, product, word } = sizeOf(exchange, form);
  const price = priceField(form, 'average_price');
  if (price === null) throw badInput('Invalid `average_price`.');
  for (const name of ['order_id', 'variety']) {
    if (!form.get(name)) throw badInput(`Missing or empty field \`${name}\`.`);
  }
  const orderType = oneOf(form, 'order_type', ['MARKET', 'LIMIT', 'SL', 'SL-M']);
  return { form, instrument, side, quantity, product, word, price, orderType };
}

/**
 * The charges of filled orders, one row for each and in their order, without their ids. Delivery that was both
 * bought and sold in the orders of the request is taxed as intraday, the earliest orders first.
 */
export function contractNote(parts: KiteParts, rows: readonly unknown[]): unknown[] {
  const orders = rows.map((row) => filledOrder(parts, row));
  const closed = new Map<string, Record<'BUY' | 'SELL', number>>();
  for (const { instrument, product } of orders) {
    const total = (of: 'BUY' | 'SELL'): number =>
      orders
        .filter((one) => one.instrument === instrument && one.product === product)
        .reduce((sum, { side, quantity }) => sum + (side === of ? quantity : 0), 0);
    const both = Math.min(total('BUY'), total('SELL'));
    closed.set(`${instrument.symbol} ${product}`, { BUY: both, SELL: both });
  }
  return orders.map(({ form, instrument, side, quantity, product, word, price, orderType }) => {
    const left = closed.get(`${instrument.symbol} ${product}`) ?? { BUY: 0, SELL: 0 };
    const intraday = product === 'intraday' ? quantity : Math.min(quantity, left[side]);
    left[side] -= Math.min(quantity, left[side]);
    const partOf = (units: number, isIntraday: boolean) => ({
      charges: chargesOf((units * price) / 100, isIntraday, side === 'BUY'),
    });
    return {
      transaction_type: side,
      tradingsymbol: instrument.symbol,
      exchange: instrument.exchange,
      variety: form.get('variety'),
      product: word,
      order_type: orderType,
      quantity,
      price: rupees(price),
      charges: sumOfCharges([partOf(intraday, true), partOf(quantity - intraday, false)]),
    };
  });
}
