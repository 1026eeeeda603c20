import type { BrokerId } from '../domain/broker.ts';
import { scripCodeOf, type Instrument } from '../domain/instrument.ts';
import type { OrderTerms } from '../domain/order.ts';
import { notSent, uncertain, type NotSent, type Outcome } from '../domain/outcome.ts';
import type { Trading } from '../domain/ports.ts';
import { GatewayProblem } from '../domain/problem.ts';
import { CommitError, type Decision } from '../platform/single-writer.ts';
import {
  decideNotSent,
  decidePlaced,
  decideSend,
  type OrderCommand,
  type SendReply,
} from './decide-place.ts';
import { otherAccountHolding } from './exit-guard.ts';
import { passesKillSwitch } from './kill-switch.ts';
import { conflict, killSwitchProblem, notSentProblem } from './place-problems.ts';
import type { PlaceCommand, PlaceResult, PlacingParts } from './place-command.ts';
import { createPreparing, type Preparation } from './preparing.ts';
import type { AttemptRecord, Change, OrderRecord } from './records.ts';
import type { ExecutionState } from './state.ts';

/** How long a caller waits, all in all, for what has to be there before an order may be sent. */
const PREPARING_MS = 5_000;
export const NO_BROKER = notSent('not_open', 'no broker takes orders now');

/** One order on its way along its legs: a caller's, or a slice of one. */
export interface Outgoing {
  readonly command: PlaceCommand;
  readonly legs: readonly Trading[];
  readonly orderId: string;
  readonly idempotencyKey: string;
  readonly requestHash: string;
  readonly terms: OrderTerms;
}

/** What one order goes through on its way to one broker (docs/orders.md). */
export interface Sending {
  /** Along its legs, until one has taken it or may have; settles what came of it. */
  sendOne(outgoing: Outgoing): Promise<PlaceResult>;
  /** Throws where an exit would land in another account than the one it is to reduce. */
  guardExit(trading: Trading, terms: OrderTerms, route: readonly BrokerId[]): void;
  orderCommand(outgoing: Outgoing): Omit<OrderCommand, 'broker' | 'mode'>;
  /** Commits what has to be on disk before a send; throws `journal_unavailable` where it cannot be. */
  write<Reply extends { readonly kind: string }>(
    outgoing: Outgoing,
    decide: (current: ExecutionState) => Decision<Change, Reply>,
  ): Promise<Reply | { readonly kind: 'known'; readonly order: OrderRecord }>;
  /** An order that no broker was sent. */
  closeUnsent(order: OrderRecord, why: string): Promise<OrderRecord>;
}

export function createSending(parts: PlacingParts): Sending {
  const { writer, journal, settling, clock, ids, changed, keeperOf } = parts;
  const { state } = writer;
  const prepare = createPreparing({ ...parts, state });

  async function sendOne(outgoing: Outgoing): Promise<PlaceResult> {
    const { command, legs, orderId, idempotencyKey, requestHash, terms } = outgoing;
    const { request, instrument } = command;
    const deadline = clock.elapsed() + PREPARING_MS;
    // A slice is on disk before it is sent.
    let order: OrderRecord | null = state.orders.get(orderId) ?? null;
    let why: NotSent = command.blocked ?? NO_BROKER;
    for (const trading of legs) {
      try {
        if (request.broker === null) guardExit(trading, terms, command.route);
        const sent = await sendTo(trading);
        if (sent.kind === 'known') return repeat(sent.order, requestHash, idempotencyKey);
        if (sent.kind === 'settled') return { order: sent.order, idempotencyKey, repeated: false };
        why = sent.why;
        order = sent.order ?? order;
      } catch (error) {
        // Once a leg is on disk, the order has used its key, and says itself what became of it.
        if (order === null) throw error;
        if (error instanceof GatewayProblem) why = notSent('not_open', error.fields.detail);
        break;
      }
    }
    if (order === null) throw notSentProblem(why);
    return { order: await closeUnsent(order, why.reason), idempotencyKey, repeated: false };

    /** One leg: prepared, committed, sent, settled. */
    async function sendTo(
      trading: Trading,
    ): Promise<
      | { kind: 'known'; order: OrderRecord }
      | { kind: 'settled'; order: OrderRecord }
      | { kind: 'not_sent'; why: NotSent; order: OrderRecord | null }
    > {
      for (;;) {
        const prepared = await prepare(trading, terms, deadline);
        if ('kind' in prepared) return { kind: 'not_sent', why: prepared, order: null };
        const reply = await commitSend(trading, prepared);
        if (reply.kind === 'lane_busy') continue;
        if (reply.kind === 'known') return reply;
        if (reply.kind === 'kill_switch') throw killSwitchProblem(reply.reason);
        if (reply.kind === 'cancelled') {
          const cancelled = notSent('not_open', 'it was cancelled before it was sent');
          return { kind: 'not_sent', why: cancelled, order: null };
        }
        const outcome = await requestOnce(trading, reply.attempt, terms, instrument);
        const isLast = legs.at(-1) === trading;
        const settled = await settling.settle((current) =>
          decidePlaced(current, {
            attemptId: reply.attempt.id,
            outcome,
            last: isLast,
            at: clock.now(),
          }),
        );
        changed.notify();
        const keeper = keeperOf(trading);
        if (outcome.kind === 'acknowledged') keeper.wakeSoon();
        else keeper.schedule();
        if (outcome.kind === 'not_sent' && settled !== null && !isLast) {
          return { kind: 'not_sent', why: outcome, order: settled };
        }
        return { kind: 'settled', order: settled ?? state.orders.get(orderId)! };
      }
    }

    function commitSend(trading: Trading, prepared: Preparation): Promise<SendReply> {
      return write(outgoing, (current) =>
        decideSend(current, {
          ...orderCommand(outgoing),
          attemptId: `att_${ids.uuid7(clock.now())}`,
          tag: ids.tag(clock.now()),
          tagSent: trading.tagging !== 'never',
          broker: trading.broker,
          mode: trading.mode,
          baseline: prepared.baseline,
        }),
      );
    }
  }

  function orderCommand(outgoing: Outgoing): Omit<OrderCommand, 'broker' | 'mode'> {
    const { command, orderId, idempotencyKey, requestHash, terms } = outgoing;
    const { instrument } = command;
    return {
      orderId,
      caller: command.caller,
      idempotencyKey,
      requestHash,
      callerTag: command.request.tag,
      terms,
      scripCode: scripCodeOf(instrument),
      segment: instrument.segment,
      at: clock.now(),
    };
  }

  async function write<Reply extends { readonly kind: string }>(
    { command, orderId, idempotencyKey }: Outgoing,
    decide: (current: ExecutionState) => Decision<Change, Reply>,
  ): Promise<Reply | { readonly kind: 'known'; readonly order: OrderRecord }> {
    try {
      return await writer.submit(decide);
    } catch (error) {
      if (!(error instanceof CommitError)) throw error;
      const used = await journal.orderUnderKey(command.caller, idempotencyKey);
      if (used && used.id !== orderId) return { kind: 'known', order: used };
      throw new GatewayProblem(
        {
          code: 'journal_unavailable',
          detail: 'the order could not be written to disk, so it was not sent',
          mayHaveExecuted: false,
          retrySafe: true,
        },
        error,
      );
    }
  }

  function guardExit(trading: Trading, terms: OrderTerms, route: readonly BrokerId[]): void {
    const holder = otherAccountHolding(state, trading.broker, terms, route);
    if (holder === null) return;
    throw new GatewayProblem({
      code: 'wrong_account',
      detail:
        `${terms.instrument} is held at ${holder}, and this order would go to ${trading.broker}; ` +
        'name the broker to have it all the same',
      broker: holder,
      mayHaveExecuted: false,
    });
  }

  /** Looked at once more in the very turn in which the request leaves; then sent, once. */
  async function requestOnce(
    trading: Trading,
    attempt: AttemptRecord,
    terms: OrderTerms,
    instrument: Instrument,
  ): Promise<Outcome> {
    const thrown = passesKillSwitch(state, trading.broker, terms, attempt.orderId, clock.now());
    if (thrown !== null) return notSent('kill_switch', thrown);
    const blocked = trading.blocked();
    if (blocked) return blocked;
    try {
      return await trading.place({ attemptId: attempt.id, terms, instrument, tag: attempt.tag! });
    } catch (error) {
      // A broker's port answers an outcome. If it throws all the same, nothing is known.
      return uncertain({ kind: 'transport', message: String(error) });
    }
  }

  async function closeUnsent(order: OrderRecord, why: string): Promise<OrderRecord> {
    const at = clock.now();
    const reason = order.reason ?? why;
    const closed = await settling.settle((current) =>
      decideNotSent(current, { orderId: order.id, reason, at }),
    );
    return closed ?? order;
  }

  return { sendOne, guardExit, orderCommand, write, closeUnsent };
}

/** The order that a key has made, for the request that made it; throws `conflict` for another. */
export function repeat(order: OrderRecord, hash: string, idempotencyKey: string): PlaceResult {
  if (order.requestHash !== hash) throw conflict(idempotencyKey);
  return { order, idempotencyKey, repeated: true };
}
