import { describe, expect, it } from 'vitest';
import { exitPrice } from '../../../src/execution/exits/exit-price.ts';
import { AT, instrument } from '../support/makers.ts';
import { exitBench, quoteAt } from './support/exit-bench.ts';

const PENNY = instrument({ tickSize: 0.01 });
const CIRCUITS = { lowerCircuit: 1.33, upperCircuit: 1.47 };
const priceOf = (side: 'BUY' | 'SELL', lastPrice: number) =>
  exitPrice({
    ...{ side, quantity: 100, instrument: PENNY, quote: quoteAt(lastPrice, CIRCUITS), now: AT },
    ...{ attempt: 1, settings: { limitOffsetPercent: 0.3, widening: 1 } },
  });

describe('the exit of a share below five rupees, whose tick is one paisa', () => {
  it('waits in line at the circuit, and not paise beside it', () => {
    // Today: 1.35 and 1.45, each said to be at the band, so that it is never replaced.
    expect(priceOf('SELL', 1.33)).toEqual({ kind: 'limit', price: 1.33, atBand: true });
    expect(priceOf('BUY', 1.47)).toEqual({ kind: 'limit', price: 1.47, atBand: true });
  });

  it('takes a bid at the lower circuit', async () => {
    const { begin, after, bench, legs } = await exitBench({ of: PENNY });
    bench.quote = quoteAt(1.33, { ...CIRCUITS, bid: 1.33 });
    await after((await begin()).id, 30_000);
    // The only bids are at 1.33: an order at 1.35 meets none of them.
    expect(legs().map(([, , price]) => price)).toEqual([1.33]);
  });
});
