import type { OrderOfSignal, Signal, SignalJournal, SignalOrder } from '../domain/signal.ts';
import { type Scheduler, sleep } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { messageOf } from '../platform/values.ts';

/** An order as the journal has it; null where there is none. `unread` where the journal cannot tell, which is not the same. */
export type LookedUp = OrderOfSignal | null | 'unread';

interface LookUpParts {
  readonly journal: Pick<SignalJournal, 'orderUnder' | 'alert'>;
  readonly scheduler: Scheduler;
  readonly log: Log;
}

/** What the disk did not take, or the journal could not tell, is tried again after this time. */
const AGAIN_MS = 10_000;

/** How the orders of signals are looked up in the journal, until `stopped`. None of it rejects. */
export function createLookUps({ journal, scheduler, log }: LookUpParts, stopped: AbortSignal) {
  async function orderUnder(
    { caller }: Signal,
    { idempotencyKey }: SignalOrder,
  ): Promise<LookedUp> {
    try {
      return await journal.orderUnder(caller, idempotencyKey);
    } catch (error) {
      log.warn('the order of a signal could not be looked up', { reason: messageOf(error) });
      return 'unread';
    }
  }

  /** The same, asked again until the journal can tell; `unread` only where the gateway stops before. */
  async function lookUp(signal: Signal, order: SignalOrder): Promise<LookedUp> {
    for (let isTold = false; ; isTold = true) {
      const made = await orderUnder(signal, order);
      if (made !== 'unread') return made;
      if (!isTold) await tell(unknownText(signal, order));
      if (await pause()) return 'unread';
    }
  }

  /** Resolves with whether the gateway stops. */
  async function pause(): Promise<boolean> {
    await sleep(scheduler, AGAIN_MS, stopped);
    return stopped.aborted;
  }

  /** Never rejects: what the disk does not take is in the log. */
  async function tell(message: string): Promise<void> {
    try {
      await journal.alert(message);
    } catch (error) {
      log.error(message, { reason: messageOf(error) });
    }
  }

  return { orderUnder, lookUp, pause, tell };
}

const unknownText = ({ id, hookName }: Signal, { request }: SignalOrder): string =>
  `signal ${id} of the hook ${hookName}: whether its order to ${request.side} ${request.quantity} ${request.instrument} was ` +
  "placed is not known, because the journal cannot tell now. It is looked up again. Look for it in the broker's app";
