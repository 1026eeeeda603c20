import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRig, type Rig } from '../support/rig.ts';
import {
  altering,
  dataOf,
  NOTHING_LOST,
  type Published,
  reportOn,
  scripted,
} from './answered-fields.ts';
import { unansweredFields } from './field-paths.ts';
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

const script = scripted();
let rig: Rig;
beforeAll(async () => {
  rig = await createRig({
    alter: altering(script, (data) => ({ status: 'success', data: { NSE_1594: data } })),
  });
  await rig.time.advance(2_000);
});
afterAll(() => rig[Symbol.asyncDispose]());

describe('a field of the primary brokerage’s market data', () => {
  const listed = unansweredFields('docs/primary-brokerage.md');

  it.each(published)('is answered, or its page says why not: $name', async (one) => {
    expect(await reportOn(rig, script, one, listed)).toEqual(NOTHING_LOST);
  });
});
