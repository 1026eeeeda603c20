import { GatewayProblem } from '../../domain/problem.ts';
import type { Decision } from '../../platform/single-writer.ts';
import type { EpochMs, ExitId } from '../../units/branded.ts';
import type { Change } from '../journal/records.ts';
import { type ExecutionState, required } from '../journal/state.ts';
import { UnitOfWork } from '../journal/unit-of-work.ts';
import { exitResponse } from './exit-response.ts';
import type { ExitOver, ExitRecord } from './exit.ts';

export type BeginReply =
  | { readonly kind: 'begun'; readonly exit: ExitRecord }
  /** The key has begun an exit before. */
  | { readonly kind: 'known'; readonly exit: ExitRecord }
  /** Another exit of the same shares is under way. */
  | { readonly kind: 'running'; readonly exit: ExitRecord };

/** Writes an exit down before anything is done for it. One at a time for the same shares. */
export function decideBegin(
  state: ExecutionState,
  exit: ExitRecord,
  isSameShares: (other: ExitRecord) => boolean,
): Decision<Change, BeginReply> {
  const { caller, idempotencyKey } = exit;
  const all = [...state.exits.values()];
  const known = all.find(
    (each) => each.caller === caller && each.idempotencyKey === idempotencyKey,
  );
  if (known) return { changes: [], reply: { kind: 'known', exit: known } };
  const running = all.find((each) => each.over === null && isSameShares(each));
  if (running) return { changes: [], reply: { kind: 'running', exit: running } };
  const unit = new UnitOfWork(state, exit.createdAt);
  putExit(unit, exit);
  return { changes: unit.changes, reply: { kind: 'begun', exit } };
}

export type ExitChange = Partial<
  Pick<ExitRecord, 'side' | 'plan' | 'legs' | 'known' | 'doing' | 'over' | 'isCancelWanted'>
>;

/** Writes what has become of an exit. One that is over does not change any more. */
export function decideExit(
  state: ExecutionState,
  { id, at, change }: { readonly id: ExitId; readonly at: EpochMs; readonly change: ExitChange },
): Decision<Change, ExitRecord> {
  const before = required(state.exits, id, 'exit');
  if (before.over !== null) return { changes: [], reply: before };
  const unit = new UnitOfWork(state, at);
  const exit = { ...before, ...change, updatedAt: at };
  putExit(unit, exit);
  if (exit.over !== null) tell(unit, exit, exit.over);
  return { changes: unit.changes, reply: exit };
}

function putExit(unit: UnitOfWork, exit: ExitRecord): void {
  unit.changes.push({ table: 'exits', key: exit.id, row: exit });
  const { caller, broker, instrument } = exit;
  unit.event('exit.updated', null, { ...exitResponse(exit) }, { caller, broker, instrument });
}

/** An exit that has not ended flat needs a person, at once where something is still held. */
function tell(unit: UnitOfWork, exit: ExitRecord, { end, why, detail, held }: ExitOver): void {
  if (end === 'flat' || why === 'as_asked' || why === 'cancelled') return;
  const { instrument, product, broker } = exit;
  const left = held === null ? 'how much is still held is not known' : `${held} still held`;
  const message =
    `the exit of ${instrument} (${product}) at ${broker} ended ${end}: ${detail}; ${left}. ` +
    "Look at the position in the broker's app, or call the broker";
  unit.alert(end === 'stopped' ? 'critical' : 'warning', null, message);
}

export function exitRunning(exit: ExitRecord): GatewayProblem {
  return new GatewayProblem({
    code: 'exit_running',
    detail:
      `exit ${exit.id} of ${exit.instrument} (${exit.product}) at ${exit.broker} is under way: ` +
      'follow it, or cancel it first',
    broker: exit.broker,
    mayHaveExecuted: false,
    extra: { exit: exitResponse(exit) },
  });
}
