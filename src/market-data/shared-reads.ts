import type { Instrument, InstrumentName } from '../domain/instrument.ts';
import { BrokerError } from '../domain/outcome.ts';
import type { Cancel, Clock, Scheduler } from '../platform/clock.ts';
import { type ElapsedMs, plus } from '../units/branded.ts';
import {
  type Moment,
  type PriceKind,
  type Request,
  takeNext,
  type Waiting,
  type Want,
} from './waiting-reads.ts';

export { type Moment, PRICE_KINDS, type PriceKind } from './waiting-reads.ts';

/**
 * One broker's reads of prices, shared by all callers: one request is under way at a time, and what callers
 * ask for meanwhile waits for the next ones. So callers cannot use up the broker's rate limit, however many
 * they are (docs/spec/shared-interface.md, rule 7). Where one request cannot hold all that waits, half of it is for
 * the oldest prices, and half for each read in turn: no scan of many instruments holds up who asks for one
 * (docs/decisions/0046-prices-for-all-callers.md).
 */
export interface SharedReads {
  /**
   * Resolves when the instruments have been read by requests that left after `notBefore`;
   * rejects with the error of the first one that fails.
   */
  read(kind: PriceKind, instruments: readonly Instrument[], notBefore: ElapsedMs): Promise<void>;
  /** Nothing is under way or waits. */
  idle(): boolean;
  /**
   * Calls `run` once when a request has been under way for LATE_MS: at the end of this turn where one has been
   * already.
   */
  onLate(run: () => void): Cancel;
}

export interface SharedReadsParts {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  /** The most instruments of one request. */
  readonly atOnce: Readonly<Record<PriceKind, number>>;
  /** When the price was asked for that is kept of an instrument; null where none is. */
  readonly askedOf: (kind: PriceKind, instrument: InstrumentName) => ElapsedMs | null;
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

/** A broker that is well answers in less time, ms. */
export const LATE_MS = 1_000;
/**
 * An instrument of which no price is kept waits as if it had one of this age, ms: somebody who asks for new
 * ones all the time cannot keep the others from being read.
 */
const AGE_OF_NONE_MS = 5_000;

/** What a read asks for. */
interface Asked {
  readonly kind: PriceKind;
  /** Its request leaves later than that. */
  readonly notBefore: ElapsedMs;
  /** The number of the read. */
  readonly read: number;
}

export function createSharedReads(parts: SharedReadsParts): SharedReads {
  const { clock, scheduler, atOnce, askedOf } = parts;
  const waiting: Waiting = { quotes: new Map(), lastPrices: new Map() };
  const watch = watchLateness(scheduler);
  let underWay: Request | null = null;
  let planned = false;
  let turn = 0;
  let reads = 0;
  let last: PriceKind = 'lastPrices';

  const now = (): Moment => ({ askedAt: clock.now(), asked: clock.elapsed() });

  function plan(): void {
    if (planned || underWay !== null) return;
    planned = true;
    // Callers of one turn share a request.
    scheduler.endOfTurn(() => {
      planned = false;
      begin();
    });
  }

  function begin(): void {
    const next = takeNext(waiting, atOnce, (turn += 1), last);
    if (next === null) return;
    last = next.kind;
    underWay = next;
    void run(next).then(() => {
      underWay = null;
      begin();
    });
  }

  async function run(request: Request): Promise<void> {
    const { kind, wants } = request;
    const begun = now();
    const moment = (): Moment => (request.left ??= begun);
    const leaves = (): void => {
      request.left ??= now();
      watch.begin();
    };
    try {
      const instruments = [...wants.values()].map(({ instrument }) => instrument);
      await parts.fetch(kind, instruments, { leaves, moment });
      serve(request, waiting, moment().asked);
    } catch (error) {
      fail(request, waiting[kind], error);
    } finally {
      moment();
      watch.end();
    }
  }

  function want(instrument: Instrument, asked: Asked): Promise<void> {
    const { kind, notBefore, read } = asked;
    const { name } = instrument;
    const known = waiting[kind].get(name);
    turn += 1;
    if (known) {
      known.turn = turn;
      known.reads.add(read);
      if (known.notBefore < notBefore) known.notBefore = notBefore;
      return known.done.promise;
    }
    const place = askedOf(kind, name) ?? plus(clock.elapsed(), -AGE_OF_NONE_MS);
    const wanted = newWant(instrument, place, { ...asked, turn });
    waiting[kind].set(name, wanted);
    plan();
    return wanted.done.promise;
  }

  /** Waits for the request under way, and for another one where it turns out to be too old. */
  async function join(served: Want, asked: Asked): Promise<void> {
    await served.done.promise;
    const { readBy } = served;
    if (readBy !== null && isTooOld(readBy, asked.notBefore)) await want(served.instrument, asked);
  }

  return {
    idle: () => underWay === null && waiting.quotes.size + waiting.lastPrices.size === 0,
    onLate: watch.onLate,
    async read(kind, instruments, notBefore) {
      const request = underWay;
      const asked: Asked = { kind, notBefore, read: (reads += 1) };
      const waits = instruments.map((instrument) => {
        const served = request && servedBy(request, kind, instrument);
        return request && served && !isTooOld(request, notBefore)
          ? join(served, asked)
          : want(instrument, asked);
      });
      await Promise.all(waits);
    },
  };
}

function newWant(
  instrument: Instrument,
  place: ElapsedMs,
  { notBefore, read, turn }: Asked & { readonly turn: number },
): Want {
  const done = Promise.withResolvers<void>();
  // Also where no caller waits for it any more.
  done.promise.catch(() => undefined);
  const reads = new Set([read]);
  return { instrument, place, notBefore, turn, reads, done, readBy: null, wasRefused: false };
}

/** Requests can arrive closer together than they left: what was refused for that is asked for once more. */
const isRateLimited = (error: unknown): boolean =>
  error instanceof BrokerError && error.failure.kind === 'http' && error.failure.status === 429;

function fail({ wants }: Request, waiting: Map<InstrumentName, Want>, error: unknown): void {
  for (const want of wants.values()) {
    if (isRateLimited(error) && !want.wasRefused) waitAgain(waiting, want);
    else want.done.reject(error);
  }
}

function waitAgain(waiting: Map<InstrumentName, Want>, want: Want): void {
  want.wasRefused = true;
  const { name } = want.instrument;
  const other = waiting.get(name);
  if (other) other.done.promise.then(want.done.resolve, want.done.reject);
  else waiting.set(name, want);
}

const isTooOld = ({ left }: Request, notBefore: ElapsedMs): boolean =>
  left !== null && left.asked <= notBefore;

/** A quote has the last price too. */
function servedBy({ kind: read, wants }: Request, kind: PriceKind, { name }: Instrument) {
  return read === kind || read === 'quotes' ? wants.get(name) : undefined;
}

/** Last prices that wait, and came with quotes, are not asked for again. */
function serve(request: Request, waiting: Waiting, asked: ElapsedMs): void {
  for (const [name, want] of request.wants) {
    want.readBy = request;
    want.done.resolve();
    const price = request.kind === 'quotes' ? waiting.lastPrices.get(name) : undefined;
    if (price === undefined || (price.turn > request.turn && asked <= price.notBefore)) continue;
    waiting.lastPrices.delete(name);
    price.done.resolve();
  }
}

/** Tells of a request that its broker does not answer in time. */
function watchLateness(scheduler: Scheduler) {
  const listeners = new Set<() => void>();
  let cancel: Cancel | null = null;
  let isLate = false;

  function tell(): void {
    for (const run of [...listeners]) if (listeners.delete(run)) run();
  }

  return {
    begin(): void {
      cancel ??= scheduler.after(LATE_MS, () => {
        isLate = true;
        tell();
      });
    },
    end(): void {
      cancel?.();
      cancel = null;
      isLate = false;
    },
    onLate(run: () => void): Cancel {
      const once = (): void => run();
      listeners.add(once);
      if (isLate) scheduler.endOfTurn(() => listeners.delete(once) && run());
      return () => void listeners.delete(once);
    },
  };
}
