import { BrokerError } from '../domain/outcome.ts';
import { hasOtherIds, type Instrument, type InstrumentName } from '../domain/instrument.ts';
import type { Quote } from '../domain/quote.ts';
import { isRicher, type Tick, type TickMode } from '../domain/tick.ts';
import type { Clock, Scheduler } from '../platform/clock.ts';
import { type Ages, type Dated, isOverSoon, type MayRead, type QuoteCache } from './quote-cache.ts';
import type { TickSubscriptions } from './tick-subscriptions.ts';
import type { ElapsedMs } from '../units/branded.ts';

export interface StreamingQuotesParts {
  readonly cache: QuoteCache;
  readonly ticks: TickSubscriptions;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
}

/**
 * An instrument that is read again within this time is subscribed to; otherwise its subscription
 * ends.
 */
const INTEREST_MS = 60_000;
/** Ticks have no circuit limits, so those of an answer are used for this long. */
const LIMITS_MS = 600_000;

interface Interest {
  /** Elapsed ms of the last read of it. */
  asked: ElapsedMs;
  mode: TickMode;
  instrument: Instrument;
  /** Null while it is not subscribed to. */
  end: (() => void) | null;
}

interface Limits extends Pick<Quote, 'upperCircuit' | 'lowerCircuit'> {
  readonly asked: ElapsedMs;
}

/**
 * A quote cache that answers from ticks where they are as fresh as the caller wants, and reads the
 * rest from the broker. A last price comes from any tick; a quote comes from a tick with market
 * depth, with the circuit limits of the last answer that had them.
 */
export function createStreamingQuotes(parts: StreamingQuotesParts): QuoteCache {
  const { cache, ticks, clock, scheduler } = parts;
  const interests = createInterests(ticks, clock);
  const { freshTick, quoteOf, pricingQuoteOf, keepLimits, sweep } = createTickQuotes(parts);

  function note(instruments: readonly Instrument[], mode: TickMode): void {
    sweep();
    interests.note(instruments, mode);
  }

  async function readQuotes(
    missing: readonly Instrument[],
    ages: Ages,
    mayRead: MayRead | undefined,
  ): Promise<ReadonlyMap<InstrumentName, Dated<Quote>>> {
    const asked = await cache.quotes(missing, ages, mayRead);
    keepLimits(asked);
    return asked;
  }

  /** A broker that is slow to tell the circuits holds no order up whose price the ticks have. */
  async function readInTime(
    missing: readonly Instrument[],
    ages: Ages,
    mayRead: MayRead | undefined,
  ): Promise<ReadonlyMap<InstrumentName, Dated<Quote>>> {
    const late = new Map<InstrumentName, Dated<Quote>>();
    for (const { name } of missing) {
      const quote = quoteOf(name, ages);
      if (quote !== null) late.set(name, quote);
    }
    const reading = readQuotes(missing, ages, mayRead);
    const isRead = late.size < missing.length || (await isOverSoon(reading, scheduler));
    return isRead ? reading : late;
  }

  async function answer<T>(
    instruments: readonly Instrument[],
    fromTick: (name: InstrumentName) => Dated<T> | null,
    ask: (missing: readonly Instrument[]) => Promise<ReadonlyMap<InstrumentName, Dated<T>>>,
  ): Promise<ReadonlyMap<InstrumentName, Dated<T>>> {
    const found = new Map<InstrumentName, Dated<T>>();
    const missing: Instrument[] = [];
    for (const instrument of instruments) {
      const dated = fromTick(instrument.name);
      if (dated) found.set(instrument.name, dated);
      else missing.push(instrument);
    }
    if (missing.length > 0) for (const [name, dated] of await ask(missing)) found.set(name, dated);
    return found;
  }

  return {
    source: cache.source,
    onLate: cache.onLate,
    quotes(instruments, ages, mayRead) {
      note(instruments, 'full');
      const isPricing = ages.circuitsMs !== undefined;
      return answer<Quote>(
        instruments,
        (name) => (isPricing ? pricingQuoteOf : quoteOf)(name, ages),
        (missing) => (isPricing ? readInTime : readQuotes)(missing, ages, mayRead),
      );
    },
    lastPrices(instruments, ages, mayRead) {
      note(instruments, 'ltp');
      return answer(
        instruments,
        (name) => {
          const tick = freshTick(name, ages.maxAgeMs);
          if (!tick) return null;
          return { ...tick, value: { instrument: name, lastPrice: tick.value.lastPrice } };
        },
        (missing) => cache.lastPrices(missing, ages, mayRead),
      );
    },
  };
}

/** Quotes of ticks, with the circuits of the last answers that had them. */
function createTickQuotes({ ticks, clock }: Pick<StreamingQuotesParts, 'ticks' | 'clock'>) {
  const limits = new Map<InstrumentName, Limits>();
  let swept = clock.elapsed();

  function freshTick(name: InstrumentName, maxAgeMs: number): Dated<Tick> | null {
    const tick = ticks.last(name);
    if (tick === null || tick.asked <= clock.elapsed() - maxAgeMs) return null;
    // Nothing has been traded yet: a read from the broker may give more.
    return tick.value.lastPrice > 0 ? tick : null;
  }

  function quoteOf(
    name: InstrumentName,
    { maxAgeMs }: Pick<Ages, 'maxAgeMs'>,
    limitsMs = LIMITS_MS,
  ): Dated<Quote> | null {
    const tick = freshTick(name, maxAgeMs);
    const known = limits.get(name);
    if (tick?.value.mode !== 'full' || !known) return null;
    if (clock.elapsed() - known.asked >= Math.min(limitsMs, LIMITS_MS)) return null;
    const { upperCircuit, lowerCircuit } = known;
    return { ...tick, value: { ...tick.value, upperCircuit, lowerCircuit } };
  }

  return {
    freshTick,
    quoteOf: (name: InstrumentName, ages: Ages) => quoteOf(name, ages),
    /** With circuits that are young enough for the price of an order. */
    pricingQuoteOf(name: InstrumentName, ages: Ages): Dated<Quote> | null {
      const quote = quoteOf(name, ages, ages.circuitsMs);
      return quote === null || isBesideCircuit(quote.value) ? null : quote;
    },
    keepLimits(asked: ReadonlyMap<InstrumentName, Dated<Quote>>): void {
      for (const [name, { value, asked: at }] of asked) {
        const { upperCircuit, lowerCircuit } = value;
        limits.set(name, { upperCircuit, lowerCircuit, asked: at });
      }
    },
    /** Drops the limits of instruments that no caller reads any more. */
    sweep(): void {
      if (clock.elapsed() - swept < INTEREST_MS) return;
      swept = clock.elapsed();
      for (const [name, { asked }] of limits) {
        if (clock.elapsed() - asked >= LIMITS_MS) limits.delete(name);
      }
    },
  };
}

/** Whether an instrument trades at a price that its circuits exclude: then they are not those of now. */
const isBesideCircuit = ({ lastPrice, lowerCircuit, upperCircuit }: Quote): boolean =>
  (lowerCircuit !== null && lastPrice < lowerCircuit) ||
  (upperCircuit !== null && upperCircuit > 0 && lastPrice > upperCircuit);

/** The instruments that callers read, and the subscriptions for them. */
interface Interests {
  /** A caller reads these instruments, with at least the figures of this tick mode. */
  note(instruments: readonly Instrument[], mode: TickMode): void;
}

function createInterests(ticks: TickSubscriptions, clock: Clock): Interests {
  const interests = new Map<InstrumentName, Interest>();
  let swept = clock.elapsed();

  const hasLapsed = ({ asked }: Interest): boolean => clock.elapsed() - asked >= INTEREST_MS;

  function note(instruments: readonly Instrument[], mode: TickMode): void {
    sweep();
    for (const instrument of instruments) {
      const known = interests.get(instrument.name);
      if (!known || hasLapsed(known)) {
        known?.end?.();
        interests.set(instrument.name, { asked: clock.elapsed(), mode, instrument, end: null });
        continue;
      }
      known.asked = clock.elapsed();
      const richer = isRicher(mode, known.mode);
      if (richer) known.mode = mode;
      const isOther = hasOtherIds(known.instrument, instrument);
      known.instrument = instrument;
      if (known.end !== null && !richer && !isOther) continue;
      const before = known.end;
      known.end = subscribe(instrument, known);
      before?.();
    }
  }

  /**
   * Null when the broker has no place for it, or does not know it: then the gateway reads it by
   * request.
   */
  function subscribe(instrument: Instrument, interest: Interest): (() => void) | null {
    try {
      return ticks.subscribe([instrument], interest.mode, () => {
        if (hasLapsed(interest)) forget(instrument.name, interest);
      });
    } catch (error) {
      if (error instanceof BrokerError) return null;
      throw error;
    }
  }

  function forget(name: InstrumentName, interest: Interest): void {
    interest.end?.();
    interests.delete(name);
  }

  /** Needs no timer: each tick checks its own subscription, and each read checks the others. */
  function sweep(): void {
    if (clock.elapsed() - swept < INTEREST_MS) return;
    swept = clock.elapsed();
    for (const [name, interest] of interests) if (hasLapsed(interest)) forget(name, interest);
  }

  return { note };
}
