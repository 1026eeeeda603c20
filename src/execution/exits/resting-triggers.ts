import { orderOfLeg } from '../../domain/trigger.ts';
import { sleep } from '../../platform/clock.ts';
import { messageOf } from '../../platform/values.ts';
import { isSameShares } from '../reconcile/book-shares.ts';
import type { IsinOf } from '../reconcile/held.ts';
import { mayStillTrigger, type TriggerRecord } from '../triggers/trigger.ts';
import { type ExitParts, sharesOf } from './exit-parts.ts';
import type { ExitRecord } from './exit.ts';
import { createOtherTriggers } from './other-triggers.ts';

/** Triggers that wait at the broker, and could trade once more what an exit has ended (docs/exits.md). */
export interface RestingTriggers {
  /** Those of the gateway that may still place an order for the shares of the exit. */
  live(exit: ExitRecord): readonly TriggerRecord[];
  /**
   * Has those of the gateway deleted, and names the others in an alert, or ends them where the exit is to. Resolves
   * within three seconds, with what could not be seen to; null where there is nothing. What has not answered by then
   * goes on. Never rejects.
   */
  clear(exit: ExitRecord): Promise<string | null>;
}

const READ_MS = 3_000;

export function createRestingTriggers(parts: ExitParts, isinOf: IsinOf): RestingTriggers {
  const { clock, log } = parts;
  const { state } = parts.writer;
  const others = createOtherTriggers(parts, isinOf);

  function live(exit: ExitRecord): readonly TriggerRecord[] {
    // An exit that takes the place of one order leaves what else protects the position.
    if (exit.orderId !== null) return [];
    const shares = sharesOf(exit);
    return [...state.triggers.values()].filter(
      (trigger) =>
        trigger.broker === exit.broker &&
        mayStillTrigger(trigger) &&
        trigger.terms.legs.some((leg) =>
          isSameShares(shares, orderOfLeg(trigger.terms.instrument, leg), isinOf),
        ),
    );
  }

  async function clear(exit: ExitRecord): Promise<string | null> {
    const watch = parts.triggers.watch(exit.broker);
    if (watch === null || exit.orderId !== null) return null;
    const over = new AbortController();
    const late = sleep(parts.scheduler, READ_MS, over.signal).then(() => 'it took too long');
    try {
      const own = Promise.all(live(exit).map(remove));
      await Promise.race([own, late]);
      const read = await Promise.race([watch.read(clock.elapsed()).catch(messageOf), late]);
      if (typeof read === 'string') return await others.unread(exit, read);
      return await others.seeTo(exit, { watch, read, late });
    } finally {
      over.abort();
    }
  }

  async function remove(trigger: TriggerRecord): Promise<void> {
    const { id, caller } = trigger;
    // What was asked for is repeated by itself (trigger-watch.ts).
    if (trigger.isDeleteWanted) return parts.triggers.watch(trigger.broker)?.wake();
    const asked = { idempotencyKey: null, changes: null, lastPrice: null, forcedBy: null };
    try {
      await parts.triggers.change({ id, caller, ...asked });
    } catch (error) {
      const reason = messageOf(error);
      log.warn('a trigger could not be deleted for an exit', { orderId: id, reason });
    }
  }

  return { live, clear };
}
