import { notSentProblem, killSwitchProblem } from './place-problems.ts';
import { decideSlices } from './decide-slices.ts';
import { passesKillSwitch } from './kill-switch.ts';
import type { PlaceResult, PlacingParts } from './place-command.ts';
import { NO_BROKER, repeat, type Outgoing, type Sending } from './sending.ts';

/** Sends an order above the freeze quantity as slices, each an order of its own. */
export function createSlicing(
  { writer, clock, ids, closing }: PlacingParts,
  { sendOne, guardExit, orderCommand, write, closeUnsent }: Sending,
): (outgoing: Outgoing, quantities: readonly number[]) => Promise<PlaceResult> {
  const { state } = writer;

  /** Slices go one after the other, to one broker; what is not taken whole stops those behind it. */
  return async function sendSliced(
    outgoing: Outgoing,
    quantities: readonly number[],
  ): Promise<PlaceResult> {
    const { command, orderId, idempotencyKey, requestHash, terms } = outgoing;
    const [first] = command.legs;
    if (!first) throw notSentProblem(command.blocked ?? NO_BROKER);
    if (command.request.broker === null) guardExit(first, terms, command.route);
    const thrown = passesKillSwitch(state, first.broker, terms, orderId, clock.now());
    if (thrown !== null) throw killSwitchProblem(thrown);
    const reply = await write(outgoing, (current) =>
      decideSlices(current, {
        order: { ...orderCommand(outgoing), broker: first.broker, mode: first.mode },
        slices: quantities.map((quantity) => ({ id: `ord_${ids.uuid7(clock.now())}`, quantity })),
      }),
    );
    if (reply.kind === 'known') return repeat(reply.order, requestHash, idempotencyKey);
    let { legs } = command;
    let stopped: string | null = null;
    for (const [index, slice] of reply.slices.entries()) {
      if (stopped === null && closing()) stopped = 'the gateway is stopping: no more were sent';
      if (stopped !== null) {
        await closeUnsent(slice, stopped);
        continue;
      }
      const { order } = await sendOne({
        ...outgoing,
        legs,
        orderId: slice.id,
        idempotencyKey: slice.idempotencyKey,
        terms: slice.terms,
      });
      legs = legs.filter((each) => each.broker === order.broker);
      if (order.brokerOrderId === null || order.status === 'rejected') {
        const why = order.reason === null ? '' : ` (${order.reason})`;
        stopped = `slice ${index + 1} of ${quantities.length} was ${order.status}${why}: no more were sent`;
      }
    }
    return { order: state.orders.get(orderId)!, idempotencyKey, repeated: false };
  };
}
