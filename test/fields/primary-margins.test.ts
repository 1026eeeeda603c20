import type { Rig } from '../support/rig.ts';
import { describeFields, withoutLogin } from './describe-fields.ts';
import type { Json } from './field-paths.ts';

/** The shape of the primary brokerage's reply about the margin of an order, with values of our own. */
const MARGIN: Json = {
  total_margin: 1500.5,
  span_margin: 101,
  hedge_benefit: 102,
  exposure_margin: 103,
  available_balance: 9000,
  var_margin: 104,
  insufficient_balance: 105,
  delivery_margin: 106,
  brokerage: 20,
  charges: {
    stt: 11,
    exchange_charges: 12,
    stamp_duty: 13,
    sebi_turn_over_charges: 14,
    brokerage: 20,
    gst: 16,
    IPFTCharges: 17,
    total_charges: 103,
  },
};

const ORDER = {
  ...{ instrument: 'NSE:INFY', side: 'BUY', quantity: 1, orderType: 'LIMIT', price: 1_500 },
  product: 'CNC',
} as const;

async function marginOf(rig: Rig): Promise<unknown> {
  await rig.time.advance(1_000);
  const reply = await rig.post('/api/v1/margins?broker=primary', { orders: [ORDER] });
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.body.data;
}

describeFields({
  what: 'the primary brokerage’s margins of orders',
  page: 'docs/primary-brokerage.md',
  published: [{ name: 'margin', path: /^\/margin$/, reply: MARGIN, ask: marginOf }],
  start: withoutLogin,
});
