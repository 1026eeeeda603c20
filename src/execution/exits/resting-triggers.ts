import { mayTrigger, orderOfLeg } from '../../domain/trigger.ts';
import type { BrokerTrigger, TriggerList } from '../../domain/trigger.ts';
import { sleep } from '../../platform/clock.ts';
import { messageOf } from '../../platform/values.ts';
import { decideAlert } from '../journal/decide-notes.ts';
import { isSameShares } from '../reconcile/book-shares.ts';
import type { IsinOf } from '../reconcile/held.ts';
import { ownerOfRow } from '../triggers/match-trigger.ts';
import { mayStillTrigger, type TriggerRecord } from '../triggers/trigger.ts';
import { type ExitParts, sharesOf } from './exit-parts.ts';
import type { ExitRecord } from './exit.ts';

/** Triggers that wait at the broker, and could trade once more what an exit has ended (docs/exits.md). */
export interface RestingTriggers {
  /** Those of the gateway that may still place an order for the shares of the exit. */
  live(exit: ExitRecord): readonly TriggerRecord[];
  /**
   * Has those of the gateway deleted, and names the others in an alert, or ends them where the exit is to. Resolves
   * within three seconds, with what could not be seen to; null where there is nothing. Never rejects.
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
      const read = watch.read(clock.elapsed()).then(({ list }) => list, messageOf);
      const list = await Promise.race([read, late]);
      if (typeof list === 'string') return await others.unread(exit, list);
      return await others.seeTo(exit, list);
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

/** Triggers that the gateway did not place: it ends them where the exit is to, and names them else. */
function createOtherTriggers(parts: ExitParts, isinOf: IsinOf) {
  const { clock } = parts;
  const { state } = parts.writer;
  /** What was told already: each exit tells it once. */
  const told = new Set<string>();

  async function unread(exit: ExitRecord, why: string): Promise<string> {
    const what =
      `the triggers of ${exit.broker} could not be read (${why}): one that waits there could trade ` +
      `${exit.instrument} again`;
    await tell(exit, what);
    return what;
  }

  /** Those placed elsewhere: ended where that was asked for, else named. */
  async function seeTo(exit: ExitRecord, list: TriggerList): Promise<string | null> {
    const found = list.triggers.filter((row) => isOther(exit, row)).map((row) => row.triggerId);
    const hidden = list.unread.filter(
      ({ instrument }) => instrument === null || instrument === exit.instrument,
    );
    const left = exit.cancelExternal === true ? await endAll(exit, found) : found;
    const names = [...left, ...hidden.map(({ triggerId }) => triggerId ?? 'one without an id')];
    if (names.length === 0) return null;
    const what =
      `triggers at ${exit.broker} that the gateway did not place, or cannot read, could trade ` +
      `${exit.instrument} again: ${names.join(', ')}`;
    await tell(exit, what);
    return what;
  }

  function isOther(exit: ExitRecord, row: BrokerTrigger): boolean {
    if (!mayTrigger(row) || ownerOfRow(state, exit.broker, row) !== null) return false;
    const { side, product } = exit;
    return row.legs.some(
      (leg) =>
        leg.side === side &&
        leg.product === product &&
        isSameShares(sharesOf(exit), { side, product, instrument: row.instrument }, isinOf),
    );
  }

  /** The ids of those that were not ended. */
  async function endAll(exit: ExitRecord, ids: readonly string[]): Promise<readonly string[]> {
    const calls = parts.triggers.watch(exit.broker)?.of.calls;
    const left: string[] = [];
    for (const id of ids) {
      const outcome = await calls?.remove(id);
      if (outcome?.kind !== 'acknowledged') left.push(id);
    }
    return left;
  }

  async function tell(exit: ExitRecord, what: string): Promise<void> {
    const key = `${exit.id} ${what}`;
    if (told.has(key)) return;
    told.add(key);
    const message = `exit ${exit.id} goes on, but ${what}. Look in the broker's app`;
    await parts.commitRetry.commit((current) =>
      decideAlert(current, { level: 'warning', message, at: clock.now() }),
    );
  }

  return { unread, seeTo };
}
