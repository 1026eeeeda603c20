import type { BrokerId } from '../../domain/broker.ts';
import { GatewayProblem } from '../../domain/problem.ts';
import { sleep } from '../../platform/clock.ts';
import { messageOf } from '../../platform/values.ts';
import type { TriggerId } from '../../units/branded.ts';
import { callerKey } from '../journal/records.ts';
import type { TriggersRead } from '../triggers/trigger-reader.ts';
import type { TriggerWatch } from '../triggers/trigger-watch.ts';
import { mayStillTrigger } from '../triggers/trigger.ts';
import type { TriggerExecution } from '../triggers/triggers.ts';
import type { CancelRunRecord } from './cancel-run.ts';
import { BOOK_MS, type CancelAllCommand, type UnreadOfRun } from './cancel-command.ts';
import { madeUntil } from './made-until.ts';
import { type FixSetParts, withUnwritten, writeRun } from './fix-set.ts';
import { isMatch, isOthers, ownTriggers } from './triggers-of-run.ts';

export interface FixTriggersParts extends FixSetParts {
  readonly triggers: Pick<TriggerExecution, 'watch' | 'change' | 'unexplained'>;
}

/** A list of triggers that was read for a request. */
export interface ListOfRun {
  readonly watch: TriggerWatch;
  readonly read: TriggersRead;
}

/** Says which triggers a request to cancel many is about, as fix-set.ts says which orders. */
export function createFixTriggers(parts: FixTriggersParts) {
  const { writer, clock } = parts;
  const { state } = writer;

  /** Of an account all lists; of a caller those of brokers at which it has triggers that a list may show again. */
  function listsToRead(command: CancelAllCommand): readonly TriggerWatch[] {
    if (command.triggers !== true) return [];
    const own = new Set(ownTriggers(state, command).map(({ broker }) => broker));
    return command.brokers
      .filter((broker) => command.scope === 'account' || own.has(broker))
      .flatMap((broker) => parts.triggers.watch(broker) ?? []);
  }

  async function readOf(watch: TriggerWatch, unread: UnreadOfRun[]): Promise<readonly ListOfRun[]> {
    const { broker } = watch.of.trading;
    const over = new AbortController();
    const late = sleep(parts.scheduler, BOOK_MS, over.signal).then((): never => {
      throw new Error(`its answer took longer than ${BOOK_MS / 1_000} s`);
    });
    try {
      const read = await Promise.race([watch.read(clock.elapsed()), late]);
      if (read.list.unread.length > 0) {
        unread.push({ broker, why: unreadable(broker, 'rows of it cannot be read') });
      }
      return [{ watch, read }];
    } catch (error) {
      unread.push({ broker, why: unreadable(broker, messageOf(error)) });
      return [];
    } finally {
      over.abort();
    }
  }

  /**
   * Triggers of the gateway that a list has shown to wait again, and those placed elsewhere: those of each list
   * once, when it was first read whole.
   */
  async function addFromLists(
    command: CancelAllCommand,
    begun: CancelRunRecord,
    lists: readonly ListOfRun[],
  ): Promise<CancelRunRecord> {
    const stored = state.cancelRuns.get(callerKey(begun.caller, begun.idempotencyKey));
    const now = stored === undefined ? begun : withUnwritten(stored, begun);
    const { triggers } = now;
    if (triggers === undefined) return now;
    const again = ownTriggers(state, command)
      .filter((trigger) => mayStillTrigger(trigger) && trigger.createdAt < now.at)
      .map(({ id }) => id)
      .filter((id) => !triggers.ids.includes(id));
    const due = lists.filter(({ watch }) => triggers.toRead.includes(watch.of.trading.broker));
    const found = due.flatMap(({ watch, read }) => {
      const { broker } = watch.of.trading;
      const until = madeUntil(watch.of.trading, clock, now.at);
      return read.list.triggers
        .filter(
          (row) => isOthers(state, broker, row, until) && isMatch(command.matches, broker, row),
        )
        .filter(
          ({ triggerId }) =>
            !triggers.external.some(
              (each) => each.broker === broker && each.triggerId === triggerId,
            ),
        )
        .map(({ triggerId, instrument }) => ({
          ...{ broker, triggerId, instrument, state: 'wanted' as const },
        }));
    });
    const whole = due.filter(({ read }) => read.list.unread.length === 0);
    const toRead = triggers.toRead.filter(
      (broker) => !whole.some(({ watch }) => watch.of.trading.broker === broker),
    );
    if (again.length + found.length === 0 && toRead.length === triggers.toRead.length) return now;
    const ids: readonly TriggerId[] = [...triggers.ids, ...again];
    const external = [...triggers.external, ...found];
    return writeRun(parts, { ...now, triggers: { ids, external, toRead } });
  }

  return { listsToRead, readOf, addFromLists };
}

function unreadable(broker: BrokerId, why: string): GatewayProblem {
  return new GatewayProblem({
    code: 'broker_unavailable',
    detail: `the list of triggers of ${broker} could not be read whole (${why}), so triggers may wait there`,
    broker,
    mayHaveExecuted: false,
  });
}
