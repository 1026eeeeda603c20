import { BrokerError, type BrokerFailure, type RejectionClass } from '../../domain/failure.ts';
import { notSent, type NotSent } from '../../domain/outcome.ts';
import { permit, type GuardedCalls } from './guarded-calls.ts';
import type { KiteClient } from './client.ts';
import { outcomeOf, type OrderCall } from './errors.ts';
import { gttParams, isLike, toGtt, type Gtt, type GttTerms } from './gtt-terms.ts';
import type { RateLimitQueues } from './rate-limits.ts';
import type { KiteAnswer } from './reply.ts';
import { isOrderId } from './request.ts';
import { parseAs } from './schemas.ts';
import { triggerAcknowledgement, triggerRow, triggerRows } from './schemas-gtt.ts';

export interface GttParts {
  readonly client: KiteClient;
  readonly changes: GuardedCalls;
  readonly reads: GuardedCalls;
  readonly queues: RateLimitQueues;
}

/**
 * The outcome of a GTT call. As for orders, what is not known is uncertain (docs/spec/kite-gtt.md).
 */
export type GttOutcome =
  | { readonly kind: 'acknowledged'; readonly triggerId: string }
  | { readonly kind: 'refused'; readonly rejection: RejectionClass; readonly reason: string }
  | NotSent
  | { readonly kind: 'uncertain'; readonly failure: BrokerFailure; readonly reason: string };

/**
 * `known` holds the triggers that existed before the call. A similar one that is not among them may
 * be the one we placed.
 */
export interface OpenGtt {
  readonly terms: GttTerms;
  readonly known: ReadonlySet<string>;
}

/** `unseen` does not mean "not placed": rows can appear late. */
export type GttSearch =
  | { readonly kind: 'found'; readonly gtt: Gtt }
  | { readonly kind: 'several'; readonly gtts: readonly Gtt[] }
  | { readonly kind: 'unseen' };

/**
 * Good-till-triggered orders. The journal does not keep them: the caller keeps what `place`
 * returns, and never sends it again while it is uncertain. A GTT carries no tag, so an identical
 * one made by hand at the same moment cannot be told apart.
 */
export interface AltGtt {
  list(): Promise<readonly Gtt[]>;
  get(triggerId: string): Promise<Gtt>;
  /** Reads the whole list, then sends one request, once. Never rejects. */
  place(terms: GttTerms): Promise<{ readonly outcome: GttOutcome; readonly open: OpenGtt | null }>;
  /** Looks for what an uncertain `place` may have made. */
  find(open: OpenGtt): Promise<GttSearch>;
  modify(triggerId: string, terms: GttTerms): Promise<GttOutcome>;
  remove(triggerId: string): Promise<GttOutcome>;
}

const NO_ID = 'not a trigger id of this broker';

export function createAltGtt({ client, changes, reads, queues }: GttParts): AltGtt {
  const list = (): Promise<readonly Gtt[]> =>
    reads.read(queues.account, client.triggers, (data) => parseAs(triggerRows, data).map(toGtt));

  async function change(
    call: OrderCall,
    send: (token: string) => Promise<KiteAnswer>,
  ): Promise<GttOutcome> {
    try {
      await permit(queues.triggers);
      const triggerId = await changes.change(
        send,
        (data) => parseAs(triggerAcknowledgement, data).trigger_id,
      );
      return { kind: 'acknowledged', triggerId };
    } catch (error) {
      const failure: BrokerFailure =
        error instanceof BrokerError
          ? error.failure
          : { kind: 'bad_payload', message: String(error) };
      const outcome = outcomeOf(call, failure);
      if (outcome.kind !== 'acknowledged') return outcome;
      return { kind: 'uncertain', failure, reason: failure.message };
    }
  }

  return {
    list,

    async get(triggerId) {
      if (!isOrderId(triggerId)) {
        throw new BrokerError('alt', { kind: 'not_sent', reason: 'not_open', message: NO_ID });
      }
      return reads.read(
        queues.account,
        (token) => client.trigger(token, triggerId),
        (data) => toGtt(parseAs(triggerRow, data)),
      );
    },

    async place(terms) {
      let known: ReadonlySet<string>;
      try {
        known = new Set((await list()).map(({ id }) => id));
      } catch (error) {
        const reason = `the triggers could not be read before placing: ${String(error)}`;
        return { outcome: notSent('baseline', reason), open: null };
      }
      const params = gttParams(terms);
      const outcome = await change('place', (token) => client.placeTrigger(token, params));
      return { outcome, open: outcome.kind === 'uncertain' ? { terms, known } : null };
    },

    async find({ terms, known }) {
      const gtts = (await list()).filter((gtt) => !known.has(gtt.id) && isLike(gtt, terms));
      const [gtt] = gtts;
      if (!gtt) return { kind: 'unseen' };
      return gtts.length === 1 ? { kind: 'found', gtt } : { kind: 'several', gtts };
    },

    async modify(triggerId, terms) {
      if (!isOrderId(triggerId)) return notSent('not_open', NO_ID);
      const params = gttParams(terms);
      return change('modify', (token) => client.modifyTrigger(token, triggerId, params));
    },

    async remove(triggerId) {
      if (!isOrderId(triggerId)) return notSent('not_open', NO_ID);
      return change('cancel', (token) => client.deleteTrigger(token, triggerId));
    },
  };
}
