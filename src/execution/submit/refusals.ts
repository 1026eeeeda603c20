import type { BrokerId } from '../../domain/broker.ts';
import { istDay } from '../../domain/ist.ts';
import type { Outcome } from '../../domain/outcome.ts';
import type { ExecutionState } from '../journal/state.ts';
import type { UnitOfWork } from '../journal/unit-of-work.ts';
import type { AttemptRecord } from '../order/attempt.ts';
import type { EpochMs } from '../../units/branded.ts';

export interface AddressRefusal {
  /** Epoch ms. */
  readonly at: EpochMs;
  /** The broker's words, and where to register the address. */
  readonly reason: string;
}

const addressRefusalIn = ({ state }: AttemptRecord): AddressRefusal | null =>
  state.kind === 'refused' && state.rejection === 'address'
    ? { at: state.settledAt, reason: state.reason }
    : null;

/**
 * The last refusal of a broker for the address of this computer; null where it has accepted a request since,
 * or has not refused one within the days that are in memory.
 */
export function openAddressRefusal(state: ExecutionState, broker: BrokerId): AddressRefusal | null {
  let last: AddressRefusal | null = null;
  let acceptedAt = -Infinity;
  for (const attempt of state.attempts.values()) {
    if (attempt.broker !== broker) continue;
    const refusal = addressRefusalIn(attempt);
    if (refusal !== null && (last === null || refusal.at >= last.at)) last = refusal;
    if (attempt.state.kind === 'acknowledged') {
      acceptedAt = Math.max(acceptedAt, attempt.state.settledAt);
    }
  }
  return last === null || acceptedAt >= last.at ? null : last;
}

/** Alerts, once for each broker and IST day, that a broker takes no orders from this computer's address. */
export function noteAddressRefusal(
  unit: UnitOfWork,
  { broker, orderId }: AttemptRecord,
  outcome: Outcome,
): void {
  if (outcome.kind !== 'refused' || outcome.rejection !== 'address') return;
  for (const attempt of unit.state.attempts.values()) {
    const earlier = attempt.broker === broker ? addressRefusalIn(attempt) : null;
    if (earlier !== null && istDay(earlier.at) === istDay(unit.at)) return;
  }
  const message =
    `${broker} refuses every order, change and cancel from this computer, and can still be read: ` +
    `${outcome.reason} Until then use the broker's app`;
  unit.alert('critical', orderId, message);
}
