import { BrokerError, type NotSentReason } from '../../domain/outcome.ts';
import { tradingDay } from '../../domain/ist.ts';
import type { Clock, Scheduler } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import type { Ids } from '../../platform/ids.ts';
import { createSingleWriter, type Decision } from '../../platform/single-writer.ts';
import { apply, type Change } from './changes.ts';
import { advance } from './day.ts';
import { decimal, ZERO } from '../../domain/money.ts';
import { unitOfWork } from './unit-of-work.ts';
import type { LedgerState, PaperAccount } from './state.ts';
import { createLedgerStore, type LedgerStore } from './store.ts';
import { type AttemptId, epochMs, type EpochMs } from '../../units/branded.ts';

/** The ledger and its single writer. */
export interface Ledger {
  readonly state: LedgerState;
  /** The clock's time as an integer, the form in which the ledger stores times. */
  now(): EpochMs;
  submit<Reply>(decide: (state: LedgerState) => Decision<Change, Reply>): Promise<Reply>;
  /**
   * Reads the ledger as it is on disk, brought up to the present. The read goes through the writer,
   * so that it never sees changes that a failing commit is about to undo. Rejects with a
   * BrokerError.
   */
  read<Reply>(look: (state: LedgerState, now: EpochMs) => Reply): Promise<Reply>;
  /** The order that an attempt or a tag placed, on any day; null if none. */
  placed(attemptId: AttemptId, tag: string): string | null;
  /** The orders that were in the book of a day, with their fills, as they are now. */
  readonly ordersOf: LedgerStore['ordersOf'];
  isClosed(): boolean;
  /** Accepts nothing more, and waits for the work already accepted. */
  close(): Promise<void>;
}

export interface LedgerParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly ids: Ids;
  /**
   * Rupees as decimal text: the opening cash of a new account. An existing account keeps its own.
   */
  readonly cash: string;
}

/** Opens the ledger in the database, or creates one. Throws the errors of the database. */
export function openLedger(parts: LedgerParts): Ledger {
  const { clock } = parts;
  const now = (): EpochMs => epochMs(Math.floor(clock.now()));
  const store = createLedgerStore(parts.database);
  const state = store.load(() => newAccount(parts, now()));
  const writer = createSingleWriter({ state, store, scheduler: parts.scheduler, apply });
  let closed = false;

  return {
    state,
    now,
    submit: (decide) => writer.submit(decide),
    async read(look) {
      if (closed) throw unreadable('closing', 'the paper account is closed');
      try {
        return await writer.submit((current) =>
          unitOfWork(current, (unit) => {
            const at = now();
            advance(unit, at);
            return look(current, at);
          }),
        );
      } catch (error) {
        throw unreadable('journal', 'the ledger could not be brought up to the present', error);
      }
    },
    placed: (attemptId, tag) => store.placed(attemptId, tag),
    ordersOf: store.ordersOf,
    isClosed: () => closed,
    close() {
      closed = true;
      return writer.idle();
    },
  };
}

/** Order and fill numbers start at random, so that the ids of a deleted account do not return. */
function newAccount({ ids, cash }: LedgerParts, now: EpochMs): PaperAccount {
  return {
    day: tradingDay(now),
    series: 1 + Number.parseInt(ids.secret(4), 16),
    openingCash: decimal(cash),
    cash: decimal(cash),
    brokerage: ZERO,
    realised: ZERO,
  };
}

function unreadable(reason: NotSentReason, message: string, cause?: unknown): BrokerError {
  return new BrokerError('paper', { kind: 'not_sent', reason, message }, cause);
}
