import type { CancelResult } from '../../domain/cancel-all.ts';
import type { InstrumentName } from '../../domain/instrument.ts';
import type { BrokerId } from '../../domain/broker.ts';
import { mayTrigger, type BrokerTrigger, type OwnTriggerStatus } from '../../domain/trigger.ts';
import type { TriggerOutcome } from '../../domain/ports.ts';
import { messageOf } from '../../platform/values.ts';
import type { TriggerId } from '../../units/branded.ts';
import { type ExecutionState, required } from '../journal/state.ts';
import { triggerBindingOf, type TriggerRecord, triggerStatusOf } from '../triggers/trigger.ts';
import {
  AT_ONCE,
  createQueue,
  outcomeTold,
  type Sent,
  type Told,
  untilSent,
  WAITS,
  withDisk,
} from './cancel-items.ts';
import type { CancelRunRecord, ExternalTriggerOfRun } from './cancel-run.ts';
import { createDeleteExternal, type DeleteExternalParts } from './delete-external.ts';
import type { FixTriggersParts, ListOfRun } from './fix-triggers.ts';

/** How one of the triggers stands now. */
export interface TriggerItem {
  /** Null for one placed elsewhere. */
  readonly id: TriggerId | null;
  /** The broker's id; null where it is not known. */
  readonly triggerId: string | null;
  readonly broker: BrokerId;
  readonly instrument: InstrumentName;
  /** Null where no list shows it. */
  readonly status: OwnTriggerStatus | BrokerTrigger['status'] | null;
  readonly result: CancelResult;
  /** For people; null where nothing needs to be said. */
  readonly reason: string | null;
  /** The deletion is not on disk: a restart forgets it. */
  readonly onDisk?: false;
}

export interface TriggerItemsParts extends FixTriggersParts, DeleteExternalParts {
  readonly closing: () => boolean;
}

/** The deletions of one request: each goes out once it is added, and tells how it stands. */
export interface TriggerItems {
  addOwn(ids: readonly TriggerId[]): void;
  /** The triggers placed elsewhere of a request, as a list shows them. */
  addExternal(run: CancelRunRecord, list: ListOfRun): void;
  all(): readonly TriggerItem[];
  whenDone(): Promise<void>;
}

export function createTriggerItems(
  parts: TriggerItemsParts,
): (key: string | null, run: () => CancelRunRecord | null) => TriggerItems {
  const { writer, clock } = parts;
  const { state } = writer;
  const deleteExternal = createDeleteExternal(parts);

  return function createItems(key, run) {
    const items = new Map<string, () => TriggerItem>();
    const queue = createQueue(AT_ONCE);

    async function deleteOwn(id: TriggerId): Promise<Sent> {
      const caller = run()?.caller ?? '';
      const idempotencyKey = key === null ? null : `cancel-all\n${key}`;
      const asked = { changes: null, lastPrice: null, forcedBy: null } as const;
      const { change, onDisk } = await parts.triggers.change({
        id,
        caller,
        idempotencyKey,
        ...asked,
      });
      const reason = change?.reason ?? null;
      switch (change?.state) {
        case 'refused':
        case 'not_taken':
          return { result: 'refused', reason, again: false };
        case 'not_sent':
          return { result: 'not_sent', reason, again: true };
        default:
          return { result: 'cancelling', reason: null, ...withDisk(onDisk), again: false };
      }
    }

    function addOwn(ids: readonly TriggerId[]): void {
      for (const id of ids) {
        if (items.has(id) || !state.triggers.has(id)) continue;
        let told = WAITS;
        items.set(id, () => ownItem(state, id, told));
        queue.add(async () => {
          told = await untilSent(parts, () => deleteOwn(id));
        });
      }
    }

    function addExternal(of: CancelRunRecord, { watch, read }: ListOfRun): void {
      const { broker } = watch.of.trading;
      for (const wanted of of.triggers?.external ?? []) {
        const name = `${broker}:${wanted.triggerId}`;
        if (wanted.broker !== broker || items.has(name)) continue;
        let row = rowOf(read.list.triggers, wanted);
        let told: Told = wanted.state === 'sent' ? SENT_BEFORE : WAITS;
        items.set(name, () => externalItem(wanted, row, told));
        if (wanted.state === 'sent' || row === null || !mayTrigger(row)) continue;
        queue.add(async () => {
          let outcome: TriggerOutcome | null = null;
          told = await untilSent(parts, async () => {
            outcome = await deleteExternal(of, { watch, wanted, account: read.account });
            return outcomeTold(outcome);
          });
          if (!isTaken(outcome)) return;
          const since = await watch.read(clock.elapsed()).catch(messageOf);
          if (typeof since !== 'string') row = rowOf(since.list.triggers, wanted);
        });
      }
    }

    return {
      ...{ addOwn, addExternal },
      all: () => [...items.values()].map((item) => item()),
      whenDone: () => queue.idle(),
    };
  };
}

const SENT_BEFORE: Told = {
  result: 'cancelling',
  reason: 'a deletion was sent before: none was sent now',
};

const isTaken = (outcome: TriggerOutcome | null): boolean =>
  outcome?.kind === 'acknowledged' || outcome?.kind === 'uncertain';

const rowOf = (
  rows: readonly BrokerTrigger[],
  { triggerId }: ExternalTriggerOfRun,
): BrokerTrigger | null => rows.find((row) => row.triggerId === triggerId) ?? null;

/** How a trigger of ours stands: its own state decides, and what was told of its deletion where it is open. */
function ownItem(state: ExecutionState, id: TriggerId, told: Told): TriggerItem {
  const trigger = required(state.triggers, id, 'trigger');
  const { broker, terms } = trigger;
  const triggerId = triggerBindingOf(trigger)?.triggerId ?? null;
  const of = { id, triggerId, broker, instrument: terms.instrument };
  return { ...of, status: triggerStatusOf(trigger), ...ownNow(trigger, told) };
}

function ownNow({ state }: TriggerRecord, told: Told): Told {
  switch (state.kind) {
    case 'ended':
      return { result: 'cancelled', reason: state.reason };
    case 'triggered':
      return { result: 'over', reason: 'it has placed its order, or tried to' };
    case 'refused':
    case 'not_sent':
    case 'absent':
      return { result: 'over', reason: state.reason };
    case 'uncertain':
      return told.result === 'cancelling'
        ? { ...told, result: 'uncertain', reason: `${state.reason}; the deletion is kept` }
        : told;
    default:
      return told;
  }
}

/** A list that lacks one that was deleted forgets what has ended. */
function externalItem(
  { broker, triggerId, instrument }: ExternalTriggerOfRun,
  row: BrokerTrigger | null,
  told: Told,
): TriggerItem {
  const of = { id: null, triggerId, broker, instrument, status: row?.status ?? null };
  if (row?.status === 'triggered') {
    return { ...of, result: 'over', reason: 'it has placed its order, or tried to' };
  }
  if (row?.status === 'ended') return { ...of, result: 'cancelled', reason: row.rawStatus };
  if (row !== null) return { ...of, ...told };
  const isSeen = told.result === 'cancelling' || told.result === 'uncertain';
  return isSeen
    ? { ...of, result: 'cancelled', reason: "the broker's list has it no more" }
    : { ...of, ...told };
}
