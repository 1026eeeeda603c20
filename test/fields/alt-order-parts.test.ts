import { BUY, loggedInRig, place, RESTING } from '../path/walk.ts';
import type { Rig, RigOptions } from '../support/rig.ts';
import { answerOf, type Published } from './answered-fields.ts';
import { describeFields } from './describe-fields.ts';
import type { Json } from './field-paths.ts';

// Replies about one order, which the broker gives beside its book and its list of trades.

const ID = '261106000000001';

const row = (changes: { readonly [key: string]: Json }): Json => ({
  ...{ placed_by: 'AB1234', order_id: ID, exchange_order_id: '1100000000000001' },
  ...{ parent_order_id: null, status: 'CANCELLED' },
  ...{ status_message: 'the order was cancelled', status_message_raw: 'RMS: it was cancelled' },
  order_timestamp: '2026-11-06 10:18:57',
  exchange_update_timestamp: '2026-11-06 10:18:58',
  exchange_timestamp: '2026-11-06 10:15:38',
  ...{ variety: 'regular', modified: false, exchange: 'NSE', tradingsymbol: 'INFY' },
  ...{ instrument_token: 408065, order_type: 'SL', transaction_type: 'BUY', validity: 'DAY' },
  ...{ validity_ttl: 0, product: 'CNC', quantity: 10, disclosed_quantity: 1, price: 1502 },
  ...{ trigger_price: 1501, average_price: 1500.5, filled_quantity: 4, pending_quantity: 6 },
  ...{ cancelled_quantity: 5, market_protection: 3, meta: {}, tag: 'Elsewhere1', guid: 'guid-1' },
  ...{ account_id: 'AB1234', auction_number: null },
  ...changes,
});

/** The shape of Kite Connect's history of an order, with values of our own. */
const HISTORY: Json = [row({}), row({ tags: ['one'] })];

const FILLS: Json = [
  {
    trade_id: '70001',
    order_id: ID,
    exchange_order_id: '1100000000000001',
    exchange: 'NSE',
    tradingsymbol: 'INFY',
    instrument_token: 408065,
    product: 'CNC',
    transaction_type: 'BUY',
    quantity: 4,
    average_price: 1500.5,
    fill_timestamp: '2026-11-06 10:16:00',
    order_timestamp: '10:16:00',
    exchange_timestamp: '2026-11-06 10:16:00',
  },
];

const charges = (from: number): Json => ({
  transaction_tax: from,
  transaction_tax_type: 'stt',
  exchange_turnover_charge: from + 1,
  sebi_turnover_charge: from + 2,
  brokerage: from + 3,
  stamp_duty: from + 4,
  gst: { igst: from + 5, cgst: from + 6, sgst: from + 7, total: 3 * from + 18 },
  total: 9 * from,
});
const margin = (from: number): Json => ({
  ...{ type: 'equity', tradingsymbol: 'INFY', exchange: 'NSE' },
  ...{ span: from + 1, exposure: from + 2, option_premium: from + 3, additional: from + 4 },
  ...{ bo: from + 5, cash: from + 6, var: from + 7, leverage: 1 },
  pnl: { realised: from + 8, unrealised: from + 9 },
  charges: charges(from / 100),
  total: from * 10,
});

/** The shape of Kite Connect's margin of several orders together, with values of our own. */
const BASKET: Json = {
  initial: margin(100),
  final: margin(200),
  orders: [margin(300), margin(400)],
  charges: charges(50),
};

const another: Published['another'] = (path) => {
  if (path.endsWith('transaction_type')) return 'SELL';
  return path.endsWith('status') ? 'REJECTED' : null;
};

let own = '';
const orders = [RESTING, { ...RESTING, side: 'SELL' }];
const published: readonly Published[] = [
  {
    name: 'orderHistory',
    path: /^\/orders\/\d+$/,
    reply: HISTORY,
    ask: async (rig) => {
      await rig.time.advance(1_000);
      const { states } = (await answerOf(rig, `/api/v1/orders/${own}/history`)) as {
        readonly states: unknown;
      };
      return states;
    },
    another,
  },
  {
    name: 'orderTrades',
    path: /^\/orders\/\d+\/trades$/,
    reply: FILLS,
    ask: async (rig) => {
      await rig.time.advance(1_000);
      return answerOf(rig, `/api/v1/orders/${own}/fills`);
    },
    another,
  },
  {
    name: 'basketMargins',
    path: /^\/margins\/basket$/,
    reply: BASKET,
    ask: async (rig) => {
      await rig.time.advance(1_000);
      const reply = await rig.post('/api/v1/margins', { orders });
      if (reply.status !== 200) throw new Error(reply.text);
      return reply.body.data;
    },
    another,
  },
];

async function withOneOrder(options: RigOptions): Promise<Rig> {
  const rig = await loggedInRig(options);
  own = String((await place(rig, BUY, 'the-order')).body.data.id);
  await rig.time.advance(3_000);
  return rig;
}

describeFields({
  what: 'the alternative broker’s replies about one order',
  page: 'docs/alt-broker.md',
  published,
  start: withOneOrder,
});
