import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loggedInRig } from '../path/walk.ts';
import type { Rig } from '../support/rig.ts';
import {
  altering,
  dataOf,
  NOTHING_LOST,
  type Published,
  reportOn,
  scripted,
} from './answered-fields.ts';
import { type Json, unansweredFields } from './field-paths.ts';
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

const script = scripted();
const envelope = (data: Json): Json => ({
  status: 'success',
  data:
    script.path?.test('/quote') || script.path?.test('/quote/ltp') ? { 'NSE:INFY': data } : data,
});
let rig: Rig;
beforeAll(async () => {
  rig = await loggedInRig({ alter: altering(script, envelope) });
});
afterAll(() => rig[Symbol.asyncDispose]());

describe('a field of the alternative broker’s market data', () => {
  const listed = unansweredFields('docs/alt-broker.md');

  it.each(published)('is answered, or its page says why not: $name', async (one) => {
    expect(await reportOn(rig, script, one, listed)).toEqual(NOTHING_LOST);
  });
});
