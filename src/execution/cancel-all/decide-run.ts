import type { Decision } from '../../platform/single-writer.ts';
import type { EpochMs } from '../../units/branded.ts';
import { callerKey, type Change } from '../journal/records.ts';
import type { ExecutionState } from '../journal/state.ts';
import { UnitOfWork } from '../journal/unit-of-work.ts';
import type { CancelRunRecord, ExternalOfRun } from './cancel-run.ts';

/** Writes down which orders a request is about, or more of them once the books were read. */
export function decideRun(
  state: ExecutionState,
  run: CancelRunRecord,
  at: EpochMs,
): Decision<Change, CancelRunRecord> {
  const unit = new UnitOfWork(state, at);
  putRun(unit, run);
  const { id, caller, orderIds, external } = run;
  unit.event('order.cancel_all', null, { id, caller, orderIds, external }, { caller });
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

export const isSameRow = (
  one: Pick<ExternalOfRun, 'broker' | 'brokerOrderId'>,
  other: Pick<ExternalOfRun, 'broker' | 'brokerOrderId'>,
): boolean => one.broker === other.broker && one.brokerOrderId === other.brokerOrderId;

function putRun(unit: UnitOfWork, row: CancelRunRecord): void {
  const key = callerKey(row.caller, row.idempotencyKey);
  unit.changes.push({ table: 'cancelRuns', key, row });
}
