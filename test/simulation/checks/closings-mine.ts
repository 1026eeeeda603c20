import type { ClosingPosition } from '../../../src/domain/closing.ts';
import type { ClosingRecord } from '../../../src/execution/closings/closing.ts';
import type { SeenClosing } from '../seen-exit.ts';
import type { LiveBroker } from '../traffic.ts';
import { type Day, violation, type Violation } from './context.ts';
import { countsAt, sum, trueFills } from './key-truth.ts';

/** What fills so shortly before a leg leaves no book has shown yet. */
const UNSEEN_MS = 5_000;

/**
 * S54: a closing of a key sells no more than is the key's, by the broker's own books: after each of its legs the key has not
 * sold more than it has bought, but for what other orders of the key have filled since just before the leg left.
 */
export function keyIsNotReversed(day: Day, { record }: SeenClosing): Violation[] {
  const { world } = day;
  const asked = world.asked.closings.get(`${record.caller}/${record.idempotencyKey}`);
  if (asked?.request.scope !== 'mine' || world.sandbox.otherUser !== null) return [];
  return record.positions.flatMap((position) => {
    const { broker } = position;
    return broker === 'alt' || broker === 'primary'
      ? reversedBy(day, record, position, broker)
      : [];
  });
}

function reversedBy(
  { world }: Day,
  { id, caller }: ClosingRecord,
  { exitId, instrument, product, net }: ClosingPosition,
  broker: LiveBroker,
): Violation[] {
  const legs = new Map(
    world.taken
      .filter((each) => each.broker === broker && exitId !== null)
      .filter(({ wanted }) => wanted?.startsWith(`${caller}/${exitId}#`) === true)
      .map(({ brokerOrderId, wanted }) => [brokerOrderId, wanted]),
  );
  // What legs of the gateway have sold is known to it.
  const ofExits = new Set(
    world.taken
      .filter((each) => each.broker === broker && /\/exit_[^#]*#/.test(each.wanted ?? ''))
      .map(({ brokerOrderId }) => brokerOrderId),
  );
  const own = trueFills(world, broker).filter(
    (each) => each.caller === caller && each.instrument === instrument && each.product === product,
  );
  const side = Math.sign(net);
  return own.flatMap((fill) => {
    if (!legs.has(fill.brokerOrderId)) return [];
    const sent = world.sent.find(
      ({ wanted, placing }) => placing && wanted === legs.get(fill.brokerOrderId),
    );
    const late = own.filter(
      (each) =>
        !ofExits.has(each.brokerOrderId) &&
        Math.sign(each.signed) !== side &&
        each.at > (sent?.at ?? 0) - UNSEEN_MS &&
        each.at <= fill.at,
    );
    const left = side * (sum(own.filter(countsAt(fill.at))) - sum(late));
    if (left >= 0) return [];
    return [violation('S54', `${id} has sold ${-left} ${instrument} that are not of ${caller}`)];
  });
}
