import type { BrokerId } from '../../domain/broker.ts';
import type { BookPoller } from '../reconcile/book-poller.ts';
import type { BookRead } from '../reconcile/book-read.ts';
import type { WhichOrders } from './set-of-run.ts';

export interface CancelAllCommand extends WhichOrders {
  /** Null makes one. */
  readonly idempotencyKey: string | null;
  /** Tells a repeat from another request under the same key. */
  readonly requestHash: string;
  /** Also triggers; only orders when absent. */
  readonly triggers?: boolean;
  /** Whose books, and lists of triggers, may be read for it. */
  readonly brokers: readonly BrokerId[];
}

/** A book, or a list of triggers, that could not be read whole. */
export interface UnreadOfRun {
  readonly broker: BrokerId;
  readonly why: unknown;
  /** It was read, and the disk does not take what it tells: what it shows was taken for the request all the same. */
  readonly isUnwritten?: true;
}

export interface BookOfRun {
  readonly poller: BookPoller;
  readonly read: BookRead;
  readonly isWhole: boolean;
}

/** Cancels of our own orders do not wait for the books, and those of others wait no longer than this. */
export const BOOK_MS = 3_000;
