import { istIso } from '../domain/ist.ts';
import type { StoredEvent } from '../events/event-log.ts';
import { plus } from '../units/branded.ts';
import type { StreamOut } from './define-route.ts';
import type { EventReaders, Waiting } from './event-readers.ts';
import { eventView } from './event-views.ts';

/** How often a reader hears that the stream is alive. A comment would be hidden by EventSource. */
export const HEARTBEAT_MS = 15_000;
/** How long a client waits before it connects again. */
const RETRY_MS = 2_000;
/** A connection that takes nothing for so long is closed: its reader goes on where it was. */
export const SLOW_MS = 30_000;
/** So long an ended connection may take what was written before it is cut. */
const END_MS = 1_000;
/** Events that are written at once: what is not taken waits in the journal, and not in memory. */
const AT_ONCE = 50;

export interface StreamRequest {
  readonly caller: string;
  readonly after: number;
  /** The cursor of `after`. */
  readonly cursor: string;
  readonly wanted: (event: StoredEvent) => boolean;
  /** Whether the key is still valid. */
  readonly holds: () => boolean;
}

/**
 * Writes events to a connection until it closes, oldest first, each in the envelope of a list. It reads a
 * page when the one before was taken, so that a slow reader costs no memory. Never rejects.
 */
export async function streamEvents(
  out: StreamOut,
  readers: EventReaders,
  place: Waiting,
  request: StreamRequest,
): Promise<void> {
  const { feed, clock, scheduler } = readers;
  let { after, cursor } = request;
  let isOpen = true;
  let wasHeldUp = false;
  let nextBeat = clock.elapsed();
  out.onClose(() => {
    isOpen = false;
    place.wake();
  });

  const own = (type: string, data: object): string =>
    frame(cursor, { id: cursor, type, at: istIso(clock.now()), data });

  /** Tells why, and ends the connection, also where its reader takes nothing. */
  function close(reason: string): false {
    out.end(own('stream.closing', { reason }));
    const cancel = scheduler.after(END_MS, () => out.destroy());
    out.onClose(cancel);
    isOpen = false;
    return false;
  }

  /** Why the stream ends, whether its reader takes what is written or not; null while it goes on. */
  const whyOver = (): string | null => {
    if (place.isStopping()) return 'stopping';
    return request.holds() ? null : 'key_revoked';
  };

  /** False where the stream is over: its connection took nothing for long, or there is another reason to end it. */
  async function write(text: string): Promise<boolean> {
    if (out.write(text)) return true;
    wasHeldUp = true;
    const until = plus(clock.elapsed(), SLOW_MS);
    let isTaken = false;
    out.onDrain(() => {
      isTaken = true;
      place.wake();
    });
    while (!isTaken && isOpen) {
      const left = until - clock.elapsed();
      const why = whyOver() ?? (left <= 0 ? 'slow_reader' : null);
      if (why !== null) return close(why);
      await place.forNext(left);
    }
    return isOpen;
  }

  /** Whether events that the reader does not have yet were removed while it took nothing. */
  async function hasGap(): Promise<boolean> {
    if (!wasHeldUp) return false;
    wasHeldUp = false;
    return after < (await feed.beforeOldest());
  }

  /** False where the stream is over. */
  async function step(): Promise<boolean> {
    if (!request.holds()) return close('key_revoked');
    if (await hasGap()) return close('cursor_expired');
    const page = await feed.page(after, request.wanted, AT_ONCE);
    ({ after, cursor } = page);
    if (page.events.length > 0) {
      const text = page.events.map((event) => {
        const view = eventView(event);
        return frame(view.id, view);
      });
      if (!(await write(text.join('')))) return false;
    }
    if (clock.elapsed() >= nextBeat && isOpen) {
      nextBeat = plus(clock.elapsed(), HEARTBEAT_MS);
      if (!(await write(own('heartbeat', {})))) return false;
    }
    if (page.more) await new Promise<void>((resolve) => scheduler.endOfTurn(resolve));
    else await place.forNext(nextBeat - clock.elapsed());
    return isOpen && !place.isStopping();
  }

  try {
    let goesOn = await write(`retry: ${RETRY_MS}\n\n`);
    while (goesOn) goesOn = await step();
    if (isOpen && place.isStopping()) close('stopping');
  } catch {
    // The journal could not be read: the client connects again, and is answered with the problem.
    close('journal_unavailable');
  } finally {
    place.leave();
  }
}

const frame = (id: string, value: object): string =>
  `id: ${id}\ndata: ${JSON.stringify(value)}\n\n`;
