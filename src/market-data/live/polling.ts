import type { BrokerId } from '../../domain/broker.ts';
import type { Instrument, InstrumentName } from '../../domain/instrument.ts';
import { BrokerError } from '../../domain/outcome.ts';
import type { LastPrice, Quote } from '../../domain/quote.ts';
import type { Cancel, Clock, Scheduler } from '../../platform/clock.ts';
import { type ElapsedMs, LONG_AGO } from '../../units/branded.ts';
import type { MarketDataRoute } from '../market-data-route.ts';
import type { Dated, QuoteCache } from '../quote-cache.ts';
import { createFairQueues } from './fair-queues.ts';
import type { LiveInstrument } from './live-price.ts';

export interface PollingParts {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly route: MarketDataRoute;
  /** The caches of the brokers that may be asked now, in order. Those that read only when they are asked. */
  readonly caches: () => readonly QuoteCache[];
  readonly onPrice: (live: LiveInstrument, price: Polled) => void;
  /** No broker has a price of it now; `broker` is the one that was asked, if any. */
  readonly onNone: (live: LiveInstrument, broker: BrokerId | null) => void;
  /** A read failed with an error that is none of a broker. */
  readonly onUnexpected: (error: unknown) => void;
  /** About each second while anything is polled. */
  readonly onBeat: () => void;
}

export interface Polled {
  readonly broker: BrokerId;
  readonly dated: Dated<Quote | LastPrice>;
  readonly quote: Quote | null;
}

/** The instruments that no ticks carry, read in rounds of one request each (docs/streaming.md). */
export interface Polling {
  add(live: LiveInstrument): void;
  remove(live: LiveInstrument): void;
  has(live: LiveInstrument): boolean;
  /** A caller has begun or ceased to want an instrument. */
  recount(live: LiveInstrument, caller: string): void;
  all(): Iterable<LiveInstrument>;
  stop(): void;
}

/** At most one round each second: the budget of a broker that allows one request for quotes a second. */
export const POLL_MS = 1_000;
/** A price that another caller has read within this time serves as well. */
const RECENT_MS = 500;
/** Of a broker that names no limit. */
const MOST_AT_ONCE = 500;

export function createPolling(parts: PollingParts): Polling {
  const { clock, scheduler } = parts;
  const polled = new Set<LiveInstrument>();
  const queues = createFairQueues<LiveInstrument>(({ callers }) => callers.keys());
  let begun: ElapsedMs = LONG_AGO;
  let beaten: ElapsedMs = LONG_AGO;
  let isReading = false;
  let isStopped = false;
  let cancelBeat: Cancel | null = null;

  function plan(): void {
    if (cancelBeat || polled.size === 0 || isStopped) return;
    const left = beaten + POLL_MS - clock.elapsed();
    cancelBeat = scheduler.after(Math.max(0, left), () => {
      cancelBeat = null;
      beaten = clock.elapsed();
      parts.onBeat();
      round();
      plan();
    });
  }

  function round(): void {
    if (isReading || isStopped || queues.isEmpty()) return;
    begun = clock.elapsed();
    isReading = true;
    void read().then(() => {
      isReading = false;
      // A round that took long is followed by the next at once.
      if (clock.elapsed() - begun > POLL_MS) round();
    });
  }

  async function read(): Promise<void> {
    const caches = parts.caches();
    const { chosen, kind } = choose(caches[0]?.source.atOnce);
    const instruments = chosen.map(({ instrument }) => instrument);
    const answer = await ask(kind, instruments, caches);
    for (const [at, live] of chosen.entries()) {
      // What was asked under an id that it no longer has may be the price of another instrument.
      if (!polled.has(live) || live.instrument !== instruments[at]) continue;
      const found = answer?.values.get(live.instrument.name);
      if (answer && found) parts.onPrice(live, { broker: answer.broker, ...found });
      else parts.onNone(live, answer?.broker ?? null);
    }
  }

  /** As many as one request holds. A quote has the last price too, so one request serves all modes. */
  function choose(atOnce: Record<'quotes' | 'lastPrices', number> | undefined) {
    const needsQuotes = [...polled].some(({ mode }) => mode !== 'ltp');
    const kind = needsQuotes ? 'quotes' : 'lastPrices';
    return { kind, chosen: queues.choose(atOnce?.[kind] ?? MOST_AT_ONCE) } as const;
  }

  async function ask(
    kind: 'quotes' | 'lastPrices',
    instruments: readonly Instrument[],
    caches: readonly QuoteCache[],
  ): Promise<Answer | null> {
    const options = { caches, maxAgeMs: RECENT_MS, olderMs: RECENT_MS };
    try {
      if (kind === 'lastPrices') {
        const answer = await parts.route.lastPrices(instruments, options);
        return answer && answerOf(answer.broker, answer.values, () => null);
      }
      const answer = await parts.route.quotes(instruments, options);
      return answer && answerOf(answer.broker, answer.values, (quote) => quote);
    } catch (error) {
      if (!(error instanceof BrokerError)) parts.onUnexpected(error);
      return null;
    }
  }

  return {
    has: (live) => polled.has(live),
    all: () => polled,
    add(live) {
      polled.add(live);
      for (const caller of live.callers.keys()) queues.add(caller, live);
      plan();
    },
    remove(live) {
      polled.delete(live);
      for (const caller of live.callers.keys()) queues.remove(caller, live);
    },
    recount(live, caller) {
      if (polled.has(live) && live.callers.has(caller)) queues.add(caller, live);
      else queues.remove(caller, live);
    },
    stop() {
      isStopped = true;
      cancelBeat?.();
    },
  };
}

interface Answer {
  readonly broker: BrokerId;
  readonly values: ReadonlyMap<InstrumentName, Omit<Polled, 'broker'>>;
}

function answerOf<T extends Quote | LastPrice>(
  broker: BrokerId,
  values: ReadonlyMap<InstrumentName, Dated<T>>,
  quoteOf: (value: T) => Quote | null,
): Answer {
  const dated = [...values].map(
    ([name, each]) => [name, { dated: each, quote: quoteOf(each.value) }] as const,
  );
  return { broker, values: new Map(dated) };
}
