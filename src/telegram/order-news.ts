import type { EventFeed } from '../events/event-feed.ts';
import type { Clock, Scheduler } from '../platform/clock.ts';
import type { StateFile } from '../platform/state-file.ts';
import type { EpochMs } from '../units/branded.ts';
import { OrderDigest } from './order-digest.ts';
import type { LineNews } from './order-line-text.ts';
import type { OrderLinesContent } from './order-lines-file.ts';

export interface OrderNewsParts {
  readonly feed: EventFeed;
  readonly file: StateFile<OrderLinesContent>;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
}

/** The news of orders that are not told yet, and how far they were read, which is kept on disk. */
export interface OrderNewsQueue {
  /** Reads the events that were not read yet. */
  readOn(signal: AbortSignal): Promise<void>;
  /** What is to be told, oldest first; each once, however many events are about it. */
  waiting(): readonly LineNews[];
  /** Notes that news were told: on disk when it returns. */
  told(news: readonly LineNews[]): void;
  /** Writes the position down where nothing waits and it has moved on. */
  keep(): void;
}

const READ_AT_ONCE = 200;
/** A position without news that moves on is on disk after so many events. */
const KEEP_EVERY = 2_000;

/** The position of the first start is on disk at once, so that a crash loses no line. */
export async function openOrderNews(parts: OrderNewsParts): Promise<OrderNewsQueue> {
  const { feed, file, scheduler } = parts;
  const begun = await begin(parts);
  let { after, cursor, at } = begun;
  const { digest, toldUntil } = begun;
  let keptAt = after;

  function keep(): void {
    keptAt = after;
    file.write({ version: 1, cursor, at, ...memoryOf(digest) });
  }

  const waiting = (): readonly LineNews[] =>
    digest.waiting().map(([orderId, news]) => {
      return { orderId, news, by: digest.cancelledBy(orderId) };
    });

  if (file.content() === null) keep();
  return {
    async readOn(signal) {
      for (;;) {
        const page = await feed.page(after, () => true, READ_AT_ONCE);
        for (const event of page.events) {
          if (toldUntil === null || event.at > toldUntil) digest.read(event);
          at = event.at;
        }
        ({ after, cursor } = page);
        if (!page.more || signal.aborted) break;
        await new Promise<void>((resolve) => scheduler.endOfTurn(resolve));
      }
      if (digest.waiting().length > 0 || signal.aborted) return;
      digest.settle();
      if (after - keptAt >= KEEP_EVERY) keep();
    },
    waiting,
    told(news) {
      for (const { orderId } of news) digest.mark(orderId);
      const before = file.content();
      // The position moves on once all is told; what is told before that is kept by order.
      if (before === null || digest.waiting().length === 0) keep();
      else file.write({ ...before, ...memoryOf(digest) });
    },
    keep() {
      if (after > keptAt && digest.waiting().length === 0) keep();
    },
  };
}

function memoryOf(digest: OrderDigest): Pick<OrderLinesContent, 'told' | 'cancels'> {
  const { told, cancels } = digest.memory;
  return { told: [...told], cancels: [...cancels] };
}

interface Begun {
  readonly after: number;
  readonly cursor: string;
  readonly at: EpochMs;
  readonly digest: OrderDigest;
  /** Events up to this instant were told before a backup was put back; null where none was. */
  readonly toldUntil: EpochMs | null;
}

async function begin({ feed, file, clock }: OrderNewsParts): Promise<Begun> {
  const kept = file.content();
  if (kept === null) {
    const cursor = await feed.newest();
    const after = (await feed.locate(cursor)) ?? 0;
    const digest = new OrderDigest({ told: [], cancels: [] });
    return { after, cursor, at: clock.now(), digest, toldUntil: null };
  }
  const { cursor, at, told, cancels } = kept;
  const after = await feed.locate(cursor);
  if (after !== null) {
    return { after, cursor, at, digest: new OrderDigest({ told, cancels }), toldUntil: null };
  }
  // A backup was put back: what its events tell was told, unless it is newer than what was told last.
  const again = told.map((each) => ({ ...each, upTo: 0 }));
  const digest = new OrderDigest({ told: again, cancels });
  return { after: await feed.beforeOldest(), cursor, at, digest, toldUntil: at };
}
