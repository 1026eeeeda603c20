import {
  type Signal,
  type SignalJournal,
  signalState,
  type SignalTold,
} from '../../domain/signal.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Decision, SingleWriter } from '../../platform/single-writer.ts';
import type { EpochMs } from '../../units/branded.ts';
import { decideAlert } from '../journal/decide-notes.ts';
import type { Journal } from '../journal/journal.ts';
import { callerKey, type Change } from '../journal/records.ts';
import type { ExecutionState } from '../journal/state.ts';
import { reasonOf, statusOf } from '../order/order.ts';
import { UnitOfWork } from '../journal/unit-of-work.ts';

export interface SignalJournalParts {
  readonly writer: SingleWriter<ExecutionState, Change>;
  readonly journal: Journal;
  readonly clock: Clock;
}

/** Signals are on disk alone: the orders that they place are what the state has (docs/signals.md). */
export function createSignalJournal({ writer, journal, clock }: SignalJournalParts): SignalJournal {
  return {
    write: (signal, told) =>
      writer.submit((state) => decideSignal(state, signal, told, clock.now())),
    ofAlert: (hookId, alertId) => journal.signalOfAlert(hookId, alertId),
    newest: (query) => journal.newestSignals(query),
    open: () => journal.openSignals(),
    async orderUnder(caller, idempotencyKey) {
      const { orderByKey, orders } = writer.state;
      const known = orders.get(orderByKey.get(callerKey(caller, idempotencyKey)) ?? '');
      const order = known ?? (await journal.orderUnderKey(caller, idempotencyKey));
      return order && { id: order.id, status: statusOf(order), reason: reasonOf(order) };
    },
    isDiskLow: () => writer.state.disk.isLow,
    alert: (message) =>
      writer.submit((state) => decideAlert(state, { level: 'critical', message, at: clock.now() })),
  };
}

function decideSignal(
  state: ExecutionState,
  signal: Signal,
  { event, alert }: SignalTold,
  at: EpochMs,
): Decision<Change, undefined> {
  const unit = new UnitOfWork(state, at);
  unit.changes.push({ table: 'signals', key: signal.id, row: signal });
  const told = { signal: { ...signal, state: signalState(signal) } };
  if (event !== null) unit.event(event, null, told, { caller: signal.caller });
  if (alert !== null) unit.alert('warning', null, alert);
  return { changes: unit.changes, reply: undefined };
}
