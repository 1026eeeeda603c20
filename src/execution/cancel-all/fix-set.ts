import type { BrokerId } from '../../domain/broker.ts';
import { tradingDay } from '../../domain/ist.ts';
import { GatewayProblem } from '../../domain/problem.ts';
import { type Clock, type Scheduler, sleep } from '../../platform/clock.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import { CommitError, type SingleWriter } from '../../platform/single-writer.ts';
import type { EpochMs } from '../../units/branded.ts';
import { ifReadable } from '../journal/if-readable.ts';
import type { Journal } from '../journal/journal.ts';
import { callerKey, type Change } from '../journal/records.ts';
import type { ExecutionState } from '../journal/state.ts';
import type { Accounts } from '../reconcile/accounts.ts';
import type { BookPoller } from '../reconcile/book-poller.ts';
import { conflict } from '../submit/request-identity.ts';
import {
  BOOK_MS,
  type BookOfRun,
  type CancelAllCommand,
  type UnreadOfRun,
} from './cancel-command.ts';
import type { CancelRunRecord } from './cancel-run.ts';
import { decideRun, isSameRow } from './decide-run.ts';
import { madeUntil } from './made-until.ts';
import { externalRows, isWanted, ownOrders } from './set-of-run.ts';
import { brokersOfTriggers, isOfScope } from './orders-of-triggers.ts';
import { beginTriggers } from './triggers-of-run.ts';

export interface FixSetParts {
  readonly writer: SingleWriter<ExecutionState, Change>;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly ids: Ids;
  readonly log: Log;
  readonly accounts: Pick<Accounts, 'today'>;
  readonly poller: (broker: BrokerId) => BookPoller | null;
}

/** Says which orders a request to cancel many is about, once, and keeps that on disk. */
export function createFixSet(parts: FixSetParts) {
  const { writer, journal, clock, ids } = parts;
  const { state } = writer;

  async function knownRun(command: CancelAllCommand): Promise<CancelRunRecord | null> {
    const { caller, idempotencyKey } = command;
    if (idempotencyKey === null) return null;
    const inMemory = state.cancelRuns.get(callerKey(caller, idempotencyKey));
    const known = inMemory ?? (await ifReadable(journal.cancelRun(caller, idempotencyKey)));
    if (known !== null) mustBeSame(known, command);
    return known;
  }

  /** Our open orders. */
  function begin(command: CancelAllCommand): Promise<CancelRunRecord> {
    const at = clock.now();
    const id = `can_${ids.uuid7(at)}`;
    const { caller, requestHash, idempotencyKey, scope } = command;
    return writeRun(parts, {
      ...{ id, caller, requestHash, at },
      idempotencyKey: idempotencyKey ?? id,
      orderIds: ownOrders(state, command),
      external: [],
      toRead: scope === 'mine' ? brokersOfTriggers(parts, command) : command.brokers,
      ...(command.triggers === true ? { triggers: beginTriggers(state, command) } : {}),
    });
  }

  /**
   * Of an account all books; of a caller those of brokers at which an order of today may be open again, or one of
   * its triggers may have placed an order.
   */
  function brokersToRead(command: CancelAllCommand, run: CancelRunRecord): readonly BrokerId[] {
    const { brokers, scope } = command;
    if (scope === 'account') return brokers;
    const ofTriggers = new Set([...run.toRead, ...run.external.map(({ broker }) => broker)]);
    return brokers.filter((broker) => {
      if (ofTriggers.has(broker)) return true;
      const today = parts.accounts.today(broker);
      const ofDay = [...(state.ordersOfDay.get(today)?.values() ?? [])];
      const open = [...state.openOrders].flatMap((id) => state.orders.get(id) ?? []);
      return [...ofDay, ...open].some(
        (order) => order.broker === broker && isWanted(order, command),
      );
    });
  }

  /**
   * Our orders that a book has shown to be open again, and the orders placed elsewhere: those of each book
   * once, when it was first read whole.
   */
  async function addFromBooks(
    command: CancelAllCommand,
    begun: CancelRunRecord,
    books: readonly BookOfRun[],
  ): Promise<CancelRunRecord> {
    const { caller, idempotencyKey, at } = begun;
    // A disk that takes nothing has no row of it.
    const now = state.cancelRuns.get(callerKey(caller, idempotencyKey)) ?? begun;
    const reopened = ownOrders(state, command).filter(
      (id) => !now.orderIds.includes(id) && isBefore(state.orders.get(id)?.createdAt, at),
    );
    const due = books.filter(({ poller }) => now.toRead.includes(poller.trading.broker));
    const found = due.flatMap(({ poller, read }) => {
      const { broker } = poller.trading;
      const until = madeUntil(poller.trading, clock, at);
      return externalRows(state, broker, read, { matches: command.matches, until })
        .filter((row) => isOfScope(state, command, { broker, read, row }))
        .map(({ brokerOrderId }) => ({ broker, brokerOrderId, state: 'wanted' }) as const)
        .filter((row) => !now.external.some((each) => isSameRow(each, row)));
    });
    const toRead = now.toRead.filter(
      (broker) => !due.some(({ poller, isWhole }) => isWhole && poller.trading.broker === broker),
    );
    if (reopened.length + found.length === 0 && toRead.length === now.toRead.length) return now;
    const orderIds = [...now.orderIds, ...reopened];
    return writeRun(parts, { ...now, orderIds, external: [...now.external, ...found], toRead });
  }

  return {
    knownRun,
    begin,
    brokersToRead,
    readOf: (broker: BrokerId, unread: UnreadOfRun[], { scope }: CancelAllCommand) =>
      readOf(parts, broker, unread, scope),
    addFromBooks,
  };
}

/** A request as it is on disk, with what was found in the books for it and could not be written. */
export const withUnwritten = (
  stored: CancelRunRecord,
  found: CancelRunRecord,
): CancelRunRecord => ({
  ...stored,
  orderIds: [...new Set([...stored.orderIds, ...found.orderIds])],
  external: [
    ...stored.external,
    ...found.external.filter((row) => !stored.external.some((each) => isSameRow(each, row))),
  ],
});

/** What cannot be written goes out all the same: a cancel opens no risk. */
export async function writeRun(
  { writer, clock, log }: Pick<FixSetParts, 'writer' | 'clock' | 'log'>,
  run: CancelRunRecord,
): Promise<CancelRunRecord> {
  try {
    return await writer.submit((current) => decideRun(current, run, clock.now()));
  } catch (error) {
    if (!(error instanceof CommitError)) throw error;
    log.error('which orders are cancelled could not be written to disk', { caller: run.caller });
    return run;
  }
}

async function readOf(
  { poller: pollerOf, scheduler, clock }: FixSetParts,
  broker: BrokerId,
  unread: UnreadOfRun[],
  scope: CancelAllCommand['scope'],
): Promise<readonly BookOfRun[]> {
  const poller = pollerOf(broker);
  if (!poller) return [];
  const over = new AbortController();
  const late = sleep(scheduler, BOOK_MS, over.signal).then((): never => {
    throw unreadable(broker, `its answer took longer than ${BOOK_MS / 1_000} s`);
  });
  try {
    const read = await Promise.race([poller.readUnwritten(clock.elapsed()), late]);
    const isWhole = read.complete && read.unread.length === 0 && !poller.recovering();
    if (read.isUnwritten === true) {
      const why = unreadable(broker, 'what it tells could not be written to disk');
      unread.push({ broker, why, isUnwritten: true });
    } else if (!isWhole) {
      unread.push({ broker, why: unreadable(broker, 'rows of it are missing') });
    }
    return [{ poller, read, isWhole }];
  } catch (why) {
    unread.push({ broker, why });
    // An order of a trigger is known to be the caller's: it is cancelled by the last book that had it.
    const last = scope === 'mine' ? poller.lastRead() : null;
    const isOfToday = last !== null && tradingDay(last.begunAt) === tradingDay(poller.now());
    return isOfToday ? [{ poller, read: last, isWhole: false }] : [];
  } finally {
    over.abort();
  }
}

const isBefore = (made: EpochMs | undefined, at: EpochMs): boolean =>
  made !== undefined && made < at;

export function mustBeSame(
  known: Pick<CancelRunRecord, 'requestHash'>,
  { requestHash, idempotencyKey }: CancelAllCommand,
): void {
  if (known.requestHash !== requestHash) throw conflict(idempotencyKey ?? '', null);
}

function unreadable(broker: BrokerId, why: string): GatewayProblem {
  return new GatewayProblem({
    code: 'broker_unavailable',
    detail: `the order book of ${broker} could not be read whole (${why}), so orders may rest there`,
    broker,
    mayHaveExecuted: false,
  });
}
