import type { BrokerId } from '../../domain/broker.ts';
import { tradingDay } from '../../domain/ist.ts';
import { GatewayProblem } from '../../domain/problem.ts';
import { CommitError } from '../../platform/single-writer.ts';
import { type EpochMs, type ExitId, plus, type TradingDay } from '../../units/branded.ts';
import { isSameShares } from '../reconcile/book-shares.ts';
import type { IsinOf } from '../reconcile/held.ts';
import { closingProblem } from '../submit/place-command.ts';
import { decideBegin, decideExit, exitRunning } from './decide-exit.ts';
import { type ExitCommand, type ExitParts, sharesOf } from './exit-parts.ts';
import type { ExitRecord } from './exit.ts';
import { hashOfExit, mustRepeatExit } from './exit-identity.ts';
import { createNewExit } from './new-exit.ts';
import { createRunExit } from './run-exit.ts';

export interface ExitResult {
  readonly exit: ExitRecord;
  /** The key had been used: this is the exit that it began. */
  readonly repeated: boolean;
}

/** Ways out of positions, one at a time for the same shares (docs/exits.md). */
export interface Exits {
  /** Resolves once the exit is on disk. Rejects with a GatewayProblem where nothing was begun. */
  begin(command: ExitCommand): Promise<ExitResult>;
  /** No further leg is sent, and the one in the book is cancelled. Resolves once that is on disk. */
  cancel(id: ExitId): Promise<ExitRecord>;
  /** The exit that a key has begun; null for a new key. Throws `idempotency_conflict` for another request. */
  repeated(command: Omit<ExitCommand, 'trading'>): Promise<ExitRecord | null>;
  /** The exit that a key has begun, whatever was asked for; null for a new key. */
  underKey(caller: string, idempotencyKey: string | null): Promise<ExitRecord | null>;
  exit(id: ExitId): Promise<ExitRecord | null>;
  /**
   * Reads accounts that an exit may be of, all at once: those that were not read lately, or `anew` all that were not
   * read a moment ago. What cannot be read within three seconds counts as it was last known. Never rejects.
   */
  readAccounts(
    brokers: readonly BrokerId[],
    shares: Pick<ExitRecord, 'instrument' | 'product'>,
    how?: 'anew',
  ): Promise<void>;
  /** Oldest first. */
  exitsOn(day: TradingDay): Promise<readonly ExitRecord[]>;
  /** Goes on with what the last process left under way. */
  resume(): void;
  /** Resolves once nothing is under way. The gateway is closing by then. */
  whenDone(): Promise<void>;
}

/** After a longer time the trader may have acted otherwise: an exit does not go on by itself. */
const GOES_ON_WITHIN_MS = 5 * 60_000;
/** An account may take so long to be read before an exit is begun at another one. */
const ACCOUNT_MS = 3_000;
/** A read of this age is not made anew. */
const MOMENT_MS = 2_000;

export function createExits(parts: ExitParts): Exits {
  const { writer, journal, clock } = parts;
  const { state } = writer;
  const runExit = createRunExit(parts);
  const isinOf: IsinOf = (name) => parts.instruments.byName(name)?.isin ?? null;
  const newExit = createNewExit(parts, isinOf);
  const underWay = new Set<Promise<void>>();

  function start(id: ExitId): void {
    const done: Promise<void> = runExit(id).finally(() => underWay.delete(done));
    underWay.add(done);
  }

  async function repeated(command: Omit<ExitCommand, 'trading'>): Promise<ExitRecord | null> {
    const known = await underKey(command.caller, command.idempotencyKey);
    if (known !== null) mustRepeatExit(known, command);
    return known;
  }

  async function underKey(caller: string, key: string | null): Promise<ExitRecord | null> {
    const known = key === null ? null : await journal.exitUnderKey(caller, key);
    return known === null ? null : (state.exits.get(known.id) ?? known);
  }

  async function begin(command: ExitCommand): Promise<ExitResult> {
    const known = await repeated(command);
    if (known) return { exit: known, repeated: true };
    if (parts.closing()) throw closingProblem();
    const exit = await newExit(command, hashOfExit(command));
    const shares = sharesOf(exit);
    const reply = await writeExit(() =>
      writer.submit((current) =>
        decideBegin(current, exit, (other) => {
          const theirs = { ...sharesOf(other), side: exit.side };
          return other.broker === exit.broker && isSameShares(shares, theirs, isinOf);
        }),
      ),
    );
    if (reply.kind === 'running') throw exitRunning(reply.exit);
    if (reply.kind === 'known') {
      mustRepeatExit(reply.exit, command);
      return { exit: reply.exit, repeated: true };
    }
    start(exit.id);
    return { exit: reply.exit, repeated: false };
  }

  async function cancel(id: ExitId): Promise<ExitRecord> {
    const exit = await writeExit(
      () =>
        writer.submit((current) =>
          decideExit(current, { id, at: clock.now(), change: { isCancelWanted: true } }),
        ),
      'the cancel could not be written to disk, so the exit goes on: try again',
    );
    parts.changed.notify();
    return exit;
  }

  async function readAccounts(
    ...[brokers, shares, how]: Parameters<Exits['readAccounts']>
  ): Promise<void> {
    const now = clock.elapsed();
    const need = {
      terms: sharesOf({ ...shares, side: 'SELL' }),
      until: plus(now, ACCOUNT_MS),
      ...(how === 'anew' ? { since: plus(now, -MOMENT_MS) } : {}),
    };
    // The answer of one that cannot say whose session it is must not keep the exit from the others.
    await Promise.allSettled(brokers.map((broker) => parts.accounts.refresh({ ...need, broker })));
  }

  function resume(): void {
    for (const exit of state.exits.values()) {
      if (exit.over !== null) continue;
      const day = tradingDay(parts.poller(exit.broker)?.now() ?? clock.now());
      const age = Math.abs(clock.now() - exit.updatedAt);
      if (parts.poller(exit.broker) && day === exit.day && age <= GOES_ON_WITHIN_MS) {
        start(exit.id);
      } else {
        void parts.commitRetry.commit((current) => decideExit(current, tooOld(exit, clock.now())));
      }
    }
  }

  return {
    begin,
    cancel,
    repeated,
    underKey,
    readAccounts,
    exit: async (id) => state.exits.get(id) ?? (await journal.exit(id)),
    exitsOn: (day) => journal.exitsOn(day),
    resume,
    whenDone: async () => void (await Promise.all(underWay)),
  };
}

async function writeExit<Reply>(
  write: () => Promise<Reply>,
  what = 'the exit could not be written to disk, so nothing was begun',
): Promise<Reply> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof CommitError)) throw error;
    throw new GatewayProblem(
      {
        code: 'journal_unavailable',
        detail: what,
        mayHaveExecuted: false,
      },
      error,
    );
  }
}

function tooOld({ id }: ExitRecord, at: EpochMs): Parameters<typeof decideExit>[1] {
  const detail = 'the gateway was not running for minutes, so the exit did not go on by itself';
  const over = { end: 'stopped', why: 'gateway_was_down', detail, held: null, at } as const;
  return { id, at, change: { over, doing: 'over' } };
}
