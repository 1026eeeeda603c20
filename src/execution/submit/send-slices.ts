import { required } from '../journal/state.ts';
import { brokerOrderIdOf, reasonOf, statusOf } from '../order/order.ts';
import { passesKillSwitch } from './kill-switch.ts';
import type { PlaceResult, SubmitParts } from './place-command.ts';
import { killSwitchProblem, notSentProblem } from './problems.ts';
import { NO_BROKER, repeat, type Outgoing, type SendOrder } from './send-order.ts';
import { decideSlices } from './slices.ts';

/** Sends an order above the freeze quantity as slices, each an order of its own. */
export function createSendSlices(
  { writer, clock, ids, closing }: SubmitParts,
  { sendOne, guardExit, orderCommand, write, closeUnsent }: SendOrder,
): (outgoing: Outgoing, quantities: readonly number[]) => Promise<PlaceResult> {
  const { state } = writer;

  /** Sends the slices one after the other, to one broker. One that is not taken stops those behind it. */
  return async function sendSlices(
    outgoing: Outgoing,
    quantities: readonly number[],
  ): Promise<PlaceResult> {
    const { command, orderId, idempotencyKey, requestHash, terms } = outgoing;
    const [first] = command.candidates;
    if (!first) throw notSentProblem(command.blocked ?? NO_BROKER);
    if (command.request.broker === null) guardExit(first, terms, command.route);
    const refusal = passesKillSwitch(state, first.broker, terms, orderId, clock.now());
    if (refusal !== null) throw killSwitchProblem(refusal);
    const reply = await write(outgoing, (current) =>
      decideSlices(current, {
        order: { ...orderCommand(outgoing), broker: first.broker, mode: first.mode },
        slices: quantities.map((quantity) => ({ id: `ord_${ids.uuid7(clock.now())}`, quantity })),
      }),
    );
    if (reply.kind === 'known') return repeat(reply.order, requestHash, idempotencyKey);
    let { candidates } = command;
    let stopped: string | null = null;
    for (const [index, slice] of reply.slices.entries()) {
      if (stopped === null && closing()) stopped = 'the gateway is stopping: no more were sent';
      if (stopped !== null) {
        await closeUnsent(slice, stopped);
        continue;
      }
      const { order } = await sendOne({
        ...outgoing,
        candidates,
        orderId: slice.id,
        idempotencyKey: slice.idempotencyKey,
        terms: slice.terms,
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
  };
}
