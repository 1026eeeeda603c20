import { BUY, loggedInRig, place } from '../path/walk.ts';
import type { Rig, RigOptions } from '../support/rig.ts';
import type { Published } from './answered-fields.ts';
import { describeFields } from './describe-fields.ts';
import type { Json } from './field-paths.ts';

/** The shape of Kite Connect's reply about the charges of an order, with values of our own. */
const CHARGES: Json = [
  {
    transaction_type: 'BUY',
    tradingsymbol: 'INFY',
    exchange: 'NSE',
    variety: 'regular',
    product: 'CNC',
    order_type: 'MARKET',
    quantity: 10,
    price: 1500,
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
  },
];

const published: readonly Published[] = [
  {
    name: 'chargesOfOrders',
    path: /^\/charges\/orders$/,
    reply: CHARGES,
    /** A row that is not of the order is an error, which says so. */
    ask: async (rig) => {
      await rig.time.advance(1_000);
      const { status, body } = await rig.get('/api/v1/contract-note');
      return status === 200 ? body.data : { status, detail: body.detail };
    },
  },
];

async function withOneOrder(options: RigOptions): Promise<Rig> {
  const rig = await loggedInRig(options);
  await place(rig, BUY, 'the-order');
  await rig.time.advance(3_000);
  return rig;
}

describeFields({
  what: 'the alternative broker’s charges of orders',
  page: 'docs/alt-broker.md',
  published,
  start: withOneOrder,
});
