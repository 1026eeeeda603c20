import type { BrokerId } from '../../domain/broker.ts';
import type { OrderTerms } from '../../domain/order.ts';
import type { Decision } from '../../platform/single-writer.ts';
import type { Change, KillSwitchRecord } from '../journal/records.ts';
import type { ExecutionState } from '../journal/state.ts';
import { UnitOfWork } from '../journal/unit-of-work.ts';
import { reducesPosition } from './exit-guard.ts';

const KEY = 'kill-switch';

export function killSwitchOf(state: ExecutionState): KillSwitchRecord | null {
  return state.killSwitch.get(KEY) ?? null;
}

/**
 * Why an order may not go out under the kill switch; null when it may: the switch is released, or the
 * order only reduces a position. `orderId` is the order's own, which does not count against itself once
 * it is in the state.
 */
export function passesKillSwitch(
  state: ExecutionState,
  broker: BrokerId,
  terms: OrderTerms,
  orderId: string,
  at: number,
): string | null {
  const record = killSwitchOf(state);
  if (!record?.engaged) return null;
  if (reducesPosition(state, broker, terms, orderId, at)) return null;
  return `the kill switch is engaged${record.reason ? `: ${record.reason}` : ''}`;
}

export interface KillSwitchCommand {
  readonly engaged: boolean;
  readonly reason: string | null;
  /** The caller who does it; null for the gateway itself. */
  readonly changedBy: string | null;
}

/** Engages or releases it, as part of a larger decision. */
export function setKillSwitch(unit: UnitOfWork, command: KillSwitchCommand): KillSwitchRecord {
  const row: KillSwitchRecord = { ...command, changedAt: unit.at };
  unit.changes.push({ table: 'killSwitch', key: KEY, row });
  // `thrown` is the field's older name: events already stored have it alone.
  unit.event('kill_switch.changed', null, { ...command, thrown: command.engaged });
  return row;
}

export function decideKillSwitch(
  state: ExecutionState,
  { at, ...command }: KillSwitchCommand & { readonly at: number },
): Decision<Change, KillSwitchRecord> {
  const before = killSwitchOf(state);
  if (before?.engaged === command.engaged) return { changes: [], reply: before };
  const unit = new UnitOfWork(state, at);
  const reply = setKillSwitch(unit, command);
  return { changes: unit.changes, reply };
}
