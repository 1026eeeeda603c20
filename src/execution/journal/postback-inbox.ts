import type { PostbackHint } from '../../domain/postback.ts';
import { GatewayProblem } from '../../domain/problem.ts';
import type { Clock } from '../../platform/clock.ts';
import type { SingleWriter } from '../../platform/single-writer.ts';
import { decidePostback } from './decide-notes.ts';
import type { Journal } from './journal.ts';
import type { Change } from './records.ts';
import type { ExecutionState } from './state.ts';

/**
 * Of one order and time, this many messages are kept (docs/spec/kite-postbacks.md): their checksum
 * does not tell them apart, so whoever has seen one can send any number of variants.
 */
const MOST_OF_A_SUBJECT = 8;

export interface PostbackInboxParts {
  readonly writer: SingleWriter<ExecutionState, Change>;
  readonly journal: Pick<Journal, 'postbacksOf'>;
  readonly clock: Clock;
  /** Has the order read again, at most twice a second. */
  readonly wake: (hint: PostbackHint) => void;
}

/**
 * Resolves once the message is in the inbox. The inbox is on disk alone: only what is being written
 * is in memory.
 */
export function createPostbackInbox(
  parts: PostbackInboxParts,
): (hint: PostbackHint) => Promise<'accepted' | 'repeated'> {
  const { writer, journal, clock, wake } = parts;
  const underWay = new Map<string, Promise<'accepted' | 'repeated'>>();
  /** Messages that are being written, by subject. */
  const writing = new Map<string, number>();

  async function take(hint: PostbackHint): Promise<'accepted' | 'repeated'> {
    const { subject, digest } = hint;
    if (writer.state.disk.isLow) {
      wake(hint);
      throw new GatewayProblem({
        code: 'disk_full',
        detail:
          'the disk is nearly full, so the message was not kept; the order is read again all the same',
      });
    }
    const kept = await journal.postbacksOf(subject);
    if (kept.includes(digest)) return 'repeated';
    const count = writing.get(subject) ?? 0;
    if (kept.length + count >= MOST_OF_A_SUBJECT) {
      wake(hint);
      return 'repeated';
    }
    writing.set(subject, count + 1);
    try {
      await writer.submit((current) => decidePostback(current, { hint, at: clock.now() }));
    } finally {
      const left = (writing.get(subject) ?? 1) - 1;
      if (left > 0) writing.set(subject, left);
      else writing.delete(subject);
    }
    wake(hint);
    return 'accepted';
  }

  return async (hint) => {
    const same = underWay.get(hint.digest);
    if (same) {
      await same;
      return 'repeated';
    }
    const taking = take(hint);
    underWay.set(hint.digest, taking);
    try {
      return await taking;
    } finally {
      underWay.delete(hint.digest);
    }
  };
}
