import { orderMargin } from '../exchange/required-margin.ts';
import type { Call, Route } from '../kernel/routes.ts';
import { jsonOf } from '../kernel/routes.ts';
import type { Reply } from '../kernel/wire.ts';
import { chargesOf, contractNote, formOfRow, sumOfCharges } from './charges.ts';
import { priceField } from './form-fields.ts';
import { sizeOf } from './place.ts';
import type { KiteParts } from './place.ts';
import { badInput, kiteSuccess, rupees } from './refusal.ts';

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
    post('/charges/orders', (call) => kiteSuccess(contractNote(parts, rowsOf(call)))),
  ];
}
