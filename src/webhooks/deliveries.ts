import type { EventFeed } from '../events/event-feed.ts';
import { eventIdOf } from '../events/event-cursor.ts';
import { isOfTypes, type StoredEvent } from '../events/event-log.ts';
import { type Clock, type Scheduler, sleep, turnOfOthers } from '../platform/clock.ts';
import type { HttpReply, HttpTransport } from '../platform/http.ts';
import type { Log } from '../platform/log.ts';
import { messageOf } from '../platform/values.ts';
import { signedHeaders, type WebhookRecord } from './webhook.ts';

export interface DeliveryParts {
  readonly feed: EventFeed;
  /** Reaches what the settings allow alone; follows no redirect. */
  readonly transport: Pick<HttpTransport, 'send'>;
  /** The event as streams and lists have it. */
  readonly render: (event: StoredEvent) => object;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: Log;
}

/** The record of one webhook, which its delivery moves on. */
export interface Held {
  record(): WebhookRecord;
  /** `now`: on disk when it returns; otherwise soon. */
  change(changes: Partial<WebhookRecord>, now: boolean): void;
}

const DEADLINE_MS = 10_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 300_000;
/** After tries for so long without one success it is parked. While the gateway is off, or asleep, nothing is tried. */
export const PARK_AFTER_MS = 24 * 3_600_000;
const AT_ONCE = 50;
const REPLY_BYTES = 64 * 1_024;
/** Reads again at the latest then, for what nothing woke it for. */
const LOOK_AGAIN_MS = 60_000;

/**
 * Sends the events of one webhook, one request for each and one at a time, so that they arrive in order.
 * Never rejects; ends when `signal` aborts, or when it is parked.
 */
export async function deliverEvents(
  held: Held,
  parts: DeliveryParts,
  signal: AbortSignal,
): Promise<void> {
  const { feed, scheduler, log } = parts;
  let wake: () => void = () => undefined;
  const stopListening = feed.onAppended(() => wake());
  try {
    while (!signal.aborted && held.record().parkedAt === null) {
      const woken = new AbortController();
      wake = () => woken.abort();
      const onStop = (): void => woken.abort();
      signal.addEventListener('abort', onStop, { once: true });
      try {
        const isAll = await deliverPage(held, parts, signal);
        if (isAll) await sleep(scheduler, LOOK_AGAIN_MS, woken.signal);
      } catch (error) {
        const { id } = held.record();
        log.error('events for a webhook could not be read; the gateway will try again', {
          ...{ source: id, reason: messageOf(error) },
        });
        await sleep(scheduler, LOOK_AGAIN_MS, signal);
      } finally {
        signal.removeEventListener('abort', onStop);
      }
    }
  } finally {
    stopListening();
  }
}

/** Whether everything that there is was sent. */
async function deliverPage(
  held: Held,
  parts: DeliveryParts,
  signal: AbortSignal,
): Promise<boolean> {
  const { feed } = parts;
  const { cursor, types } = held.record();
  let after = await feed.locate(cursor);
  if (after === null) {
    after = await feed.beforeOldest();
    held.change({ hasGap: true }, true);
  }
  const wanted = (event: StoredEvent): boolean => types === null || isOfTypes(event, types);
  const page = await feed.page(after, wanted, AT_ONCE);
  for (const event of page.events) {
    if (!(await deliver(event, held, parts, signal))) return false;
  }
  if (page.cursor !== held.record().cursor) held.change({ cursor: page.cursor }, false);
  if (page.more) await turnOfOthers(parts.scheduler);
  return !page.more;
}

/** Tries until the receiver takes it. False when stopped or parked before. */
async function deliver(
  event: StoredEvent,
  held: Held,
  parts: DeliveryParts,
  signal: AbortSignal,
): Promise<boolean> {
  const { clock, scheduler, log } = parts;
  const id = eventIdOf(event);
  const body = JSON.stringify(parts.render(event));
  let waitedMs = 0;
  for (let pause = FIRST_PAUSE_MS; !signal.aborted;) {
    const { url, secret } = held.record();
    const at = clock.now();
    const begun = clock.elapsed();
    const reply = await parts.transport.send({
      method: 'POST',
      url,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'altbroker-gateway',
        ...signedHeaders({ id, body, secret }, at / 1_000),
      },
      body,
      ...{ deadlineMs: DEADLINE_MS, fresh: false, maxReplyBytes: REPLY_BYTES },
    });
    if (isTaken(reply)) {
      held.change({ cursor: id, delivered: { id, at: clock.now() }, failing: null }, false);
      return true;
    }
    if (signal.aborted) return false;
    const { failing } = held.record();
    const since = failing?.since ?? at;
    const reason = reasonOf(reply);
    const isGone = reply.kind === 'answered' && reply.status === 410;
    const tookMs = Math.min(clock.elapsed() - begun, DEADLINE_MS);
    const triedMs = (failing?.triedMs ?? 0) + waitedMs + tookMs;
    const isOver = isGone || triedMs >= PARK_AFTER_MS;
    const parked = isOver ? { parkedAt: clock.now() } : {};
    const times = (failing?.times ?? 0) + 1;
    held.change({ failing: { since, times, reason, triedMs }, ...parked }, true);
    if (failing === null || isOver) {
      const what = isOver ? 'a webhook is parked' : 'a webhook does not take an event';
      log.warn(`${what}; GET /api/v1/webhooks tells more`, { source: held.record().id, reason });
    }
    if (isOver) return false;
    await sleep(scheduler, pause, signal);
    waitedMs = pause;
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  }
  return false;
}

/** Whether the receiver has taken it: by its status, whatever it wrote, and also where that is too long or breaks off. */
const isTaken = (reply: HttpReply): boolean => {
  const status = reply.kind === 'not_sent' ? null : reply.status;
  return status !== null && status >= 200 && status < 300;
};

/** Without what the receiver wrote: that could be anything. */
function reasonOf(reply: HttpReply): string {
  if (reply.kind === 'answered') {
    const isRedirect = reply.status >= 300 && reply.status < 400;
    return `it answered ${reply.status}${isRedirect ? ', and redirects are not followed' : ''}`;
  }
  return reply.kind === 'not_sent' ? `no connection: ${reply.cause}` : `no answer: ${reply.cause}`;
}
