import type { ClosingId, ExitId, TradingDay } from '../../units/branded.ts';
import type { ClosingRecord } from '../closings/closing.ts';
import type { ExitRecord } from '../exits/exit.ts';
import type { Tables } from './records.ts';

type Read = <Name extends 'exits' | 'closings'>(
  table: Name,
  sql: string,
) => (...values: (string | number)[]) => Tables[Name][];

/** What the journal tells of exits and closings, however long ago they began. */
export interface WayOutReads {
  exit(id: ExitId): Promise<ExitRecord | null>;
  /** The exit that a key has begun. */
  exitUnderKey(caller: string, idempotencyKey: string): Promise<ExitRecord | null>;
  /** The exits of one of the broker's days, oldest first. */
  exitsOn(day: TradingDay): Promise<readonly ExitRecord[]>;
  closing(id: ClosingId): Promise<ClosingRecord | null>;
  closingUnderKey(caller: string, idempotencyKey: string): Promise<ClosingRecord | null>;
  /** The closings of a day, oldest first. */
  closingsOn(day: TradingDay): Promise<readonly ClosingRecord[]>;
}

export function createWayOutReads(read: Read): WayOutReads {
  const exitById = read('exits', 'SELECT record FROM exits WHERE id = ?');
  const exitByKey = read(
    'exits',
    'SELECT record FROM exits WHERE caller = ? AND idempotency_key = ?',
  );
  const exitsOn = read('exits', 'SELECT record FROM exits WHERE day = ? ORDER BY id');
  const closingById = read('closings', 'SELECT record FROM closings WHERE id = ?');
  const closingByKey = read(
    'closings',
    'SELECT record FROM closings WHERE caller = ? AND idempotency_key = ?',
  );
  const closingsOn = read('closings', 'SELECT record FROM closings WHERE day = ? ORDER BY id');
  return {
    exit: async (id) => exitById(id)[0] ?? null,
    exitUnderKey: async (caller, key) => exitByKey(caller, key)[0] ?? null,
    exitsOn: async (day) => exitsOn(day),
    closing: async (id) => closingById(id)[0] ?? null,
    closingUnderKey: async (caller, key) => closingByKey(caller, key)[0] ?? null,
    closingsOn: async (day) => closingsOn(day),
  };
}
