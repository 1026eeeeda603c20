import type { Decision } from '../../platform/single-writer.ts';
import type { EpochMs } from '../../units/branded.ts';
import { callerKey, type Change } from '../journal/records.ts';
import type { ExecutionState } from '../journal/state.ts';
import { UnitOfWork } from '../journal/unit-of-work.ts';
import type { CancelRunRecord, ExternalOfRun, ExternalTriggerOfRun } from './cancel-run.ts';

/** Writes down which orders a request is about, or more of them once the books were read. */
export function decideRun(
  state: ExecutionState,
  run: CancelRunRecord,
  at: EpochMs,
): Decision<Change, CancelRunRecord> {
  const unit = new UnitOfWork(state, at);
  putRun(unit, run);
  const { id, caller, orderIds, external, triggers } = run;
  const about = {
    ...{ id, caller, orderIds, external },
    ...(triggers === undefined
      ? {}
      : { triggerIds: triggers.ids, externalTriggers: triggers.external }),
  };
  unit.event('order.cancel_all', null, about, { caller });
  return { changes: unit.changes, reply: run };
}

/** Notes of an order placed elsewhere whether its cancel may have left. */
export function noteExternal(
  unit: UnitOfWork,
  run: { readonly caller: string; readonly idempotencyKey: string },
  row: Pick<ExternalOfRun, 'broker' | 'brokerOrderId'>,
  as: ExternalOfRun['state'],
): void {
  const known = unit.state.cancelRuns.get(callerKey(run.caller, run.idempotencyKey));
  // A disk that took nothing when the request began has no row of it.
  if (!known) return;
  const external = known.external.map((each) =>
    isSameRow(each, row) ? { ...each, state: as } : each,
  );
  putRun(unit, { ...known, external });
}

/** The same of a trigger placed elsewhere. */
export function noteExternalTrigger(
  unit: UnitOfWork,
  run: { readonly caller: string; readonly idempotencyKey: string },
  wanted: Pick<ExternalTriggerOfRun, 'broker' | 'triggerId'>,
  as: ExternalTriggerOfRun['state'],
): void {
  const known = unit.state.cancelRuns.get(callerKey(run.caller, run.idempotencyKey));
  if (known?.triggers === undefined) return;
  const { broker, triggerId } = wanted;
  const external = known.triggers.external.map((each) =>
    each.broker === broker && each.triggerId === triggerId ? { ...each, state: as } : each,
  );
  putRun(unit, { ...known, triggers: { ...known.triggers, external } });
}

export const isSameRow = (
  one: Pick<ExternalOfRun, 'broker' | 'brokerOrderId'>,
  other: Pick<ExternalOfRun, 'broker' | 'brokerOrderId'>,
): boolean => one.broker === other.broker && one.brokerOrderId === other.brokerOrderId;

function putRun(unit: UnitOfWork, row: CancelRunRecord): void {
  const key = callerKey(row.caller, row.idempotencyKey);
  unit.changes.push({ table: 'cancelRuns', key, row });
}
