import type { Decision } from '../../platform/single-writer.ts';
import type { ClosingId, EpochMs } from '../../units/branded.ts';
import type { Change } from '../journal/records.ts';
import { type ExecutionState, required } from '../journal/state.ts';
import { UnitOfWork } from '../journal/unit-of-work.ts';
import {
  closingResponse,
  type ClosingOver,
  type ClosingRecord,
  GATEWAY_CALLER,
} from './closing.ts';

export type ClosingReply =
  | { readonly kind: 'begun'; readonly closing: ClosingRecord }
  /** The key has begun a closing before. */
  | { readonly kind: 'known'; readonly closing: ClosingRecord };

/** Writes a closing down, with all its positions, before the first exit begins. */
export function decideBeginClosing(
  state: ExecutionState,
  closing: ClosingRecord,
): Decision<Change, ClosingReply> {
  const { caller, idempotencyKey } = closing;
  const known = [...state.closings.values()].find(
    (each) => each.caller === caller && each.idempotencyKey === idempotencyKey,
  );
  if (known) return { changes: [], reply: { kind: 'known', closing: known } };
  const unit = new UnitOfWork(state, closing.createdAt);
  putClosing(unit, closing);
  return { changes: unit.changes, reply: { kind: 'begun', closing } };
}

export interface ClosingChange {
  readonly id: ClosingId;
  readonly at: EpochMs;
  readonly change: (before: ClosingRecord) => Partial<ClosingRecord>;
}

/** Writes what has become of a closing. One that is over does not change any more. */
export function decideClosing(
  state: ExecutionState,
  { id, at, change }: ClosingChange,
): Decision<Change, ClosingRecord> {
  const before = required(state.closings, id, 'closing');
  if (before.over !== null) return { changes: [], reply: before };
  const unit = new UnitOfWork(state, at);
  const closing = { ...before, ...change(before), updatedAt: at };
  putClosing(unit, closing);
  if (closing.over !== null) tell(unit, closing, closing.over);
  return { changes: unit.changes, reply: closing };
}

function putClosing(unit: UnitOfWork, closing: ClosingRecord): void {
  unit.changes.push({ table: 'closings', key: closing.id, row: closing });
  const { caller } = closing;
  unit.event('closing.updated', null, { ...closingResponse(closing) }, { caller });
}

/**
 * Each exit that did not end flat has its own alert; this one says what was kept because of it. Of a closing that
 * the gateway began by itself, a good end is told as well: nobody asked for it, so nobody follows it.
 */
function tell(
  unit: UnitOfWork,
  { id, caller, positions, unread = [] }: ClosingRecord,
  { end, detail }: ClosingOver,
): void {
  if (end === 'flat') {
    if (caller === GATEWAY_CALLER) unit.alert('warning', null, `closing ${id} is over: ${detail}`);
    return;
  }
  const left = positions
    .filter(({ status }) => status !== 'flat')
    .map(({ instrument, product, broker, reason }) => {
      return `${instrument} (${product}) at ${broker}${reason === null ? '' : `: ${reason}`}`;
    });
  const rows = unread.map(({ broker, list, instrument, product, reason }) => {
    const named = [instrument ?? 'an instrument that cannot be read', product ?? '']
      .join(' ')
      .trim();
    return `a row of the ${list} at ${broker}: ${named}, ${reason}`;
  });
  const message = `closing ${id} ended ${end}: ${detail}. Not closed: ${[...left, ...rows].join('; ')}`;
  unit.alert(end === 'stopped' ? 'critical' : 'warning', null, message);
}
