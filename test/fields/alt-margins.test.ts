import type { Rig } from '../support/rig.ts';
import type { Published } from './answered-fields.ts';
import { describeFields } from './describe-fields.ts';
import type { Json } from './field-paths.ts';

/** The shape of Kite Connect's reply about the margin of an order, with values of our own. */
const MARGIN_OF_ORDER: Json = [
  {
    type: 'equity',
    tradingsymbol: 'INFY',
    exchange: 'NSE',
    span: 101,
    exposure: 102,
    option_premium: 103,
    additional: 104,
    bo: 105,
    cash: 106,
    var: 107,
    pnl: { realised: 108, unrealised: 109 },
    leverage: 2,
    charges: {
      transaction_tax: 11,
      transaction_tax_type: 'stt',
      exchange_turnover_charge: 12,
      sebi_turnover_charge: 13,
      brokerage: 14,
      stamp_duty: 15,
      gst: { igst: 16, cgst: 17, sgst: 18, total: 51 },
      total: 116,
    },
    total: 1_500,
  },
];

const ORDER = {
  ...{ instrument: 'NSE:INFY', side: 'BUY', quantity: 1, orderType: 'LIMIT', price: 1_500 },
  product: 'CNC',
} as const;

async function marginOf(rig: Rig): Promise<unknown> {
  const reply = await rig.post('/api/v1/margins', { orders: [ORDER] });
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.body.data;
}

const published: readonly Published[] = [
  {
    name: 'orderMargins',
    path: /^\/margins\/orders$/,
    reply: MARGIN_OF_ORDER,
    ask: marginOf,
  },
];

describeFields({
  what: 'the alternative broker’s margins of orders',
  page: 'docs/alt-broker.md',
  published,
});
