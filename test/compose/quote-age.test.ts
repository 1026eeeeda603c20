import { describe, expect, it } from 'vitest';
import { BrokerError } from '../../src/domain/outcome.ts';
import type { Broker, MarketData } from '../../src/domain/ports.ts';
import { composePrices } from '../../src/compose/prices.ts';
import type { Ports } from '../../src/compose/ports.ts';
import { silentLog } from '../../src/platform/log.ts';
import { quoteAt } from '../execution/exits/support/exit-bench.ts';
import { midday } from '../execution/support/lying-broker.ts';
import { instrument } from '../execution/support/makers.ts';

describe('a quote for an exit', () => {
  it('is at most three seconds old while no broker can be read', async () => {
    const time = midday();
    let isReadable = true;
    const marketData: MarketData = {
      broker: 'alt',
      quotes: () =>
        isReadable
          ? Promise.resolve(new Map([['NSE:INFY', quoteAt(1_500)]]))
          : Promise.reject(new BrokerError('alt', { kind: 'transport', message: 'no answer' })),
      lastPrices: () => Promise.reject(new Error('not asked')),
    };
    const prices = composePrices({
      ports: { clock: time, scheduler: time } as Partial<Ports> as Ports,
      log: silentLog,
      route: ['alt'],
      instruments: { byName: () => null },
      view: () => ({ blocked: null }) as ReturnType<Parameters<typeof composePrices>[0]['view']>,
    });
    prices.add({ id: 'alt', marketData } as Partial<Broker> as Broker);
    const priceNow = async () =>
      (await time.settle(prices.quoteOf(instrument())))?.lastPrice ?? null;
    expect(await priceNow()).toBe(1_500);
    isReadable = false;
    await time.advance(2_500);
    expect(await priceNow()).toBe(1_500);
    await time.advance(1_000);
    expect(await priceNow()).toBeNull();
  });
});
