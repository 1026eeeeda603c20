import type { Clock, Scheduler } from '../platform/clock.ts';
import type { PriceStreams } from '../router/price-streams.ts';
import { openSession, type PriceSession, type StreamLine } from './price-session.ts';
import { createReaderPlaces } from './reader-places.ts';

/** Who reads a stream of prices (docs/streaming.md, "Limits"). */
export interface PriceReaders {
  /**
   * Takes a place for a stream of a key, before its connection is answered. Throws `too_many_requests` where there
   * is none. The place is free again when the stream is over, or by `leave` where it never began.
   */
  enter(caller: string, holds: () => boolean): PriceReaderPlace;
  /** Ends the streams of keys that are no longer valid. */
  recheck(): void;
  /** Ends every stream, and those that begin later. */
  stop(): void;
}

export interface PriceReaderPlace {
  open(line: StreamLine): PriceSession;
  leave(): void;
}

export const MOST_STREAMS = 256;
export const MOST_STREAMS_OF_KEY = 32;

export function createPriceReaders(parts: {
  readonly prices: PriceStreams;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
}): PriceReaders {
  const places = createReaderPlaces({
    ...{ what: 'streams of prices', most: MOST_STREAMS, mostOfKey: MOST_STREAMS_OF_KEY },
  });
  const sessions = new Set<PriceSession>();
  let isStopping = false;

  return {
    enter(caller, holds) {
      const leave = places.take(caller);
      return {
        leave,
        open(line) {
          const session = openSession(line, {
            ...{ ...parts, caller, holds },
            onOver() {
              leave();
              sessions.delete(session);
            },
          });
          sessions.add(session);
          if (isStopping) session.end('stopping');
          return session;
        },
      };
    },
    recheck() {
      for (const session of [...sessions]) session.recheck();
    },
    stop() {
      isStopping = true;
      for (const session of [...sessions]) session.end('stopping');
    },
  };
}
