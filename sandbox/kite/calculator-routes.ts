import { orderMargin } from '../exchange/required-margin.ts';
import type { Call, Route } from '../kernel/routes.ts';
import { jsonOf, recordOf } from '../kernel/routes.ts';
import type { Reply } from '../kernel/wire.ts';
import { priceField } from './form-fields.ts';
import { sizeOf } from './place.ts';
import type { KiteParts } from './place.ts';
import { badInput, kiteSuccess, rupees } from './refusal.ts';

/** The calculators take JSON; the checks of orders take a form. */
function formOfRow(row: unknown): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(recordOf(row))) form.set(name, String(value));
  return form;
}

/** Charges in rupees, rounded to paise. */
function chargesOf(worth: number, isIntraday: boolean, isBuy: boolean): Record<string, unknown> {
  const paise = (value: number): number => Math.round(value * 100) / 100;
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

function marginRow(parts: KiteParts, row: unknown): Record<string, unknown> {
  const { exchange, account } = parts;
  const form = formOfRow(row);
  const { instrument, side, quantity, product } = sizeOf(exchange, form);
  const limit = priceField(form, 'price') ?? exchange.prices.last(instrument, exchange.clock.now());
  const required = orderMargin({ instrument, side, quantity, product, limit }, account.positions());
  const worth = (quantity * limit) / 100;
  return {
    type: 'equity',
    tradingsymbol: instrument.symbol,
    exchange: instrument.exchange,
    span: 0,
    exposure: 0,
    option_premium: instrument.option && side === 'BUY' ? rupees(required) : 0,
    additional: 0,
    bo: 0,
    cash: 0,
    var: rupees(required),
    pnl: { realised: 0, unrealised: 0 },
    leverage: product === 'intraday' ? 5 : 1,
    charges: chargesOf(worth, product === 'intraday', side === 'BUY'),
    total: rupees(required),
  };
}

function chargeRow(parts: KiteParts, row: unknown): Record<string, unknown> {
  const form = formOfRow(row);
  const { instrument, side, quantity, product, word } = sizeOf(parts.exchange, form);
  const price =
    priceField(form, 'average_price') ??
    parts.exchange.prices.last(instrument, parts.exchange.clock.now());
  return {
    transaction_type: side,
    tradingsymbol: instrument.symbol,
    exchange: instrument.exchange,
    variety: form.get('variety') ?? 'regular',
    product: word,
    order_type: form.get('order_type') ?? 'MARKET',
    quantity,
    price: rupees(price),
    charges: chargesOf((quantity * price) / 100, product === 'intraday', side === 'BUY'),
  };
}

function rowsOf(call: Call): unknown[] {
  const rows = jsonOf(call.request);
  if (!Array.isArray(rows)) throw badInput('Expected a list of orders.');
  return rows;
}

const noMargin = {
  type: '',
  tradingsymbol: '',
  exchange: '',
  span: 0,
  exposure: 0,
  option_premium: 0,
  additional: 0,
  bo: 0,
  cash: 0,
  var: 0,
  pnl: { realised: 0, unrealised: 0 },
  leverage: 0,
};

function sumOfCharges(orders: readonly Record<string, unknown>[]): Record<string, unknown> {
  const each = orders.map((order) => recordOf(order['charges']));
  const sum = (name: string): number =>
    Math.round(each.reduce((all, one) => all + Number(one[name] ?? 0), 0) * 100) / 100;
  const gst = each.reduce((all, one) => all + Number(recordOf(one['gst'])['total'] ?? 0), 0);
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

/** What an order would need and cost. */
export function calculatorRoutes(parts: KiteParts): Route[] {
  const post = (pattern: string, run: (call: Call) => Reply): Route => ({
    method: 'POST',
    pattern,
    category: 'other',
    run,
  });
  return [
    post('/margins/orders', (call) =>
      kiteSuccess(rowsOf(call).map((row) => marginRow(parts, row))),
    ),
    post('/margins/basket', (call) => {
      const orders = rowsOf(call).map((row) => marginRow(parts, row));
      const total = orders.reduce((sum, order) => sum + Number(order['total']), 0);
      const whole = { ...noMargin, total };
      return kiteSuccess({ initial: whole, final: whole, orders, charges: sumOfCharges(orders) });
    }),
    post('/charges/orders', (call) =>
      kiteSuccess(rowsOf(call).map((row) => chargeRow(parts, row))),
    ),
  ];
}
