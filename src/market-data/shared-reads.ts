import type { Instrument, InstrumentName } from '../domain/instrument.ts';
import type { Clock, Scheduler } from '../platform/clock.ts';
import type { ElapsedMs, EpochMs } from '../units/branded.ts';

export type PriceKind = 'quotes' | 'lastPrices';

/** When a request left: wall ms and elapsed ms. */
export interface Moment {
  readonly askedAt: EpochMs;
  readonly asked: ElapsedMs;
}

/**
 * One broker's reads of prices, shared by all callers: at most one is under way, and callers who
 * come meanwhile are gathered into the next one. So callers cannot use up the broker's rate limit,
 * however many they are (docs/spec/shared-interface.md, rule 7).
 */
export interface SharedReads {
  /**
   * Resolves when the instruments have been read by a request that left after `notBefore`;
   * rejects with the error of that read.
   */
  read(kind: PriceKind, instruments: readonly Instrument[], notBefore: ElapsedMs): Promise<void>;
  /** Nothing is under way or about to be. */
  idle(): boolean;
}

export interface SharedReadsParts {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  /** Makes the request and keeps its values, dated with `departure.moment()`. */
  readonly fetch: (
    kind: PriceKind,
    instruments: readonly Instrument[],
    departure: Departure,
  ) => Promise<void>;
}

export interface Departure {
  /** The request leaves now, after any wait for the broker's rate limit. */
  readonly leaves: () => void;
  /** When it left; for a source that never said so, when it was called. */
  readonly moment: () => Moment;
}

type Wanted = Map<InstrumentName, Instrument>;

interface Read {
  readonly wanted: Readonly<Record<PriceKind, Wanted>>;
  /** Null until the request left. */
  readonly left: Record<PriceKind, Moment | null>;
  readonly done: Readonly<Record<PriceKind, PromiseWithResolvers<void>>>;
}

export function createSharedReads({ clock, scheduler, fetch }: SharedReadsParts): SharedReads {
  let underWay: Read | null = null;
  let gathering: Read | null = null;

  const now = (): Moment => ({ askedAt: clock.now(), asked: clock.elapsed() });

  async function send(read: Read, kind: PriceKind, wanted: readonly Instrument[]): Promise<void> {
    const begun = now();
    const moment = (): Moment => (read.left[kind] ??= begun);
    const leaves = (): void => {
      read.left[kind] ??= now();
    };
    try {
      if (wanted.length > 0) await fetch(kind, wanted, { leaves, moment });
    } finally {
      moment();
    }
  }

  /** Quotes first: a quote has the last price, so its instruments are not asked for twice. */
  async function run(read: Read): Promise<void> {
    const { wanted, done, left } = read;
    const quotes = send(read, 'quotes', [...wanted.quotes.values()]);
    quotes.then(done.quotes.resolve, done.quotes.reject);
    const haveQuotes = await quotes.then(
      () => true,
      () => false,
    );
    const rest = [...wanted.lastPrices.values()].filter(
      ({ name }) => !haveQuotes || !wanted.quotes.has(name),
    );
    if (rest.length === 0) left.lastPrices = left.quotes;
    await send(read, 'lastPrices', rest).then(done.lastPrices.resolve, done.lastPrices.reject);
  }

  function begin(read: Read): void {
    gathering = null;
    underWay = read;
    void run(read).then(() => {
      underWay = null;
      if (gathering !== null) begin(gathering);
    });
  }

  function gather(kind: PriceKind, instruments: readonly Instrument[]): Promise<void> {
    if (gathering === null) {
      const read = createRead();
      gathering = read;
      if (underWay === null) scheduler.endOfTurn(() => begin(read));
    }
    for (const instrument of instruments) gathering.wanted[kind].set(instrument.name, instrument);
    return gathering.done[kind].promise;
  }

  /** By which part of a read the instrument is read: its quote has the last price too. */
  function servedBy(read: Read, kind: PriceKind, { name }: Instrument): PriceKind | null {
    if (read.wanted[kind].has(name)) return kind;
    return read.wanted.quotes.has(name) ? 'quotes' : null;
  }

  const isTooOld = (read: Read, kind: PriceKind, notBefore: ElapsedMs): boolean => {
    const left = read.left[kind];
    return left !== null && left.asked <= notBefore;
  };

  /** Waits for the read under way, and for another one where it turns out to be too old. */
  async function wait(
    read: Read,
    by: PriceKind,
    kind: PriceKind,
    instruments: readonly Instrument[],
    notBefore: ElapsedMs,
  ): Promise<void> {
    await read.done[by].promise;
    if (isTooOld(read, by, notBefore)) await gather(kind, instruments);
  }

  return {
    idle: () => underWay === null && gathering === null,
    async read(kind, instruments, notBefore) {
      const missing: Instrument[] = [];
      const shared: Record<PriceKind, Instrument[]> = { quotes: [], lastPrices: [] };
      const present = underWay;
      for (const instrument of instruments) {
        const by = present && servedBy(present, kind, instrument);
        if (present && by && !isTooOld(present, by, notBefore)) shared[by].push(instrument);
        else missing.push(instrument);
      }
      const waits: Promise<void>[] = [];
      if (missing.length > 0) waits.push(gather(kind, missing));
      for (const by of ['quotes', 'lastPrices'] as const) {
        if (present && shared[by].length > 0) {
          waits.push(wait(present, by, kind, shared[by], notBefore));
        }
      }
      await Promise.all(waits);
    },
  };
}

function createRead(): Read {
  const done = {
    quotes: Promise.withResolvers<void>(),
    lastPrices: Promise.withResolvers<void>(),
  };
  // Also where no caller waits for it.
  for (const { promise } of Object.values(done)) promise.catch(() => undefined);
  return {
    wanted: { quotes: new Map(), lastPrices: new Map() },
    left: { quotes: null, lastPrices: null },
    done,
  };
}
