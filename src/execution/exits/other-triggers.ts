import { mayBeOfProduct } from '../../domain/order.ts';
import type { TriggerOutcome } from '../../domain/ports.ts';
import { type BrokerTrigger, mayTrigger } from '../../domain/trigger.ts';
import { decideAlert } from '../journal/decide-notes.ts';
import { isSameShares } from '../reconcile/book-shares.ts';
import type { IsinOf } from '../reconcile/held.ts';
import { ownerOfRow } from '../triggers/match-trigger.ts';
import { brokenPort } from '../triggers/send-trigger.ts';
import type { TriggersRead } from '../triggers/trigger-reader.ts';
import type { TriggerWatch } from '../triggers/trigger-watch.ts';
import { type ExitParts, sharesOf } from './exit-parts.ts';
import type { ExitRecord } from './exit.ts';

/** A list of triggers as it was read for an exit. */
interface SeenList {
  readonly watch: TriggerWatch;
  readonly read: TriggersRead;
  /** Settles when the exit waits no longer. */
  readonly late: Promise<unknown>;
}

/** A deletion that was asked for; `outcome` is null until it is known. */
interface Deletion {
  outcome: TriggerOutcome | null;
  readonly done: Promise<void>;
}

/** Triggers that the gateway did not place: an exit ends them where it is to, and names them else (docs/exits.md). */
export function createOtherTriggers(parts: ExitParts, isinOf: IsinOf) {
  const { clock, log } = parts;
  const { state } = parts.writer;
  /** What was told already: each exit tells it once. */
  const told = new Set<string>();
  /** By the broker's id. */
  const deletions = new Map<string, Deletion>();

  async function unread(exit: ExitRecord, why: string): Promise<string> {
    const what =
      `the triggers of ${exit.broker} could not be read (${why}): one that waits there could trade ` +
      `${exit.instrument} again`;
    await tell(exit, what);
    return what;
  }

  /** Those placed elsewhere: ended where that was asked for, else named. */
  async function seeTo(exit: ExitRecord, seen: SeenList): Promise<string | null> {
    const { list } = seen.read;
    const found = list.triggers.filter((row) => isOther(exit, row));
    const hidden = list.unread.filter(
      ({ instrument }) => instrument === null || instrument === exit.instrument,
    );
    const { left, unknown } =
      exit.cancelExternal === true
        ? await endAll(exit, found, seen)
        : { left: found.map(({ triggerId }) => triggerId), unknown: [] };
    const names = [...left, ...hidden.map(({ triggerId }) => triggerId ?? 'one without an id')];
    const what = [
      ...(names.length === 0 ? [] : [`${wordsOf(exit, ', or cannot read,')}: ${names.join(', ')}`]),
      ...(unknown.length === 0
        ? []
        : [
            `${wordsOf(exit, '')}, and it is not known whether they are ended: ${unknown.join(', ')}`,
          ]),
    ].join('; ');
    if (what === '') return null;
    await tell(exit, what);
    return what;
  }

  function isOther(exit: ExitRecord, row: BrokerTrigger): boolean {
    if (!mayTrigger(row) || ownerOfRow(state, exit.broker, row) !== null) return false;
    const { side, product } = exit;
    return row.legs.some(
      (leg) =>
        leg.side === side &&
        mayBeOfProduct(leg.product, product) &&
        isSameShares(sharesOf(exit), { side, product, instrument: row.instrument }, isinOf),
    );
  }

  /** The ids of those that were not ended, and of those of which nobody knows it in time: their deletions go on. */
  async function endAll(exit: ExitRecord, rows: readonly BrokerTrigger[], seen: SeenList) {
    const asked = rows.map((row) => ({ id: row.triggerId, deletion: deletionOf(exit, row, seen) }));
    await Promise.race([Promise.all(asked.map(({ deletion }) => deletion.done)), seen.late]);
    const idsOf = (...kinds: readonly (TriggerOutcome['kind'] | undefined)[]): readonly string[] =>
      asked.flatMap(({ id, deletion }) => (kinds.includes(deletion.outcome?.kind) ? [id] : []));
    return { left: idsOf('refused', 'not_sent'), unknown: idsOf('uncertain', undefined) };
  }

  /** One that is under way is not asked for twice; one that a later list still shows is asked for again. */
  function deletionOf(exit: ExitRecord, row: BrokerTrigger, { watch, read }: SeenList): Deletion {
    const { triggerId, instrument } = row;
    const known = deletions.get(triggerId);
    if (known?.outcome === null) return known;
    const { id, caller, broker } = exit;
    const wanted = { broker, triggerId, instrument };
    const sent = parts
      .deleteExternal(
        { id, caller, idempotencyKey: null },
        { watch, wanted, account: read.account },
      )
      .catch(brokenPort);
    const done = sent.then((outcome) => {
      deletion.outcome = outcome;
      if (outcome.kind === 'acknowledged') return;
      const fields = { broker, orderId: triggerId, reason: outcome.reason };
      log.warn('a trigger placed elsewhere was not ended for an exit', fields);
    });
    const deletion: Deletion = { outcome: null, done };
    deletions.set(triggerId, deletion);
    return deletion;
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

const wordsOf = ({ broker, instrument }: ExitRecord, or: string): string =>
  `triggers at ${broker} that the gateway did not place${or} could trade ${instrument} again`;
