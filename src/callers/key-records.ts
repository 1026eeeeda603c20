import type { BrokerId, Mode } from '../domain/broker.ts';
import { type Secret, sha256 } from '../platform/secret.ts';
import { epochMs, type EpochMs } from '../units/branded.ts';
import {
  type Caller,
  CALLER_NAME,
  type KeyLimits,
  type KeyMarks,
  type KeyRecord,
  NO_KEY_LIMITS,
  NO_MARKS,
  type Scope,
} from './caller.ts';
import type { CallerRecord } from './caller-file.ts';

export interface KeyRequest {
  /** 1 to 64 printable characters, and no other valid key's. */
  readonly name: string;
  readonly scope: Scope;
  /** The only broker for its orders and portfolio; null for all. */
  readonly broker?: BrokerId | null;
  readonly mode?: Mode | null;
  readonly limits?: KeyLimits;
  readonly marks?: KeyMarks;
}

/** A change of a key that does not exist or must stay, or an invalid or used name. */
export class CallerError extends Error {
  override readonly name = 'CallerError';
  readonly kind: 'unknown' | 'revoked' | 'admin_key' | 'name_taken' | 'bad_name';

  constructor(kind: CallerError['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

export function checkName(name: string, known: readonly CallerRecord[]): void {
  if (!CALLER_NAME.test(name)) {
    throw new CallerError('bad_name', 'the name of a key takes 1 to 64 printable characters');
  }
  const same = known.find((each) => each.name === name && each.revokedAt === null);
  if (!same) return;
  const detail = `the key ${same.id} has the name ${name}: choose another name, or rotate that key`;
  throw new CallerError('name_taken', detail);
}

export function newRecord(
  id: string,
  { name, scope, broker = null, mode = null, limits = NO_KEY_LIMITS, marks = NO_MARKS }: KeyRequest,
  key: Secret,
  at: EpochMs,
  by: string | null,
): CallerRecord {
  return {
    ...{ id, name, scope, broker, mode, stopped: null },
    ...{ limits: recordLimits(limits), marks: { ...marks } },
    sha256: sha256(key.reveal()),
    ...{ createdAt: at, createdBy: by },
    ...{ rotatedAt: null, rotatedBy: null, revokedAt: null, revokedBy: null },
  };
}

const callerOfRecord = new WeakMap<CallerRecord, Caller>();

/** The caller of a record: the same object for as long as no changed record takes its place. */
export function callerOf(record: CallerRecord): Caller {
  let caller = callerOfRecord.get(record);
  if (caller === undefined) {
    const { id, name, scope, broker, mode } = record;
    callerOfRecord.set(record, (caller = { id, name, scope, broker, mode }));
  }
  return caller;
}

export function recordLimits(limits: KeyLimits): CallerRecord['limits'] {
  const { maxOrderQuantity, maxOpenOrders } = limits;
  return {
    ...limits,
    maxOrderQuantity: { ...maxOrderQuantity, named: { ...maxOrderQuantity.named } },
    maxOpenOrders: { ...maxOpenOrders, named: { ...maxOpenOrders.named } },
  };
}

export function keyOf(record: CallerRecord): KeyRecord {
  const { createdAt, createdBy, rotatedAt, rotatedBy, revokedAt, revokedBy } = record;
  return {
    ...callerOf(record),
    ...{ limits: record.limits, marks: record.marks },
    stopped: record.stopped && { ...record.stopped, at: epochMs(record.stopped.at) },
    ...{ createdBy, rotatedBy, revokedBy },
    createdAt: epochMs(createdAt),
    rotatedAt: rotatedAt === null ? null : epochMs(rotatedAt),
    revokedAt: revokedAt === null ? null : epochMs(revokedAt),
  };
}
