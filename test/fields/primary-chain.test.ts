import type { Rig } from '../support/rig.ts';
import type { Published } from './answered-fields.ts';
import { describeFields, withoutLogin } from './describe-fields.ts';
import type { Json } from './field-paths.ts';

const leg = (id: string, from: number): Json => ({
  security_id: id,
  trading_symbol: `NIFTY-Nov2026-24300-${id}`,
  last_price: from + 0.5,
  previous_close_price: from + 1.5,
  oi: from + 2,
  previous_oi: from + 3,
  volume: from + 4,
  top_bid_price: from + 5.5,
  top_bid_quantity: from + 6,
  top_ask_price: from + 7.5,
  top_ask_quantity: from + 8,
  iv: from + 9.5,
  greeks: { delta: 0.5, gamma: 0.001, theta: -12.5, vega: 9.5 },
});

const EXPIRY = '2026-11-23';

/** The shape of the primary brokerage's option chain, with values of our own. */
const CHAIN: Json = {
  underlying_ltp: 24_460.5,
  expiry: EXPIRY,
  strikes: { '24300': { ce: leg('56994', 100), pe: leg('56995', 200) } },
};

/** What a caller is told, a refusal too: a chain of another expiry is refused. */
async function chainOf(rig: Rig): Promise<unknown> {
  const underlying = encodeURIComponent('NSE:NIFTY 50');
  const path = `/api/v1/option-chain?underlying=${underlying}&expiry=${EXPIRY}&broker=primary`;
  await rig.time.advance(2_000);
  const { status, body } = await rig.get(`${path}&maxAgeMs=0`);
  return status === 200 ? body.data : [status, body.code];
}

const published: readonly Published[] = [
  { name: 'option-chain', path: /^\/market\/option-chain$/, reply: CHAIN, ask: chainOf },
];

describeFields({
  what: 'the primary brokerage’s option chain',
  page: 'docs/primary-brokerage.md',
  published,
  start: withoutLogin,
});
