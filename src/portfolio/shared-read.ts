import { type Clock, type Scheduler, sleep } from '../platform/clock.ts';
import { type ElapsedMs, type EpochMs, LONG_AGO, plus } from '../units/branded.ts';

export interface Read<T> {
  readonly data: T;
  /** Wall and elapsed ms at which the broker was asked. */
  readonly askedAt: EpochMs;
  readonly asked: ElapsedMs;
}

/** One list of one account, for all who ask for it. */
export interface SharedRead<T> {
  /** An answer that was asked for less than `maxAgeMs` ago, and after the last call of `outdate`. */
  read(maxAgeMs: number): Promise<Read<T>>;
  /** What was asked for until now is too old for everybody: something has moved. */
  outdate(): void;
}

/**
 * Reads that follow because something has moved begin at least so far apart, ms. While orders move all the time,
 * readers use up no more of the broker's rate limit than this.
 */
export const FOLLOW_MS = 250;
/** A read under way for longer holds up the next one no more, ms. */
const PATIENCE_MS = 500;

/** A failed read is not kept: the next caller reads again. */
export function createSharedRead<T>(
  readOnce: () => Promise<T>,
  { clock, scheduler }: { readonly clock: Clock; readonly scheduler: Scheduler },
): SharedRead<T> {
  /** How often something has moved. */
  let moves = 0;
  let last: (Read<T> & { readonly moves: number }) | null = null;
  let underWay: { asked: ElapsedMs; moves: number; result: Promise<Read<T>> } | null = null;
  let lastAsked = LONG_AGO;
  /** The read that begins once the one under way is over, for all who come until then. */
  let following: Promise<Read<T>> | null = null;

  function start(): Promise<Read<T>> {
    const [askedAt, asked, of] = [clock.now(), clock.elapsed(), moves];
    lastAsked = asked;
    const mine = {
      ...{ asked, moves: of },
      result: readOnce().then((data) => {
        const answer = { data, askedAt, asked, moves: of };
        // A slow, older read does not replace a newer one.
        if (!last || last.asked <= asked) last = answer;
        return answer;
      }),
    };
    underWay = mine;
    const done = (): void => {
      if (underWay === mine) underWay = null;
    };
    mine.result.then(done, done);
    return mine.result;
  }

  /** Until a read that follows a move may begin. */
  async function free(): Promise<void> {
    const over = new AbortController();
    if (underWay !== null) {
      const long = sleep(scheduler, PATIENCE_MS, over.signal);
      await Promise.race([Promise.allSettled([underWay.result]), long]);
      over.abort();
    }
    const left = plus(lastAsked, FOLLOW_MS) - clock.elapsed();
    if (left > 0) await sleep(scheduler, left);
  }

  /** `then` runs later, also where nothing is waited for: `following` is set by then, and is not kept for good. */
  function follow(): Promise<Read<T>> {
    following ??= free().then(() => {
      following = null;
      return start();
    });
    return following;
  }

  return {
    read(maxAgeMs) {
      const oldest = clock.elapsed() - maxAgeMs;
      if (last && last.moves === moves && last.asked > oldest) return Promise.resolve(last);
      if (underWay && underWay.moves === moves && underWay.asked > oldest) return underWay.result;
      const isOutdated = (underWay ?? last ?? { moves }).moves !== moves;
      if (!isOutdated || maxAgeMs === 0) return start();
      return follow();
    },
    outdate() {
      moves += 1;
    },
  };
}
