import type { BrokerId, Mode } from '../domain/broker.ts';
import type { EpochMs } from '../units/branded.ts';

/** What a key may do; each scope includes those before it. */
export const SCOPES = ['read', 'trade', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

export function allows(held: Scope, needed: Scope): boolean {
  return SCOPES.indexOf(held) >= SCOPES.indexOf(needed);
}

/** The owner's key. Its record keeps this id also when the key changes. */
export const ADMIN_ID = 'admin';

/** Who calls. The id is that of the key record, so it stays when the key is rotated. */
export interface Caller {
  readonly id: string;
  readonly name: string;
  readonly scope: Scope;
  /** The only broker for its orders and portfolio; null for all. */
  readonly broker: BrokerId | null;
  /** `live`: its orders never go to a paper account. Null for no such limit. */
  readonly mode: Mode | null;
}

/** The limits on the orders of one key (docs/keys.md); null for none. */
export interface KeyLimits {
  /** Rupees of one order. */
  readonly maxOrderValue: number | null;
  readonly maxOrderQuantity: ByInstrument;
  readonly maxOpenOrders: ByInstrument;
  readonly maxOrdersPerMinute: number | null;
  /** Rupees of loss in a day that engage its kill switch. */
  readonly maxDailyLoss: number | null;
}

interface ByInstrument {
  readonly every: number | null;
  /** By instrument (`NSE:INFY`) or underlying (`NIFTY`), in place of `every`. */
  readonly named: Readonly<Record<string, number>>;
}

export const NO_KEY_LIMITS: KeyLimits = {
  maxOrderValue: null,
  maxOrderQuantity: { every: null, named: {} },
  maxOpenOrders: { every: null, named: {} },
  maxOrdersPerMinute: null,
  maxDailyLoss: null,
};

/** What Kite Connect gets with the orders of a key that do not say it themselves (docs/keys.md); null: the settings'. */
export interface KeyMarks {
  /** The id of a registered algorithm. */
  readonly algoId: string | null;
  /** Percent; -1 leaves it to the broker. */
  readonly marketProtection: number | null;
}

export const NO_MARKS: KeyMarks = { algoId: null, marketProtection: null };

/** That the orders of a key are stopped: its own kill switch. */
export interface KeyStop {
  readonly reason: string;
  readonly at: EpochMs;
  /** The id of the key that stopped it. */
  readonly by: string;
}

/** A key without the key itself. */
export interface KeyRecord extends Caller {
  readonly limits: KeyLimits;
  readonly marks: KeyMarks;
  /** Null while its orders are not stopped. */
  readonly stopped: KeyStop | null;
  readonly createdAt: EpochMs;
  /** The id of the key that asked for it; null for the command line and the gateway itself. */
  readonly createdBy: string | null;
  readonly rotatedAt: EpochMs | null;
  readonly rotatedBy: string | null;
  readonly revokedAt: EpochMs | null;
  readonly revokedBy: string | null;
}

export const CALLER_NAME = /^[\x20-\x7e]{1,64}$/;
