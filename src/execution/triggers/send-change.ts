import { notSent, type NotSent } from '../../domain/outcome.ts';
import type { TriggerOutcome } from '../../domain/ports.ts';
import { GatewayProblem } from '../../domain/problem.ts';
import { sleep } from '../../platform/clock.ts';
import { CommitError } from '../../platform/single-writer.ts';
import { messageOf } from '../../platform/values.ts';
import type { TriggerId } from '../../units/branded.ts';
import { required } from '../journal/state.ts';
import { askedAtLast } from '../submit/last-look.ts';
import { onlyReduces } from './check-legs.ts';
import {
  type ChangeTriggerReply,
  decideChangeTrigger,
  decideTriggerChanged,
  type TriggerChangeKey,
} from './decide-trigger-change.ts';
import type { Wanted } from './prepare-change.ts';
import { brokenPort, keptBack, ofThisTrigger } from './send-trigger.ts';
import { foreignReason } from './trigger-account.ts';
import type { TriggerParts } from './trigger-parts.ts';
import type { TriggerWatch } from './trigger-watch.ts';

/** How long a caller waits for the list that shows what became of a change. */
const SHOWN_MS = 3_000;

/** `unwritten`: a deletion that the disk does not take. */
export type WrittenReply = ChangeTriggerReply | { readonly kind: 'unwritten' };

type Sending = Extract<ChangeTriggerReply, { kind: 'sending' }>;

export interface SendChange {
  /** Writes a change down before it leaves. Rejects with a GatewayProblem where that cannot be done. */
  write(key: TriggerChangeKey, wanted: Wanted): Promise<WrittenReply>;
  /** Sends it once, and writes down what came of it. Never rejects for what a broker answers. */
  sendOne(watch: TriggerWatch, wanted: Wanted, written: Sending): Promise<void>;
  /** Sends it once, and writes nothing down. Never rejects for what a broker answers. */
  request(watch: TriggerWatch, wanted: Wanted, triggerId: string): Promise<TriggerOutcome>;
  /** Resolves once a list that was read since tells what became of it, or after a while. */
  shown(watch: TriggerWatch, id: TriggerId): Promise<void>;
}

export function createSendChange(parts: TriggerParts): SendChange {
  const { writer, clock } = parts;
  const { state } = writer;

  /** The list tells what became of it; where it cannot be read now, the watch reads it later. */
  async function shown(watch: TriggerWatch, id: TriggerId): Promise<void> {
    const over = new AbortController();
    const late = sleep(parts.scheduler, SHOWN_MS, over.signal);
    try {
      await Promise.race([watch.read(clock.elapsed()), late]);
    } catch (error) {
      const reason = messageOf(error);
      parts.log.debug('a list of triggers could not be read after a change', {
        reason,
        orderId: id,
      });
    } finally {
      over.abort();
      watch.schedule();
    }
  }

  async function write(key: TriggerChangeKey, wanted: Wanted): Promise<WrittenReply> {
    const { terms, before, legs } = wanted;
    try {
      return await writer.submit((current) =>
        decideChangeTrigger(current, { key, terms, before, legs, at: clock.now() }),
      );
    } catch (error) {
      if (!(error instanceof CommitError)) throw error;
      // A deletion opens no risk, whether it is known afterwards or not: a full disk does not stop it.
      if (terms === null) return { kind: 'unwritten' };
      const detail = 'the change could not be written to disk, so it was not sent';
      const fields = { code: 'journal_unavailable', detail, mayHaveExecuted: false } as const;
      throw new GatewayProblem(fields, error);
    }
  }

  async function sendOne(
    watch: TriggerWatch,
    wanted: Wanted,
    { trigger, brokerTriggerId }: Sending,
  ): Promise<void> {
    const { key } = wanted;
    const wasWanted = trigger.isDeleteWanted;
    const outcome = await request(watch, wanted, brokerTriggerId);
    watch.ended(key.triggerId);
    await parts.commitRetry.commit((current) =>
      decideTriggerChanged(current, { key, outcome, wasWanted, at: clock.now() }),
    );
    parts.changed.notify();
  }

  async function request(
    watch: TriggerWatch,
    { key, terms, legs, lastPrice }: Wanted,
    triggerId: string,
  ): Promise<TriggerOutcome> {
    const { of } = watch;
    const blocked = of.trading.blocked('way_out');
    if (blocked) return blocked;
    const trigger = required(state.triggers, key.triggerId, 'trigger');
    const anothers = watch.anothersReason(trigger);
    if (anothers !== null) return notSent('not_open', anothers);
    const foreign = await foreignReason(parts, watch, trigger);
    if (foreign !== null) return notSent('not_open', foreign);
    try {
      if (terms === null) return ofThisTrigger(await of.calls.remove(triggerId), triggerId);
      const instrument = parts.instrumentOf(terms.instrument);
      if (instrument === null) return notSent('not_open', 'no instrument list has it any more');
      let kept: NotSent | null = null;
      const { mayLeave } = askedAtLast(of.trading, () => {
        const isUnwanted = required(state.triggers, key.triggerId, 'trigger').isDeleteWanted;
        kept = isUnwanted
          ? notSent('not_open', 'it is being deleted')
          : keptBack(parts, legs, key.triggerId);
        return kept;
      });
      const wayOut = onlyReduces(parts, legs, key.triggerId);
      const attempt = { terms, instrument, lastPrice, wayOut, mayLeave };
      const outcome = ofThisTrigger(await of.calls.modify(triggerId, attempt), triggerId);
      return outcome.kind === 'not_sent' ? (kept ?? outcome) : outcome;
    } catch (error) {
      return brokenPort(error);
    }
  }

  return { write, sendOne, request, shown };
}
