import type { BrokerId } from '../../domain/broker.ts';
import type { TriggerPort, Triggers } from '../../domain/ports.ts';
import type { TriggerId } from '../../units/branded.ts';
import type { ExecutionBroker } from '../reconcile/broker-watches.ts';
import { createChangeTrigger } from './change-trigger.ts';
import { createPlaceTrigger, type PlaceTrigger } from './place-trigger.ts';
import { createResolveTrigger, type ResolveTrigger } from './resolve-trigger.ts';
import type {
  ChangeCommand,
  ChangeResult,
  TriggerCommand,
  TriggerParts,
  TriggerResult,
} from './trigger-parts.ts';
import type { TriggerRecord } from './trigger.ts';
import { createUnexplainedRows, type UnexplainedRows } from './unexplained-rows.ts';
import { createTriggerWatch, type TriggerWatch, type TriggerWatches } from './trigger-watch.ts';

/** Triggers of the gateway, at brokers where they have calls of their own (docs/triggers.md). */
export interface TriggerExecution {
  place(command: TriggerCommand): Promise<TriggerResult>;
  readonly repeated: PlaceTrigger['repeated'];
  /** Modifies a trigger, or deletes it where `changes` is null. */
  change(command: ChangeCommand): Promise<ChangeResult>;
  readonly resolve: ResolveTrigger;
  /** Also one of a day that is no longer in memory; null where there is none. */
  trigger(id: TriggerId): Promise<TriggerRecord | null>;
  /** Null for a broker without triggers of its own. */
  watch(broker: BrokerId): TriggerWatch | null;
  /** Orders of a book that triggers may have placed without that being known. */
  readonly unexplained: UnexplainedRows;
}

export interface TriggerWork extends TriggerExecution {
  start(): void;
  /** A broker's session has changed: its list can be read again. */
  wake(broker: BrokerId): void;
  stop(): void;
}

export type TriggerWorkParts = Omit<TriggerParts, 'watches'> & {
  readonly brokers: readonly ExecutionBroker[];
  readonly track: <T>(work: Promise<T>) => Promise<T>;
};

export function createTriggers(parts: TriggerWorkParts): TriggerWork {
  const { writer, journal, track } = parts;
  const watches = new Map<BrokerId, TriggerWatch>();
  const all = { ...parts, watches: watches as TriggerWatches };
  const { place, repeated } = createPlaceTrigger(all);
  const { change, deleteKept } = createChangeTrigger(all);
  const resolve = createResolveTrigger(all);
  for (const { trading, triggers } of parts.brokers) {
    const calls = triggers && callsOf(triggers);
    if (!triggers || !calls) continue;
    const of = { trading, triggers, calls };
    const keep = (id: TriggerId): Promise<void> => track(deleteKept(id));
    const scheduleBook = (): void => parts.pollerOf(trading).schedule();
    const watch = createTriggerWatch({ ...parts, of, deleteKept: keep, scheduleBook });
    watches.set(trading.broker, watch);
  }
  return {
    place: (command) => track(place(command)),
    repeated,
    change: (command) => track(change(command)),
    resolve: (command) => track(resolve(command)),
    trigger: async (id) => writer.state.triggers.get(id) ?? (await journal.trigger(id)),
    watch: (broker) => watches.get(broker) ?? null,
    unexplained: createUnexplainedRows({ ...parts, state: writer.state, watches }),
    start() {
      for (const each of watches.values()) each.wakeIfDue();
    },
    wake: (broker) => watches.get(broker)?.wakeIfDue(),
    stop() {
      for (const each of watches.values()) each.stop();
    },
  };
}

/** Of a broker whose triggers are not orders of its book. */
const callsOf = ({ inBook, calls }: Triggers): TriggerPort | null =>
  inBook ? null : (calls ?? null);
