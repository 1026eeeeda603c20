import type { TriggerLegTerms } from '../../../src/domain/trigger.ts';
import { triggerBindingOf } from '../../../src/execution/triggers/trigger.ts';
import type { changedTerms } from '../../../src/execution/triggers/check-trigger.ts';
import { engagedStretches } from './braked.ts';
import { type Day, violation, type Violation } from './context.ts';
import { isOver } from './exit-books.ts';
import { netAt } from './kill-switch.ts';
import {
  activeOf,
  brokersOf,
  keyOf,
  takenForTwins,
  triggerRequests,
  type SentTrigger,
} from './trigger-books.ts';
import { stopsAreTold } from './stop-triggers.ts';
import { triggersAreKnown } from './trigger-truth.ts';

/**
 * S32 to S37 and L20: what docs/triggers.md promises, of the triggers of the alternative broker. S45 is about those of
 * the primary one.
 */
export function triggersKeepTheirPromises(day: Day): Violation[] {
  if (!day.world.plan.triggers) return [];
  return [
    ...oncePerKey(day),
    ...boundRightly(day),
    ...receivedAsAsked(day),
    ...changedByOwnUser(day),
    ...brakesAllow(day),
    ...flatWithoutTriggers(day),
    ...triggersAreKnown(day),
    ...stopsAreTold(day),
  ];
}

/** S32: a key is sent once, and to one broker. A request that found no connection did not leave. */
function oncePerKey({ world, state }: Day): Violation[] {
  const violations: Violation[] = [];
  const placings = triggerRequests(world).filter(({ call }) => call.kind === 'place');
  for (const wanted of world.asked.triggers.placed.keys()) {
    const sent = placings.filter((each) => each.sent.wanted === wanted);
    const left = sent.filter((each) => each.sent.answer?.reaction.kind !== 'refuse');
    const orders = world.taken.filter((each) => each.wanted === wanted);
    const taken = brokersOf(world, wanted);
    if (left.length > 1)
      violations.push(violation('S32', `${wanted} was sent ${left.length} times`));
    if (taken.length + orders.length > 1) {
      const ids = [...taken.map(({ id }) => id), ...orders.map((each) => each.brokerOrderId)];
      violations.push(violation('S32', `${wanted} is at brokers as ${ids.join(' and ')}`));
    }
  }
  const ofKey = new Map<string, number>();
  for (const trigger of state.triggers.values()) {
    ofKey.set(keyOf(trigger), (ofKey.get(keyOf(trigger)) ?? 0) + 1);
  }
  for (const [wanted, count] of ofKey) {
    if (count > 1) violations.push(violation('S32', `${wanted} made ${count} triggers`));
  }
  return violations;
}

/** S33: what is bound is the trigger that the broker made of the request. */
function boundRightly(day: Day): Violation[] {
  const { world, state } = day;
  const twins = takenForTwins(day);
  return [...state.triggers.values()].flatMap((trigger) => {
    const bound = triggerBindingOf(trigger);
    const wanted = keyOf(trigger);
    if (bound === null || world.asked.triggers.worded.has(trigger.id)) return [];
    if (twins.has(wanted)) return [];
    if (brokersOf(world, wanted).some(({ id }) => id === bound.triggerId)) return [];
    return [violation('S33', `${wanted} is bound to ${bound.triggerId}, which is not it`)];
  });
}

/** What a request asks the broker for. */
interface Received {
  readonly instrument: string;
  readonly legs: readonly Pick<TriggerLegTerms, 'triggerPrice' | 'side' | 'quantity' | 'price'>[];
}

function receivedIn({ sent }: SentTrigger): Received {
  const form = new URLSearchParams(sent.request.body ?? '');
  const condition = JSON.parse(form.get('condition') ?? '{}') as Record<string, unknown>;
  const orders = JSON.parse(form.get('orders') ?? '[]') as Record<string, unknown>[];
  const values = condition['trigger_values'] as number[];
  return {
    instrument: `${String(condition['exchange'])}:${String(condition['tradingsymbol'])}`,
    legs: orders.map((order, place) => ({
      triggerPrice: values[place] ?? NaN,
      side: order['transaction_type'] === 'SELL' ? 'SELL' : 'BUY',
      quantity: Number(order['quantity']),
      price: Number(order['price']),
    })),
  };
}

const written = ({ instrument, legs }: Received): string =>
  JSON.stringify([
    instrument,
    legs.map(({ triggerPrice, side, quantity, price }) => [triggerPrice, side, quantity, price]),
  ]);

/** S34: what a broker received is what was asked for: of a placing the terms, of a change what some change makes. */
function receivedAsAsked({ world }: Day): Violation[] {
  const { placed, changes } = world.asked.triggers;
  const known = new Map([...placed].map(([wanted, asked]) => [wanted, new Set([written(asked)])]));
  return triggerRequests(world).flatMap((each) => {
    const { sent, call } = each;
    const wanted = sent.wanted ?? '';
    const asked = placed.get(wanted);
    if (asked === undefined || (call.kind !== 'place' && call.kind !== 'modify')) return [];
    const terms = known.get(wanted)!;
    const received = written(receivedIn(each));
    if (call.kind === 'modify') {
      for (const change of changes.filter((one) => one.wanted === wanted && one.at <= sent.at)) {
        // A change is made to what the changes before it have left, whichever of them were taken.
        for (const before of [...terms]) terms.add(after(before, asked.legs, change.legs));
      }
    }
    return terms.has(received)
      ? []
      : [violation('S34', `${wanted}: the broker received ${received} by ${call.kind}`)];
  });

  function after(
    before: string,
    legs: (typeof placed extends Map<string, infer T> ? T : never)['legs'],
    change: Parameters<typeof changedTerms>[1],
  ): string {
    const [instrument, rows] = JSON.parse(before) as [
      string,
      [number, 'BUY' | 'SELL', number, number][],
    ];
    const now = rows.map(([triggerPrice, side, quantity, price], place) => ({
      ...{ side, product: legs[0].product },
      triggerPrice: change[place]?.triggerPrice ?? triggerPrice,
      quantity: change[place]?.quantity ?? quantity,
      price: change[place]?.price ?? price,
    }));
    return written({ instrument, legs: now });
  }
}

/** S17: a trigger is changed and deleted in a session of its own user alone. */
function changedByOwnUser({ world }: Day): Violation[] {
  const { otherUser } = world.sandbox;
  return triggerRequests(world).flatMap(({ sent, call }) => {
    if (call.kind !== 'modify' && call.kind !== 'delete') return [];
    const isOthers = otherUser?.trigger(call.triggerId) !== undefined;
    if (isOthers === sent.ofOtherUser) return [];
    const whose = isOthers ? "the other user's" : "the first user's";
    return [violation('S17', `trigger ${call.triggerId}, ${whose}, was sent a ${call.kind}`)];
  });
}

const PRODUCTS = { CNC: 'delivery', INTRADAY: 'intraday', MARGIN: 'carry' } as const;

/** S9: while the kill switch is engaged, a trigger leaves only if each leg reduces what the account has. */
function brakesAllow(day: Day): Violation[] {
  const { world } = day;
  return engagedStretches(day).flatMap(({ from: at, until, what }) => {
    const placings = triggerRequests(world).filter(
      ({ sent, call }) => call.kind === 'place' && sent.at > at && sent.at < until,
    );
    return placings.flatMap((each) => {
      const { sent } = each;
      const asked = world.asked.triggers.placed.get(sent.wanted ?? '');
      if (asked === undefined) return [];
      const opens = asked.legs.some(({ side, quantity, product }) => {
        const shares = { instrument: asked.instrument, product: PRODUCTS[product] };
        const net = netAt(world, sent, shares) * (side === 'SELL' ? 1 : -1);
        return net < quantity;
      });
      if (!opens) return [];
      const text = `trigger ${sent.wanted} was sent ${sent.at - at} ms after ${what}`;
      return [violation('S9', text)];
    });
  });
}

/** What is placed so shortly before an exit is over may be written down just after its last look. */
const JUST_PLACED_MS = 2_000;

/** S36: an exit is not called flat while a trigger of the gateway can still trade what it was of. */
function flatWithoutTriggers({ world, state }: Day): Violation[] {
  return [...state.exits.values()].flatMap((exit) => {
    const seen = world.exits.get(exit.id);
    if (exit.over?.end !== 'flat' || exit.broker !== 'alt' || exit.orderId !== null) return [];
    if (!isOver(seen)) return [];
    return [...world.asked.triggers.placed].flatMap(([wanted, { instrument, legs }]) => {
      const [{ product, side }] = legs;
      const isSame =
        instrument === exit.instrument && product === exit.product && side === exit.side;
      const own = [...state.triggers.values()].find((each) => keyOf(each) === wanted);
      if (
        !isSame ||
        takenForTwins({ world, state }).has(wanted) ||
        (own && world.asked.triggers.worded.has(own.id))
      )
        return [];
      return brokersOf(world, wanted)
        .filter((each) => {
          const { from, until } = activeOf(each);
          return from < seen.runningAt - JUST_PLACED_MS && until > seen.overAt;
        })
        .filter(({ hiddenUntil }) => hiddenUntil < seen.runningAt)
        .map(({ id }) =>
          violation('S36', `${exit.id} ended flat while trigger ${id} of ${wanted} waits`),
        );
    });
  });
}
