import type { Log } from './log.ts';
import type { Messenger, SendResult } from './messenger.ts';
import { type Scheduler, sleep } from './clock.ts';

export interface DeliveryParts {
  readonly messenger: Messenger;
  readonly scheduler: Scheduler;
  readonly log: Log;
}

export interface DeliveryOptions {
  readonly signal: AbortSignal;
  /** Called before each attempt: whether the text is still wanted. Absent means always. */
  readonly wanted?: () => boolean;
}

/** `dropped`: no longer wanted. `stopped`: aborted; the text may or may not have been sent. */
export type Delivered =
  | Exclude<SendResult, { kind: 'away' }>
  | { readonly kind: 'dropped' }
  | { readonly kind: 'stopped' };

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** Retries until the service accepts or refuses the text, with pauses that grow to a minute. */
export async function deliver(
  parts: DeliveryParts,
  text: string,
  { signal, wanted = () => true }: DeliveryOptions,
): Promise<Delivered> {
  const { messenger, scheduler, log } = parts;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    if (signal.aborted) return { kind: 'stopped' };
    if (!wanted()) return { kind: 'dropped' };
    const result = await messenger.send(text, { signal });
    if (result.kind !== 'away') return result;
    if (signal.aborted) return { kind: 'stopped' };
    if (pause === FIRST_PAUSE_MS) {
      log.warn('a message could not be sent; the gateway will try again', {
        reason: result.reason,
      });
    }
    await sleep(scheduler, result.retryAfterMs ?? pause, signal);
  }
}
