import { createReaderPlaces } from './reader-places.ts';
import { GatewayProblem } from '../domain/problem.ts';
import { readEventId } from '../events/event-cursor.ts';
import type { EventFeed, EventPage } from '../events/event-feed.ts';
import type { StoredEvent } from '../events/event-log.ts';
import { type Cancel, type Clock, type Scheduler, turnOfOthers } from '../platform/clock.ts';
import { elapsedMs } from '../units/branded.ts';

export interface EventReadersParts {
  readonly feed: EventFeed;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
}

/** One reader that waits for events: a stream, or a list that was asked to wait. */
export interface Waiting {
  /** Resolves at the next event, when `stop` or `wake` is called, or after `ms`. */
  forNext(ms: number): Promise<void>;
  /** Ends the wait of this reader. */
  wake(): void;
  /** Whether the gateway is stopping. */
  isStopping(): boolean;
  /** Frees the place of this reader. */
  leave(): void;
}

/** Who waits for events over HTTP, and how many may (docs/events.md, "Limits"). */
export interface EventReaders extends EventReadersParts {
  /** Throws `too_many_requests` where too many wait already. */
  enter(caller: string): Waiting;
  /** The sequence after which a reader wants events. Throws `cursor_expired`. */
  locate(cursor: string): Promise<number>;
  /** Lets every reader look whether its key is still valid. */
  wakeAll(): void;
  /** Ends every wait, now and from now on. */
  stop(): void;
}

export const MOST_READERS = 128;
export const MOST_READERS_OF_KEY = 16;

export function createEventReaders(parts: EventReadersParts): EventReaders {
  const { feed, scheduler } = parts;
  const waiting = new Set<() => void>();
  const places = createReaderPlaces({
    ...{ what: 'readers of events', most: MOST_READERS, mostOfKey: MOST_READERS_OF_KEY },
  });
  let isStopping = false;
  let isPlanned = false;

  const wakeAll = (): void => {
    for (const wake of [...waiting]) wake();
  };
  // An order that was just committed is answered first.
  feed.onAppended(() => {
    if (isPlanned || waiting.size === 0) return;
    isPlanned = true;
    scheduler.endOfTurn(() => {
      isPlanned = false;
      wakeAll();
    });
  });

  function enter(caller: string): Waiting {
    const free = places.take(caller);
    let [hasLeft, isWoken] = [false, false];
    let resolveWait: (() => void) | null = null;
    const wake = (): void => {
      isWoken = true;
      resolveWait?.();
    };
    waiting.add(wake);
    return {
      forNext: (ms) =>
        new Promise((resolve) => {
          let cancel: Cancel = () => undefined;
          resolveWait = () => {
            cancel();
            [resolveWait, isWoken] = [null, false];
            resolve();
          };
          // What came while the reader was busy.
          if (isWoken || isStopping || hasLeft) resolveWait();
          else cancel = scheduler.after(ms, () => resolveWait?.());
        }),
      wake,
      isStopping: () => isStopping,
      leave() {
        if (hasLeft) return;
        hasLeft = true;
        waiting.delete(wake);
        free();
        wake();
      },
    };
  }

  return {
    ...parts,
    enter,
    async locate(cursor) {
      const found = readEventId(cursor) === null ? null : await feed.locate(cursor);
      if (found !== null) return found;
      throw new GatewayProblem({
        code: 'cursor_expired',
        detail:
          `Events after ${cursor} may be missing: they were removed, or a backup was put back. Read ` +
          'GET /api/v1/orders, and follow from its meta.eventsCursor.',
      });
    },
    wakeAll,
    stop() {
      isStopping = true;
      wakeAll();
    },
  };
}

export interface ListRequest {
  readonly caller: string;
  readonly after: number;
  readonly wanted: (event: StoredEvent) => boolean;
  readonly limit: number;
  /** How long to wait for an event where there is none, ms. */
  readonly waitMs: number;
  /** Whether the key is still valid. */
  readonly holds: () => boolean;
  /** Calls the listener once nobody waits for the answer any more; never when absent. */
  readonly onGone?: ((listener: () => void) => void) | undefined;
}

/** A page of events; waits for the first wanted one where it is asked to. */
export async function readPage(readers: EventReaders, request: ListRequest): Promise<EventPage> {
  const { feed, clock } = readers;
  const { wanted, limit, waitMs } = request;
  let page = await feed.page(request.after, wanted, limit);
  if (page.events.length > 0 || waitMs === 0) return page;
  const place = readers.enter(request.caller);
  let isGone = false;
  request.onGone?.(() => {
    isGone = true;
    place.wake();
  });
  try {
    const until = elapsedMs(clock.elapsed() + waitMs);
    for (;;) {
      // Read after the place was taken, so that no event falls between the two.
      const next = await feed.page(page.after, wanted, limit);
      // What happened after a key was revoked is not for its reader.
      if (isGone || !request.holds()) return page;
      page = next;
      const left = until - clock.elapsed();
      const isOver = left <= 0 || place.isStopping();
      if (page.events.length > 0 || isOver) return page;
      if (page.more) await turnOfOthers(readers.scheduler);
      else await place.forNext(left);
    }
  } finally {
    place.leave();
  }
}
