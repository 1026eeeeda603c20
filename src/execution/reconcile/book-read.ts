import type { BrokerOrder, UnreadRow } from '../../domain/broker-order.ts';
import type { BrokerId } from '../../domain/broker.ts';
import type { AttemptId, ElapsedMs, EpochMs } from '../../units/branded.ts';
import type { EarlierFill } from './earlier-fills.ts';
import type { SessionBook } from './other-accounts.ts';
import type { Usability } from './unread-rows.ts';

/** A read as the broker gave it, before it is taken in. */
export interface ShownRead extends SessionBook {
  readonly broker: BrokerId;
  readonly rows: readonly BrokerOrder[];
  /** Rows of it that cannot be read whole. */
  readonly unread: readonly UnreadRow[];
  readonly earlier: readonly EarlierFill[];
  /** Wall time at which the read began. */
  readonly begunAt: EpochMs;
  /** The same in elapsed ms. */
  readonly begun: ElapsedMs;
}

/** A read that was taken in; see UnwrittenRead for one that was not. */
export interface BookRead extends ShownRead, Usability {
  /** Whether it holds every id that was seen at the broker earlier the same day. */
  readonly complete: boolean;
  /** The disk does not take what it tells (unwritten-read.ts). */
  readonly isUnwritten?: true;
  /** Whether a placing that was refused before the read began can be believed refused. */
  bearsOutRefusal(attemptId: AttemptId): boolean;
}
