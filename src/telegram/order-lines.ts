import { type Cancel, type Scheduler, sleep } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Messenger } from '../platform/messenger.ts';
import { messageOf } from '../platform/values.ts';
import type { EpochMs } from '../units/branded.ts';
import { type LineNews, orderLine, summaryText } from './order-line-text.ts';
import { openOrderNews, type OrderNewsParts, type OrderNewsQueue } from './order-news.ts';
import { LONGEST_MESSAGE, sendable } from './words.ts';

export interface OrderLinesParts extends OrderNewsParts {
  readonly messenger: Messenger;
  readonly scheduler: Scheduler;
  readonly log: Log;
}

/**
 * How long news are collected before they are sent, so that many fills of an order are one line. Also the
 * least pause between two messages: the service takes 20 a minute in a group, and alerts need some.
 */
export const COLLECT_MS = 4_000;
/** With news of more orders than that, one message says how many there were. */
export const MOST_LINES = 40;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
const REFUSED_PAUSE_MS = 300_000;

/**
 * Tells of fills, cancellations and rejections in the chat (docs/reminder.md, "Orders"). The journal is the
 * queue: events are read from a position that is on disk, and no order waits for this.
 */
export function createOrderLines(parts: OrderLinesParts): AsyncDisposable {
  const { feed, scheduler, log } = parts;
  const stop = new AbortController();
  const { signal } = stop;
  let cancelRun: Cancel | null = null;
  let running: Promise<void> | null = null;
  let runAgain = false;
  let queue: OrderNewsQueue | null = null;

  /** `ms` is a time in which further news may come. */
  function soon(ms: number): void {
    if (cancelRun !== null || signal.aborted) return;
    if (running !== null) {
      runAgain = true;
      return;
    }
    cancelRun = scheduler.after(ms, () => {
      cancelRun = null;
      running = run().finally(() => {
        running = null;
        if (runAgain) soon(COLLECT_MS);
        runAgain = false;
      });
    });
  }

  async function run(): Promise<void> {
    try {
      queue ??= await openOrderNews(parts);
      await queue.readOn(signal);
      const send = sender(parts, signal);
      while (!signal.aborted) {
        const news = queue.waiting();
        if (news.length === 0) return;
        const { text, told } = nextMessage(news, parts.clock.now());
        if (await send(text)) queue.told(told);
        await sleep(scheduler, send.pause(), signal);
        // What happened meanwhile is told together with what still waits.
        if (!signal.aborted) await queue.readOn(signal);
      }
    } catch (error) {
      const reason = messageOf(error);
      log.error('events could not be read for the chat; the gateway will try again', { reason });
      await sleep(scheduler, LONGEST_PAUSE_MS, signal);
      runAgain = true;
    }
  }

  const unsubscribe = feed.onAppended(() => soon(COLLECT_MS));
  soon(0);
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      unsubscribe();
      cancelRun?.();
      await running;
      queue?.keep();
    },
  };
}

interface Sender {
  /** One attempt: whether the text was taken. */
  (text: string): Promise<boolean>;
  /** How long to wait before the next one, ms. */
  pause(): number;
}

function sender({ messenger, log }: OrderLinesParts, signal: AbortSignal): Sender {
  let next = COLLECT_MS;
  let failures = 0;
  const send = async (text: string): Promise<boolean> => {
    const result = await messenger.send(sendable(text), { signal });
    if (result.kind === 'sent') {
      [next, failures] = [COLLECT_MS, 0];
      return true;
    }
    if (!signal.aborted && (failures === 0 || result.kind === 'refused')) {
      log.warn('orders could not be told in the chat; the gateway will try again', {
        reason: result.reason,
      });
    }
    const usual = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS);
    next = result.kind === 'away' ? (result.retryAfterMs ?? usual) : REFUSED_PAUSE_MS;
    failures = Math.min(failures + 1, 10);
    return false;
  };
  return Object.assign(send, { pause: () => next });
}

/** As many lines as one message takes, or a summary of all. */
function nextMessage(
  news: readonly LineNews[],
  now: EpochMs,
): { readonly text: string; readonly told: readonly LineNews[] } {
  if (news.length > MOST_LINES) return { text: summaryText(news), told: news };
  let text = '';
  const told: LineNews[] = [];
  for (const each of news) {
    const line = orderLine(each, now);
    if (told.length > 0 && text.length + line.length + 2 > LONGEST_MESSAGE) break;
    text = told.length === 0 ? line : `${text}\n\n${line}`;
    told.push(each);
  }
  return { text, told };
}
