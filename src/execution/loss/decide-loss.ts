import type { BrokerId } from '../../domain/broker.ts';
import type { AlertLevel } from '../../events/event-log.ts';
import type { Decision } from '../../platform/single-writer.ts';
import type { EpochMs, TradingDay } from '../../units/branded.ts';
import type { Change, LossClosing, LossRecord } from '../journal/records.ts';
import type { ExecutionState } from '../journal/state.ts';
import { UnitOfWork } from '../journal/unit-of-work.ts';
import { killSwitchOf, putLoss } from '../submit/brakes.ts';

/**
 * What the journal has of an account's daily loss on a day; null where it never reached the limit, and
 * where a crash came before the kill switch that it had engaged was on disk.
 */
export function lossOf(
  state: ExecutionState,
  broker: BrokerId,
  day: TradingDay,
): LossRecord | null {
  const losses = [...state.killSwitch.values()].flatMap((row) => row.losses ?? []);
  const found = losses.find((loss) => loss.broker === broker && loss.day === day) ?? null;
  return found?.state.kind === 'engaged' && killSwitchOf(state)?.engaged !== true ? null : found;
}

/** The profit of the day from which the limit counts, rupees; null while it is not armed. */
export function armedFrom(loss: LossRecord | null): number | null {
  if (loss === null) return 0;
  return loss.state.kind === 'armed' ? loss.state.from : null;
}

export interface LossReached {
  readonly broker: BrokerId;
  readonly day: TradingDay;
  readonly profit: number;
  readonly limit: number;
  /** Whether the settings ask for a closing of the intraday positions. */
  readonly closes: boolean;
  readonly message: string;
  readonly at: EpochMs;
}

/**
 * Keeps what has engaged the kill switch, with a critical alert. It is engaged already, at least in memory;
 * where an admin has released it since, the limit begins anew.
 */
export function decideLossReached(
  state: ExecutionState,
  { broker, day, profit, limit, closes, message, at }: LossReached,
): Decision<Change, null> {
  if (lossOf(state, broker, day)?.state.kind === 'engaged') return { changes: [], reply: null };
  const unit = new UnitOfWork(state, at);
  const kind = killSwitchOf(state)?.engaged === true ? 'engaged' : 'released';
  const closing = closes ? ({ closing: { kind: 'wanted' } } as const) : {};
  putLoss(unit, { ...{ broker, day, profit, limit, at }, state: { kind }, ...closing });
  unit.alert('critical', null, message);
  return { changes: unit.changes, reply: null };
}

/** Lets the limit count from the profit that was read after the kill switch was released. */
export function decideLossArmed(
  state: ExecutionState,
  of: { readonly broker: BrokerId; readonly day: TradingDay },
  { profit, message, at }: Pick<LossReached, 'profit' | 'message' | 'at'>,
): Decision<Change, null> {
  const loss = lossOf(state, of.broker, of.day);
  if (loss?.state.kind !== 'released') return { changes: [], reply: null };
  const unit = new UnitOfWork(state, at);
  putLoss(unit, { ...loss, state: { kind: 'armed', from: profit } });
  unit.alert('warning', null, message);
  return { changes: unit.changes, reply: null };
}

/** Keeps what has become of the closing that a loss asked for, with an alert where there is a message. */
export function decideLossClosing(
  state: ExecutionState,
  { broker, day, at }: Pick<LossRecord, 'broker' | 'day' | 'at'>,
  told: {
    readonly closing: LossClosing;
    readonly alert: { readonly level: AlertLevel; readonly message: string };
    readonly at: EpochMs;
  },
): Decision<Change, null> {
  const unit = new UnitOfWork(state, told.at);
  const loss = [...state.killSwitch.values()]
    .flatMap((row) => row.losses ?? [])
    .find((each) => each.broker === broker && each.day === day && each.at === at);
  if (loss) putLoss(unit, { ...loss, closing: told.closing });
  unit.alert(told.alert.level, null, told.alert.message);
  return { changes: unit.changes, reply: null };
}
