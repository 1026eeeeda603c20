import type { BrokerId } from '../../src/domain/broker.ts';
import { BrokerError } from '../../src/domain/outcome.ts';
import type { Instrument, InstrumentName } from '../../src/domain/instrument.ts';
import type { MarketData } from '../../src/domain/ports.ts';
import type { LastPrice, Quote } from '../../src/domain/quote.ts';
import type { Ages } from '../../src/market-data/quote-cache.ts';
import { instrument } from '../execution/support/makers.ts';

export const named = (name: string): Instrument => instrument({ name });
export const INFY = named('NSE:INFY');
export const TCS = named('NSE:TCS');

export const down = (broker: BrokerId): BrokerError =>
  new BrokerError(broker, { kind: 'transport', message: 'down' });

/** A broker's prices. The price is the number of the call, so that a test sees an old one. */
export class FakePrices implements MarketData {
  readonly broker: BrokerId;
  readonly calls: InstrumentName[][] = [];
  readonly unknown = new Set<InstrumentName>();
  /** What the next calls are to fail with. */
  readonly failures: unknown[] = [];
  /** When set, answers wait until `release` is called. */
  hold = false;
  readonly #held: (() => void)[] = [];

  constructor(broker: BrokerId = 'alt') {
    this.broker = broker;
  }

  release(): void {
    for (const go of this.#held.splice(0)) go();
  }

  async lastPrices(
    wanted: readonly Instrument[],
    leaves?: () => void,
  ): Promise<ReadonlyMap<InstrumentName, LastPrice>> {
    leaves?.();
    this.calls.push(wanted.map(({ name }) => name));
    const lastPrice = this.calls.length;
    if (this.hold) await new Promise<void>((resolve) => this.#held.push(resolve));
    if (this.failures.length > 0) throw this.failures.shift();
    return new Map(
      wanted
        .filter(({ name }) => !this.unknown.has(name))
        .map(({ name }) => [name, { instrument: name, lastPrice }]),
    );
  }

  async quotes(
    wanted: readonly Instrument[],
    leaves?: () => void,
  ): Promise<ReadonlyMap<InstrumentName, Quote>> {
    return (await this.lastPrices(wanted, leaves)) as ReadonlyMap<InstrumentName, Quote>;
  }
}

/** Nothing older, whatever reading it takes. */
export const upTo = (maxAgeMs: number): Ages => ({ maxAgeMs, olderMs: maxAgeMs });
