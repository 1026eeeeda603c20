import type { BrokerId } from '../domain/broker.ts';
import type { OrderTerms } from '../domain/order.ts';
import type { Decision } from '../platform/single-writer.ts';
import { Draft } from './draft.ts';
import { reducesPosition } from './exit-guard.ts';
import type { Change, KillSwitchRecord } from './records.ts';
import type { ExecutionState } from './state.ts';

const KEY = 'kill-switch';

export function killSwitchOf(state: ExecutionState): KillSwitchRecord | null {
  return state.killSwitch.get(KEY) ?? null;
}

/**
 * Why an order may not go out under the kill switch; null when it may: it is off, or only reduces.
 * `orderId` is the order's own, which does not stand in its own way once it is in the state.
 */
export function passesKillSwitch(
  state: ExecutionState,
  broker: BrokerId,
  terms: OrderTerms,
  orderId: string,
  at: number,
): string | null {
  const record = killSwitchOf(state);
  if (!record?.thrown) return null;
  if (reducesPosition(state, broker, terms, orderId, at)) return null;
  return `the kill switch is thrown${record.reason ? `: ${record.reason}` : ''}`;
}

/** Throws or releases it, as part of a larger decision. */
export function setKillSwitch(draft: Draft, thrown: boolean, reason: string | null): void {
  const row: KillSwitchRecord = { thrown, reason, changedAt: draft.at };
  draft.changes.push({ table: 'killSwitch', key: KEY, row });
  draft.event('kill_switch.changed', null, { thrown, reason });
}

export function decideKillSwitch(
  state: ExecutionState,
  command: { thrown: boolean; reason: string | null; at: number },
): Decision<Change, KillSwitchRecord> {
  const before = killSwitchOf(state);
  if (before?.thrown === command.thrown) return { changes: [], reply: before };
  const draft = new Draft(state, command.at);
  setKillSwitch(draft, command.thrown, command.reason);
  return {
    changes: draft.changes,
    reply: { thrown: command.thrown, reason: command.reason, changedAt: command.at },
  };
}
