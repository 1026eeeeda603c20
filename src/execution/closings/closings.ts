import { GatewayProblem } from '../../domain/problem.ts';
import { CommitError } from '../../platform/single-writer.ts';
import { messageOf } from '../../platform/values.ts';
import type { ClosingId, EpochMs, TradingDay } from '../../units/branded.ts';
import type { ExitParts } from '../exits/exit-parts.ts';
import type { Exits } from '../exits/exits.ts';
import { closingProblem } from '../submit/place-command.ts';
import type { ClosingRecord } from './closing.ts';
import { hashOfClosing, mustRepeatClosing } from './closing-identity.ts';
import { decideBeginClosing, decideClosing } from './decide-closing.ts';
import { type ClosingCommand, createNewClosing } from './new-closing.ts';
import { createRunClosing } from './run-closing.ts';

export interface ClosingResult {
  readonly closing: ClosingRecord;
  readonly repeated: boolean;
}

/** Closings of many positions (docs/exits.md, "Closing all"). */
export interface Closings {
  /** Reads the accounts, and resolves once the closing is on disk. An account that cannot be read rejects. */
  begin(command: ClosingCommand): Promise<ClosingResult>;
  /** No further exit begins, and those under way end. */
  cancel(id: ClosingId): Promise<ClosingRecord>;
  /** The closing that a key has begun, whatever was asked for; null for a new key. */
  underKey(caller: string, idempotencyKey: string | null): Promise<ClosingRecord | null>;
  closing(id: ClosingId): Promise<ClosingRecord | null>;
  /** Of a day, oldest first. */
  closingsOn(day: TradingDay): Promise<readonly ClosingRecord[]>;
  resume(): void;
  whenDone(): Promise<void>;
}

/** See Exits: after a longer time a person has to begin it anew. */
const GOES_ON_WITHIN_MS = 5 * 60_000;

export function createClosings(parts: ExitParts, exits: Exits): Closings {
  const { writer, journal, clock } = parts;
  const { state } = writer;
  const runClosing = createRunClosing(parts, exits);
  const newClosing = createNewClosing(parts);
  const underWay = new Set<Promise<void>>();

  function start(id: ClosingId): void {
    const done: Promise<void> = runClosing(id)
      .catch((error: unknown) => mistake(id, error))
      .finally(() => underWay.delete(done));
    underWay.add(done);
  }

  /** Who waits for a closing hears that it does not go on. */
  async function mistake(id: ClosingId, error: unknown): Promise<void> {
    const reason = messageOf(error);
    parts.log.error('a closing ended by a mistake of the gateway', { reason });
    const detail = `the gateway made a mistake (${reason}): look at what is still held`;
    const at = clock.now();
    const over = { end: 'stopped', detail, at } as const;
    await parts.commitRetry.commit((current) =>
      decideClosing(current, { id, at, change: () => ({ over }) }),
    );
    parts.changed.notify();
  }

  async function begin(command: ClosingCommand): Promise<ClosingResult> {
    const known = await underKey(command.caller, command.idempotencyKey);
    if (known) {
      mustRepeatClosing(known, command);
      return { closing: known, repeated: true };
    }
    if (parts.closing()) throw closingProblem();
    const closing = await newClosing(command, hashOfClosing(command));
    const reply = await write(() =>
      writer.submit((current) => decideBeginClosing(current, closing)),
    );
    if (reply.kind === 'known') {
      mustRepeatClosing(reply.closing, command);
      return { closing: reply.closing, repeated: true };
    }
    start(closing.id);
    return { closing, repeated: false };
  }

  async function underKey(caller: string, key: string | null): Promise<ClosingRecord | null> {
    const known = key === null ? null : await journal.closingUnderKey(caller, key);
    return known === null ? null : (state.closings.get(known.id) ?? known);
  }

  async function cancel(id: ClosingId): Promise<ClosingRecord> {
    const closing = await write(
      () =>
        writer.submit((current) =>
          decideClosing(current, { id, at: clock.now(), change: () => ({ isCancelWanted: true }) }),
        ),
      'the cancel could not be written to disk, so the closing goes on: try again',
    );
    parts.changed.notify();
    return closing;
  }

  function resume(): void {
    for (const { id, over, updatedAt } of state.closings.values()) {
      if (over !== null) continue;
      if (Math.abs(clock.now() - updatedAt) <= GOES_ON_WITHIN_MS) start(id);
      else
        void parts.commitRetry.commit((current) => decideClosing(current, tooOld(id, clock.now())));
    }
  }

  return {
    begin,
    cancel,
    underKey,
    closing: async (id) => state.closings.get(id) ?? (await journal.closing(id)),
    closingsOn: async (day) =>
      (await journal.closingsOn(day)).map((each) => state.closings.get(each.id) ?? each),
    resume,
    whenDone: async () => void (await Promise.all(underWay)),
  };
}

async function write<Reply>(
  submit: () => Promise<Reply>,
  detail = 'the closing could not be written to disk, so nothing was begun',
): Promise<Reply> {
  try {
    return await submit();
  } catch (error) {
    if (!(error instanceof CommitError)) throw error;
    const fields = { code: 'journal_unavailable', detail, mayHaveExecuted: false } as const;
    throw new GatewayProblem({ ...fields }, error);
  }
}

function tooOld(id: ClosingId, at: EpochMs): Parameters<typeof decideClosing>[1] {
  const detail = 'the gateway was not running for minutes, so it did not go on by itself';
  return { id, at, change: () => ({ over: { end: 'stopped', detail, at } }) };
}
