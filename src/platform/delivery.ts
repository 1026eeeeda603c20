import type { Log } from './log.ts';
import type { Messenger, SendResult } from './messenger.ts';
import { sleep, type Scheduler } from './scheduler.ts';

export interface DeliveryParts {
  readonly messenger: Messenger;
  readonly scheduler: Scheduler;
  readonly log: Log;
}

export interface DeliveryOptions {
  readonly signal: AbortSignal;
  /** Asked before each try: whether the text is still of use. Always, when absent. */
  readonly wanted?: () => boolean;
}

/** `dropped`: no longer wanted. `stopped`: the signal came; whether it was sent is not known. */
export type Delivered =
  | Exclude<SendResult, { kind: 'away' }>
  | { readonly kind: 'dropped' }
  | { readonly kind: 'stopped' };

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** Sends until the service takes the text or refuses it, with pauses that grow to a minute. */
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
      log.warn('a message could not be sent; it is tried again', { reason: result.reason });
    }
    await sleep(scheduler, result.retryAfterMs ?? pause, signal);
  }
}
