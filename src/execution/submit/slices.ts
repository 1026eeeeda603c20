import type { Decision } from '../../platform/single-writer.ts';
import type { Trading } from '../../domain/ports.ts';
import { type ElapsedMs, type OrderId, plus } from '../../units/branded.ts';
import { callerKey, type Change } from '../journal/records.ts';
import { type ExecutionState, required } from '../journal/state.ts';
import { UnitOfWork } from '../journal/unit-of-work.ts';
import {
  brokerOrderIdOf,
  FILL_UNKNOWN,
  type OrderRecord,
  reasonOf,
  statusOf,
} from '../order/order.ts';
import { sliceKey } from '../order/sliced-order.ts';
import { type AccountKnowledge, type Brake, brakeProblem, stoppedByBrake } from './brakes.ts';
import { newOrder, type OrderCommand } from './send-command.ts';
import { notSentProblem, type PlaceResult, type SubmitParts, timesAt } from './place-command.ts';
import { type Checked, checkAccount, guardExit, knowledgeNow } from './guards.ts';
import { limitReached } from './order-limits.ts';
import { LEAVES_WITHIN_MS, SLICES_WITHIN_MS, tooLate } from './late-orders.ts';
import {
  closeUnsent,
  NO_BROKER,
  orderCommand,
  PREPARING_MS,
  repeat,
  writeBeforeSend,
  type Outgoing,
  type SendOrder,
} from './send-order.ts';

export interface SlicesCommand {
  readonly order: OrderCommand;
  /** In the order in which they will be sent; their quantities add up to the order's. */
  readonly slices: readonly { readonly id: OrderId; readonly quantity: number }[];
  /** What is known of the account; null, or absent, where no brake held when it was prepared. */
  readonly knowledge?: AccountKnowledge | null;
}

export type SlicesReply =
  | { readonly kind: 'sliced'; readonly slices: readonly OrderRecord[] }
  /** The key has made an order before. */
  | { readonly kind: 'known'; readonly order: OrderRecord }
  /** It is above a limit, and no way out. */
  | { readonly kind: 'braked'; readonly brake: Brake }
  /** It is above a limit since it was prepared: its account has to be read first. */
  | { readonly kind: 'account_unread' };

/**
 * Writes down an order above the freeze quantity with all its slices, before the first one is sent:
 * what a crash leaves unsent is then known to have been meant, and known not to have left.
 */
export function decideSlices(
  state: ExecutionState,
  { order, slices, knowledge = null }: SlicesCommand,
): Decision<Change, SlicesReply> {
  const known = state.orderByKey.get(callerKey(order.caller, order.idempotencyKey));
  if (known !== undefined) {
    return { changes: [], reply: { kind: 'known', order: required(state.orders, known, 'order') } };
  }
  // The slices keep to the other brakes, each for itself.
  if (limitReached(state, order) !== null) {
    if (knowledge === null) return { changes: [], reply: { kind: 'account_unread' } };
    const brake = stoppedByBrake(state, order, knowledge);
    if (brake !== null) return { changes: [], reply: { kind: 'braked', brake } };
  }
  const unit = new UnitOfWork(state, order.at);
  const parent = newOrder(order, {
    kind: 'sliced',
    status: 'accepted',
    reason: null,
    fill: FILL_UNKNOWN,
  });
  unit.addOrder(parent);
  for (const [index, { id, quantity }] of slices.entries()) {
    unit.addOrder({
      ...parent,
      id,
      parentId: parent.id,
      idempotencyKey: sliceKey(parent.id, index + 1),
      terms: { ...parent.terms, quantity },
      state: { kind: 'accepted', reason: null, cancelWanted: false },
    });
  }
  return {
    changes: unit.changes,
    reply: { kind: 'sliced', slices: slices.map(({ id }) => unit.order(id)) },
  };
}

/** Sends an order above the freeze quantity as slices, each an order of its own. */
export function createSendSlices(
  parts: SubmitParts,
  { sendOne }: SendOrder,
): (outgoing: Outgoing, quantities: readonly number[]) => Promise<PlaceResult> {
  const { writer, clock, ids, accounts, closing } = parts;
  const { state } = writer;

  /**
   * Sends the slices one after the other, to one broker. One that is not taken stops those behind
   * it.
   */
  return async function sendSlices(
    outgoing: Outgoing,
    quantities: readonly number[],
  ): Promise<PlaceResult> {
    const { command, orderId, idempotencyKey, terms } = outgoing;
    const [first] = command.candidates;
    if (!first) throw notSentProblem(command.blocked ?? NO_BROKER);
    const deadline = plus(clock.elapsed(), PREPARING_MS);
    await guardExit({ ...parts, state }, first, terms, command, { orderId, deadline });
    const { broker, mode } = first;
    const { caller, forcedBy } = command;
    const whole = { broker, mode, terms, orderId, caller, forcedBy };
    const reply = await writeSlices(first, { ...whole, limits: outgoing.limits }, deadline);
    if (reply.kind === 'known') return repeat(reply.order, command, idempotencyKey);
    let { candidates } = command;
    let stopped: string | null = null;
    for (const [index, slice] of reply.slices.entries()) {
      if (stopped === null && closing()) stopped = 'the gateway is stopping: no more were sent';
      const withinMs = index === 0 ? LEAVES_WITHIN_MS : SLICES_WITHIN_MS;
      const limit = { since: command.arrived, withinMs };
      const checked = { ...whole, orderId: slice.id, terms: slice.terms };
      stopped ??= (await tooLate(parts, checked, [limit]))?.reason ?? null;
      if (stopped !== null) {
        await closeUnsent(parts, slice, stopped);
        continue;
      }
      const { order } = await sendOne({
        ...outgoing,
        limits: null,
        candidates,
        orderId: slice.id,
        idempotencyKey: slice.idempotencyKey,
        terms: slice.terms,
        limit,
      });
      candidates = candidates.filter((each) => each.broker === order.broker);
      const status = statusOf(order);
      if (brokerOrderIdOf(order) === null || status === 'rejected') {
        const reason = reasonOf(order);
        const why = reason === null ? '' : ` (${reason})`;
        stopped = `slice ${index + 1} of ${quantities.length} was ${status}${why}: no more were sent`;
      }
    }
    return { order: required(state.orders, orderId, 'order'), idempotencyKey, repeated: false };

    /** Writes the order and its slices, once no brake stops the whole of it. */
    async function writeSlices(
      trading: Trading,
      checked: Checked,
      until: ElapsedMs,
    ): Promise<Extract<SlicesReply, { kind: 'sliced' | 'known' }>> {
      for (;;) {
        const check = await checkAccount({ ...parts, state }, checked, until);
        const known = knowledgeNow(accounts, checked, check);
        const times = timesAt(parts, trading);
        const brake = known && stoppedByBrake(state, { ...checked, ...times }, known);
        if (brake !== null) throw brakeProblem(brake);
        const { broker, mode } = trading;
        const written = await writeBeforeSend(parts, outgoing, (current) =>
          decideSlices(current, {
            order: { ...orderCommand(outgoing, timesAt(parts, trading)), broker, mode },
            slices: quantities.map((quantity) => ({
              id: `ord_${ids.uuid7(clock.now())}`,
              quantity,
            })),
            knowledge: knowledgeNow(accounts, checked, check),
          }),
        );
        if (written.kind === 'braked') throw brakeProblem(written.brake);
        if (written.kind !== 'account_unread') return written;
      }
    }
  };
}
