import { dataOf, type Published } from './answered-fields.ts';
import { describeFields, plainly, withoutLogin } from './describe-fields.ts';
import { CANDLES, LTP, QUOTE } from './primary-market-replies.ts';

const RANGE = 'interval=1minute&from=2026-11-06T09:00&to=2026-11-06T10:55';
const published: readonly Published[] = [
  {
    name: 'quote',
    path: /^\/market\/quotes\/full$/,
    reply: QUOTE,
    ask: (rig) => dataOf(rig, '/api/v1/quotes?instruments=NSE:INFY&broker=primary'),
  },
  {
    name: 'ltp',
    path: /^\/market\/quotes\/ltp$/,
    reply: LTP,
    ask: (rig) => dataOf(rig, '/api/v1/ltp?instruments=NSE:INFY&broker=primary'),
  },
  {
    name: 'historical',
    path: /^\/market\/historical\//,
    reply: CANDLES,
    ask: (rig) => dataOf(rig, `/api/v1/candles?instrument=NSE:INFY&broker=primary&${RANGE}`),
  },
];

describeFields({
  what: 'the primary brokerage’s market data',
  page: 'docs/primary-brokerage.md',
  published,
  envelope: (data) => plainly({ NSE_1594: data }),
  start: withoutLogin,
});
