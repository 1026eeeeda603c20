import type { Instrument, InstrumentName } from '../../domain/instrument.ts';
import type { MarketData } from '../../domain/ports.ts';
import type { LastPrice, Quote } from '../../domain/quote.ts';
import type { Log } from '../../platform/log.ts';
import type { Scheduler } from '../../platform/clock.ts';
import { messageOf } from '../../platform/values.ts';

/** Prices from market data that may be unavailable: then there is no price, and nothing throws. */
export interface Prices {
  quote(instrument: Instrument): Promise<Quote | null>;
  quotes(instruments: readonly Instrument[]): Promise<ReadonlyMap<InstrumentName, Quote>>;
  lastPrices(instruments: readonly Instrument[]): Promise<ReadonlyMap<InstrumentName, LastPrice>>;
  /** Ends all waiting: whoever waits gets no price. */
  stop(): void;
}

/** Market data has its own deadlines; this one is for an order that waits for a price. */
const DEADLINE_MS = 5_000;

export function createPrices(marketData: MarketData, scheduler: Scheduler, log: Log): Prices {
  let away = false;
  const waiting = new Set<() => void>();

  function note(reason: string | null): void {
    if (reason !== null && !away) {
      log.warn('paper orders get no prices: market data is unavailable', {
        broker: 'paper',
        reason,
      });
    }
    if (reason === null && away) log.info('paper orders get prices again', { broker: 'paper' });
    away = reason !== null;
  }

  function inTime<T>(read: () => Promise<ReadonlyMap<InstrumentName, T>>) {
    return new Promise<ReadonlyMap<InstrumentName, T>>((resolve) => {
      const settle = (found: ReadonlyMap<InstrumentName, T>): void => {
        cancel();
        waiting.delete(giveUp);
        resolve(found);
      };
      const giveUp = (): void => settle(new Map());
      const fail = (reason: string): void => {
        note(reason);
        giveUp();
      };
      const cancel = scheduler.after(DEADLINE_MS, () => fail(`no answer in ${DEADLINE_MS} ms`));
      waiting.add(giveUp);
      // Called inside a promise, so that a port that throws counts as one that rejects.
      Promise.resolve()
        .then(read)
        .then(
          (found) => {
            note(null);
            settle(found);
          },
          (error: unknown) => fail(messageOf(error)),
        );
    });
  }

  return {
    async quote(instrument) {
      const found = await inTime(() => marketData.quotes([instrument]));
      return found.get(instrument.name) ?? null;
    },
    async quotes(instruments) {
      return instruments.length === 0 ? new Map() : inTime(() => marketData.quotes(instruments));
    },
    async lastPrices(instruments) {
      return instruments.length === 0
        ? new Map()
        : inTime(() => marketData.lastPrices(instruments));
    },
    stop() {
      for (const giveUp of [...waiting]) giveUp();
    },
  };
}
