import { dataOf, type Published } from './answered-fields.ts';
import { describeFields, plainly } from './describe-fields.ts';
import { CANDLES, LTP, OHLC, QUOTE } from './kite-market-replies.ts';

const RANGE = 'interval=1minute&from=2026-11-06T09:00&to=2026-11-06T11:55';

const published: readonly Published[] = [
  {
    name: 'quote',
    path: /^\/quote$/,
    reply: QUOTE,
    ask: (rig) => dataOf(rig, '/api/v1/quotes?instruments=NSE:INFY'),
  },
  {
    // The gateway answers it from a quote, of which it is a part.
    name: 'ohlc',
    path: /^\/quote$/,
    reply: OHLC,
    ask: (rig) => dataOf(rig, '/api/v1/ohlc?instruments=NSE:INFY'),
  },
  {
    name: 'ltp',
    path: /^\/quote\/ltp$/,
    reply: LTP,
    ask: (rig) => dataOf(rig, '/api/v1/ltp?instruments=NSE:INFY'),
  },
  {
    name: 'historical',
    path: /^\/instruments\/historical\//,
    reply: CANDLES,
    ask: (rig) => dataOf(rig, `/api/v1/candles?instrument=NSE:INFY&${RANGE}`),
  },
];

describeFields({
  what: 'the alternative broker’s market data',
  page: 'docs/alt-broker.md',
  published,
  envelope: (data, { path }) => {
    const isByInstrument = path?.test('/quote') || path?.test('/quote/ltp');
    return plainly(isByInstrument ? { 'NSE:INFY': data } : data);
  },
});
