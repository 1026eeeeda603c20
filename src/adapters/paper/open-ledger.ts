import { BrokerError, type NotSentReason } from '../../domain/failure.ts';
import { tradingDay } from '../../domain/ist.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { createSingleWriter, type Decision } from '../../platform/single-writer.ts';
import { apply, type Change } from './changes.ts';
import { advance } from './day.ts';
import { decimal, ZERO } from '../../domain/money.ts';
import { unitOfWork } from './unit-of-work.ts';
import type { LedgerState, PaperAccount } from './state.ts';
import { createLedgerStore } from './store.ts';

/** The ledger with its one writer. */
export interface Ledger {
  readonly state: LedgerState;
  /** Whole epoch ms: what the ledger's columns hold. */
  now(): number;
  submit<Reply>(decide: (state: LedgerState) => Decision<Change, Reply>): Promise<Reply>;
  /**
   * Looks at the ledger as it is on disk now, brought up to the present. Goes through the writer,
   * so that it never sees what a failing commit is about to take back. Rejects with a BrokerError.
   */
  read<Reply>(look: (state: LedgerState, now: number) => Reply): Promise<Reply>;
  /** The order that an attempt or a tag made, on whatever day. */
  placed(attemptId: string, tag: string): string | null;
  isClosed(): boolean;
  /** Takes nothing more, and waits for what was taken. */
  close(): Promise<void>;
}

export interface LedgerParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly ids: Ids;
  /** Rupees as decimal text: what a new account opens with. An account that exists keeps its own. */
  readonly cash: string;
}

/** Opens the ledger that the database has, or a new one. Throws what the database says. */
export function openLedger(parts: LedgerParts): Ledger {
  const { clock } = parts;
  const now = (): number => Math.floor(clock.now());
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
    isClosed: () => closed,
    close() {
      closed = true;
      return writer.idle();
    },
  };
}

/** A random start of the numbers: those of an account that was thrown away are not met again. */
function newAccount({ ids, cash }: LedgerParts, now: number): PaperAccount {
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
