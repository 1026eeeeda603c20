import { describe, expect, it } from 'vitest';
import type { Ports } from '../../src/compose/ports.ts';
import { composePrices } from '../../src/compose/prices.ts';
import type { Broker, MarketData } from '../../src/domain/ports.ts';
import type { Quote } from '../../src/domain/quote.ts';
import { exitPrice } from '../../src/execution/exits/exit-price.ts';
import { sleep } from '../../src/platform/clock.ts';
import { silentLog } from '../../src/platform/log.ts';
import type { EpochMs } from '../../src/units/branded.ts';
import { quoteAt } from '../execution/exits/support/exit-bench.ts';
import { midday } from '../execution/support/lying-broker.ts';
import { instrument } from '../execution/support/makers.ts';
import { createFakeFeed } from '../market-data/fake-feed.ts';

/** A share whose ticks come each second, and a broker that tells its circuits; the exit has looked at it twice. */
async function bench() {
  const time = midday();
  const feed = createFakeFeed();
  const now = { lastPrice: 1_352, lowerCircuit: 1_350, upperCircuit: 1_650 };
  const broker = { answersAfterMs: 0, reads: 0 };
  const marketData: MarketData = {
    broker: 'alt',
    async quotes() {
      broker.reads += 1;
      if (broker.answersAfterMs > 0) await sleep(time, broker.answersAfterMs);
      return new Map([['NSE:INFY', quoteAt(now.lastPrice, now)]]);
    },
    lastPrices: () => Promise.reject(new Error('not asked')),
  };
  const prices = composePrices({
    ports: { clock: time, scheduler: time } as Partial<Ports> as Ports,
    log: silentLog,
    route: ['alt'],
    instruments: { byName: () => null },
    view: () => ({ blocked: null }) as ReturnType<Parameters<typeof composePrices>[0]['view']>,
  });
  prices.add({ id: 'alt', marketData, ticks: feed } as Partial<Broker> as Broker);
  const quoteNow = () => time.settle(prices.quoteOf(instrument()));
  const ticking = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second += 1) {
      await time.advance(1_000);
      feed.send('NSE:INFY', now.lastPrice, 'full');
    }
    await time.advance(300);
  };
  await quoteNow();
  await time.advance(2_000);
  await quoteNow();
  await ticking(5);
  return { time, now, broker, quoteNow, ticking };
}

const priceOf = (quote: Quote | null, time: { now(): EpochMs }) =>
  exitPrice({
    ...{ side: 'SELL', quantity: 100, instrument: instrument(), quote, attempt: 1 },
    ...{ settings: { limitOffsetPercent: 0.3, widening: 1 }, now: time.now() },
  });

describe('a quote for an exit, of an instrument whose ticks come all the time', () => {
  it('has circuits of twenty seconds at most, so that a falling share is not offered at the former one', async () => {
    const { time, now, quoteNow, ticking } = await bench();
    // The exchange lets the share fall further, and it trades above its new circuit.
    Object.assign(now, { lastPrice: 1_351, lowerCircuit: 1_275 });
    await ticking(20);
    const price = priceOf(await quoteNow(), time);
    expect(price).toMatchObject({ kind: 'limit', atBand: false });
    expect(price.kind === 'limit' && price.price).toBeLessThan(1_350);
  });

  it('has circuits that are read at once where it trades at a price that the former ones exclude', async () => {
    const { now, quoteNow, ticking } = await bench();
    Object.assign(now, { lastPrice: 1_290, lowerCircuit: 1_275 });
    await ticking(2);
    expect(await quoteNow()).toMatchObject({ lastPrice: 1_290, lowerCircuit: 1_275 });
  });

  it('is read from the broker no more often than the circuits need it', async () => {
    const { broker, quoteNow, ticking } = await bench();
    const before = broker.reads;
    for (let look = 0; look < 10; look += 1) {
      await ticking(10);
      await quoteNow();
    }
    // A hundred seconds.
    expect(broker.reads - before).toBeLessThanOrEqual(5);
  });

  it('is not held up by a broker that is slow: it then has the price of now and the former circuits', async () => {
    const { time, now, broker, quoteNow, ticking } = await bench();
    await ticking(20);
    broker.answersAfterMs = 9_000;
    Object.assign(now, { lastPrice: 1_351, lowerCircuit: 1_275 });
    await ticking(1);
    const begun = time.elapsed();
    expect(await quoteNow()).toMatchObject({ lastPrice: 1_351, lowerCircuit: 1_350 });
    expect(time.elapsed() - begun).toBeLessThanOrEqual(500);
  });
});
