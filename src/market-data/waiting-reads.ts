import type { Instrument, InstrumentName } from '../domain/instrument.ts';
import type { ElapsedMs, EpochMs } from '../units/branded.ts';

/** What waits to be read from one broker, and what its next request asks for (docs/decisions/0046-prices-for-all-callers.md). */

export const PRICE_KINDS = ['quotes', 'lastPrices'] as const;
export type PriceKind = (typeof PRICE_KINDS)[number];

/** When a request left: wall ms and elapsed ms. */
export interface Moment {
  readonly askedAt: EpochMs;
  readonly asked: ElapsedMs;
}

/** An instrument that waits to be read. */
export interface Want {
  readonly instrument: Instrument;
  /** Those with the least are read first. */
  readonly place: ElapsedMs;
  /** Of the last one who asked for it: how old its price may be, and its place among all that was asked. */
  notBefore: ElapsedMs;
  turn: number;
  /** The reads that wait for it, by number. */
  readonly reads: Set<number>;
  /** The request that has read it; null before that, and where another want has read it since. */
  readBy: Request | null;
  /** A request for it was refused for the broker's rate limit. */
  wasRefused: boolean;
  readonly done: PromiseWithResolvers<void>;
}

export interface Request {
  readonly kind: PriceKind;
  readonly wants: ReadonlyMap<InstrumentName, Want>;
  /** It has left after everything that was asked before. */
  readonly turn: number;
  /** Null until it left. */
  left: Moment | null;
}

export type Waiting = Readonly<Record<PriceKind, Map<InstrumentName, Want>>>;

/** Takes what the next request asks for out of what waits; null where nothing does. Where both kinds wait, they take turns. */
export function takeNext(
  waiting: Waiting,
  atOnce: Readonly<Record<PriceKind, number>>,
  turn: number,
  last: PriceKind,
): Request | null {
  const other: PriceKind = last === 'quotes' ? 'lastPrices' : 'quotes';
  const kind = waiting[other].size > 0 ? other : last;
  const taken = chosen(oldestFirst(waiting[kind]), atOnce[kind]);
  if (taken.length === 0) return null;
  for (const { instrument } of taken) waiting[kind].delete(instrument.name);
  const wants = new Map(taken.map((want) => [want.instrument.name, want]));
  return { kind, wants, turn, left: null };
}

/** At most `most` of what waits, oldest first: half of them the oldest, and the others one of each read in turn. */
function chosen(oldest: readonly Want[], most: number): readonly Want[] {
  if (oldest.length <= most) return oldest;
  const taken = new Set(oldest.slice(0, Math.ceil(most / 2)));
  const byRead = new Map<number, Want[]>();
  for (const want of oldest) {
    for (const read of taken.has(want) ? [] : want.reads) {
      const wanted = byRead.get(read);
      if (wanted) wanted.push(want);
      else byRead.set(read, [want]);
    }
  }
  const reads = [...byRead].sort(([one], [other]) => one - other).map(([, wants]) => wants);
  for (let place = 0; taken.size < most; place += 1) {
    for (const wants of reads) {
      const want = wants[place];
      if (want !== undefined && taken.size < most) taken.add(want);
    }
  }
  return [...taken];
}

const oldestFirst = (wants: ReadonlyMap<InstrumentName, Want>): readonly Want[] =>
  [...wants.values()].sort((a, b) => a.place - b.place);
