import type { Instrument } from '../exchange/instrument.ts';
import type { Call, Route } from '../kernel/routes.ts';
import { formOf, recordOf } from '../kernel/routes.ts';
import type { Reply } from '../kernel/wire.ts';
import type { GttOrder, GttWish } from './gtt-inspector.ts';
import type { GttTriggers } from './gtt-triggers.ts';
import { checkedPrice } from './order-prices.ts';
import type { KiteParts } from './place.ts';
import { checkQuantity } from './place.ts';
import { badInput, kiteSuccess } from './refusal.ts';

function jsonField(form: URLSearchParams, name: string): unknown {
  try {
    return JSON.parse(form.get(name) ?? '') as unknown;
  } catch {
    throw badInput(`Invalid \`${name}\`.`);
  }
}

function priced(parts: KiteParts, instrument: Instrument, value: unknown, name: string): number {
  if (typeof value !== 'number' || !(value > 0)) throw badInput(`Invalid \`${name}\`.`);
  checkedPrice(parts.exchange, instrument, value * 100);
  return value;
}

function orderOf(parts: KiteParts, instrument: Instrument, value: unknown): GttOrder {
  const row = recordOf(value);
  const side = row['transaction_type'];
  if (side !== 'BUY' && side !== 'SELL') throw badInput('Invalid `transaction_type`.');
  const product = row['product'];
  if (typeof product !== 'string' || !['CNC', 'NRML', 'MIS', 'MTF'].includes(product)) {
    throw badInput('Invalid `product`.');
  }
  if (row['order_type'] !== 'LIMIT') throw badInput('Only LIMIT orders are allowed for GTT.');
  const quantity = Number(row['quantity']);
  if (!Number.isInteger(quantity) || quantity < 1) throw badInput('Invalid `quantity`.');
  checkQuantity(instrument, quantity);
  const price = priced(parts, instrument, row['price'], 'price');
  return { transaction_type: side, product, order_type: 'LIMIT', quantity, price };
}

function wishOf(parts: KiteParts, form: URLSearchParams): GttWish {
  const type = form.get('type');
  if (type !== 'single' && type !== 'two-leg') throw badInput('Invalid `type`.');
  const legs = type === 'single' ? 1 : 2;
  const condition = recordOf(jsonField(form, 'condition'));
  const key = `${String(condition['exchange'])}:${String(condition['tradingsymbol'])}`;
  const instrument = parts.exchange.listing.byKey(key);
  if (!instrument || instrument.kind === 'index') throw badInput('Invalid `tradingsymbol`.');
  const [values, orders] = [condition['trigger_values'], jsonField(form, 'orders')];
  if (!Array.isArray(values) || values.length !== legs) throw badInput('Invalid `trigger_values`.');
  if (!Array.isArray(orders) || orders.length !== legs) throw badInput('Invalid `orders`.');
  const triggers = values.map((value) => priced(parts, instrument, value, 'trigger_values'));
  const [low = 0, high = 0] = triggers;
  const lastPrice = Number(condition['last_price']);
  if (!(lastPrice > 0)) throw badInput('Invalid `last_price`.');
  if (legs === 2 && !(low < lastPrice && lastPrice < high)) {
    throw badInput('Trigger prices should be below and above the last price.');
  }
  return {
    instrument,
    type,
    triggers,
    lastPrice,
    orders: orders.map((order) => orderOf(parts, instrument, order)),
  };
}

/** Good-till-triggered orders. */
export function gttRoutes(parts: KiteParts, triggers: GttTriggers): Route[] {
  const idOf = (call: Call): string => call.parameters['trigger_id'] ?? '';
  const route = (method: string, pattern: string, run: (call: Call) => Reply): Route => ({
    method,
    pattern,
    category: 'other',
    run,
  });
  const one = '/gtt/triggers/:trigger_id';
  return [
    route('GET', '/gtt/triggers', (call) => kiteSuccess(triggers.rows(call.view))),
    route('GET', one, (call) => kiteSuccess(triggers.row(idOf(call)))),
    route('POST', '/gtt/triggers', (call) =>
      kiteSuccess({
        trigger_id: triggers.place(wishOf(parts, formOf(call.request)), call.lateMs()),
      }),
    ),
    route('PUT', one, (call) => {
      triggers.modify(idOf(call), wishOf(parts, formOf(call.request)));
      return kiteSuccess({ trigger_id: Number(idOf(call)) });
    }),
    route('DELETE', one, (call) => {
      triggers.remove(idOf(call));
      return kiteSuccess({ trigger_id: Number(idOf(call)) });
    }),
  ];
}
