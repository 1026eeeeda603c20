import { GatewayProblem } from '../../domain/problem.ts';
import { readableSecond } from '../../domain/ist.ts';
import type { Decision } from '../../platform/single-writer.ts';
import { type BrokerOrderId, epochMs, type EpochMs } from '../../units/branded.ts';
import type { Change, KillSwitchRecord, LossRecord } from '../journal/records.ts';
import type { ExecutionState } from '../journal/state.ts';
import { UnitOfWork } from '../journal/unit-of-work.ts';
import type { BesidePositions } from '../reconcile/beside-positions.ts';
import { limitReached } from './order-limits.ts';
import { type OutgoingOrder, reducesPosition, whyUnclear } from './reduce-only.ts';

const KEY = 'kill-switch';

export function killSwitchOf(state: ExecutionState): KillSwitchRecord | null {
  return state.switchNotOnDisk.record ?? state.killSwitch.get(KEY) ?? null;
}

/** What is known of the account that an order goes to, beside its last known portfolio. */
export interface AccountKnowledge {
  readonly beside: BesidePositions;
  /** Why the account could not be read lately; null when it was. */
  readonly unread: string | null;
  /** The admin who lets the order pass where the account could not be read; null without one. */
  readonly forcedBy: string | null;
  /** The row of a lost order of the same terms (unknown-tags.ts); null where there is none. */
  readonly lostTwin: () => BrokerOrderId | null;
}

/** Where nothing is known of an account because nobody has looked lately. */
export const UNREAD: AccountKnowledge = {
  unread: 'it was not read lately',
  beside: { moved: 0, resting: 0, unread: [], isinOf: () => null },
  forcedBy: null,
  lostTwin: () => null,
};

/** What lets only ways out pass: cancels, and orders that do nothing but reduce a position. */
export interface Brake {
  readonly code: 'kill_switch' | 'disk_full' | 'limit_reached';
  /** Why it holds; for people. */
  readonly reason: string;
}

/** The answer to an order that a brake stops. */
export function brakeProblem({ code, reason }: Brake): GatewayProblem {
  return new GatewayProblem({
    code,
    detail: reason,
    mayHaveExecuted: false,
  });
}

/** The brake that holds now for all orders; null when there is none. */
export function brakeOf(state: ExecutionState): Brake | null {
  const record = killSwitchOf(state);
  if (record?.engaged === true) {
    const reason = `the kill switch is engaged${record.reason ? `: ${record.reason}` : ''}`;
    return { code: 'kill_switch', reason };
  }
  return state.disk.isLow ? { code: 'disk_full', reason: DISK_FULL } : null;
}

/** The brake that holds now for all orders of a caller; null when there is none. */
export function brakeOfCaller(state: ExecutionState, caller: string | undefined): Brake | null {
  const brake = brakeOf(state);
  const key = caller === undefined ? undefined : state.keys.get(caller);
  if (brake !== null || key === undefined || key.stopped === null) return brake;
  return { code: 'kill_switch', reason: `the key ${key.name} is stopped: ${key.stopped}` };
}

/** The brake that holds for an order: one for all of its caller's, or a limit that it is above; else null. */
export function brakeOn(state: ExecutionState, order: OutgoingOrder): Brake | null {
  const brake = brakeOfCaller(state, order.caller ?? state.orders.get(order.orderId)?.caller);
  if (brake !== null) return brake;
  const reason = limitReached(state, order);
  return reason === null ? null : { code: 'limit_reached', reason };
}

export const DISK_FULL =
  'the disk of the data directory is nearly full: the gateway keeps the remaining space for cancels, and for ' +
  'orders that only reduce a position. Free some disk space';

/**
 * The brake that keeps an order from going out, with the reason; null when it may go out: no brake
 * holds, or it does not stop the order.
 */
export function stoppedByBrake(
  state: ExecutionState,
  order: OutgoingOrder,
  known: AccountKnowledge,
): Brake | null {
  const brake = brakeOn(state, order);
  return brake && stoppedBy(brake, state, order, known);
}

/**
 * What a brake that holds says to an order; null where it lets the order pass: it only reduces a position
 * of an account that was read lately (for a limit: as it was last known), or an admin takes it upon them.
 */
export function stoppedBy(
  brake: Brake,
  state: ExecutionState,
  order: OutgoingOrder,
  known: AccountKnowledge,
): Brake | null {
  const { code, reason } = brake;
  // A limit stops no exit because an account or a row does not tell: what it was last known to hold counts.
  const read = { ...known.beside, unread: [] };
  if (code === 'limit_reached' && reducesPosition(state, order, read)) return null;
  const unclear = unclearAccount(state, order, known);
  if (unclear !== null) {
    if (known.forcedBy !== null) return null;
    return {
      code,
      reason:
        `${reason}. Whether this order only reduces a position is not known, because the account at ` +
        `${order.broker} could not be read (${unclear}): try again, or send it with force and an admin key`,
    };
  }
  if (reducesPosition(state, order, known.beside)) return null;
  const { resting } = known.beside;
  if (resting === 0 || !reducesPosition(state, order, { ...known.beside, resting: 0 })) {
    return { code, reason: `${reason}${asOf(state, order)}` };
  }
  const { side, instrument } = order.terms;
  return {
    code,
    reason:
      `${reason}. Open orders in the book of ${order.broker} that are not the gateway's would already ` +
      `${side} ${resting} ${instrument} of the position: cancel them in the broker's app first`,
  };
}

/** By which read of the account an order is refused; empty where there was none. */
function asOf(state: ExecutionState, { broker }: OutgoingOrder): string {
  const portfolio = state.portfolios.get(broker);
  if (!portfolio) return '';
  return (
    `. By positions and holdings of ${broker} as of ${readableSecond(portfolio.readAt)}, this order does ` +
    'not only reduce a position'
  );
}

/**
 * Stops a new order of which it is not known whether it was sent before, because the journal has lost one of
 * the same terms, and the key of it; null where there is none, or an admin takes it upon them.
 */
export function stoppedAsRepeat(state: ExecutionState, known: AccountKnowledge): Brake | null {
  const brake = brakeOf(state);
  const twin = brake?.code === 'kill_switch' ? known.lostTwin() : null;
  if (brake === null || twin === null || known.forcedBy !== null) return null;
  return {
    code: brake.code,
    reason:
      `${mayRepeat(twin)}. If this is another order, send it with force and an admin key. ` +
      `All orders pass again once the kill switch is released (${brake.reason})`,
  };
}

const mayRepeat = (twin: BrokerOrderId): string =>
  `the journal has lost order ${twin} of the same instrument, side, product and quantity, so this may be a ` +
  'repeat of it';

/** What is missing to know whether an order only reduces a position; null where that is known. */
export function unclearAccount(
  state: ExecutionState,
  order: OutgoingOrder,
  known: AccountKnowledge,
): string | null {
  if (known.unread !== null) return known.unread;
  const { beside } = known;
  return reducesPosition(state, order, beside) ? null : whyUnclear(state, order, beside);
}

/** Notes who let an order pass a brake, where it would not have passed without. */
export function noteForce(
  unit: UnitOfWork,
  order: OutgoingOrder,
  known: AccountKnowledge | null,
): void {
  const { orderId, broker, terms } = order;
  const brake = brakeOn(unit.state, order);
  if (brake === null || known === null || known.forcedBy === null) return;
  const { forcedBy: by } = known;
  const twin = known.lostTwin();
  const unread =
    unclearAccount(unit.state, order, known) ?? (twin === null ? null : mayRepeat(twin));
  if (unread === null) return;
  unit.event('order.forced', orderId, { by, broker, unread });
  const what = `${terms.side} ${terms.quantity} ${terms.instrument}`;
  const message = `${by} sent ${what} to ${broker} with force (${brake.reason}): ${unread}`;
  unit.alert('warning', orderId, message);
}

export interface KillSwitchCommand {
  readonly engaged: boolean;
  readonly reason: string | null;
  /** The caller who does it; null for the gateway itself. */
  readonly changedBy: string | null;
}

/** Engages or releases it, as part of a larger decision. */
export function setKillSwitch(
  unit: UnitOfWork,
  { engaged, reason, changedBy }: KillSwitchCommand,
  changedAt = unit.at,
): KillSwitchRecord {
  const command = { engaged, reason, changedBy };
  const row: KillSwitchRecord = { ...command, changedAt, ...lossesAfter(unit.state, engaged) };
  unit.changes.push({ table: 'killSwitch', key: KEY, row });
  // `thrown` is the older name of `engaged`. Events stored by older versions have only that one.
  unit.event('kill_switch.changed', null, { ...command, thrown: engaged });
  return row;
}

/** A release lets the limit of each account that engaged the switch begin anew. */
function lossesAfter(
  { killSwitch }: ExecutionState,
  isEngaged: boolean,
): Pick<KillSwitchRecord, 'losses'> {
  const { losses = [] } = killSwitch.get(KEY) ?? {};
  const after = losses.map((loss): LossRecord =>
    isEngaged || loss.state.kind !== 'engaged' ? loss : { ...loss, state: { kind: 'released' } },
  );
  return after.length > 0 ? { losses: after } : {};
}

/** Puts what became of an account's daily loss beside the kill switch, in place of what was there. */
export function putLoss(unit: UnitOfWork, loss: LossRecord): void {
  const { killSwitch } = unit.state;
  const before = killSwitch.get(KEY) ?? NEVER_ENGAGED;
  const others = (before.losses ?? []).filter(({ broker }) => broker !== loss.broker);
  const row = { ...before, losses: [...others, loss] };
  unit.changes.push({ table: 'killSwitch', key: KEY, row });
}

const NEVER_ENGAGED: KillSwitchRecord = {
  ...{ engaged: false, reason: null, changedAt: epochMs(0), changedBy: null },
};

/** The engagement that holds in memory alone; null where there is none, or a later change is written. */
export function unwrittenSwitch(state: ExecutionState): KillSwitchRecord | null {
  const { record, since } = state.switchNotOnDisk;
  const written = state.killSwitch.get(KEY);
  if (record === null || written?.engaged === true) return null;
  return since === undefined || since === (written?.changedAt ?? null) ? record : null;
}

/**
 * Engages or releases the switch; nothing where it is so already. An engagement that holds in memory alone is written
 * first, with who did it, so that a release of it is refused while the disk takes nothing.
 */
export function decideKillSwitch(
  state: ExecutionState,
  { at, ...command }: KillSwitchCommand & { readonly at: EpochMs },
): Decision<Change, KillSwitchRecord> {
  const unit = new UnitOfWork(state, at);
  const unwritten = unwrittenSwitch(state);
  const before = unwritten
    ? setKillSwitch(unit, unwritten, unwritten.changedAt)
    : (state.killSwitch.get(KEY) ?? null);
  if (before?.engaged === command.engaged) return { changes: unit.changes, reply: before };
  const reply = setKillSwitch(unit, command);
  return { changes: unit.changes, reply };
}
