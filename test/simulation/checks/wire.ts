import type { BrokerOrder } from '../../../sandbox/kernel/inspector.ts';
import type { OrderModification, Product } from '../../../src/domain/order.ts';
import type { AskedOrder } from '../asked.ts';
import { changedOrderId, isCancel, type LiveBroker, type Sent, type Taken } from '../traffic.ts';
import type { World } from '../world.ts';
import { violation, type Day, type Violation } from './context.ts';

const PRODUCTS: Readonly<Record<Product, BrokerOrder['product']>> = {
  CNC: 'delivery',
  INTRADAY: 'intraday',
  MARGIN: 'carry',
};

/** Paise of a price in rupees. */
export const paise = (rupees: number | null): number | null =>
  rupees === null ? null : Math.round(rupees * 100);

/** S13: what a broker received is what was asked for, field by field. */
export function receivedAsAsked({ world }: Day): Violation[] {
  return world.taken.flatMap((taken) => {
    const asked = world.asked.orders.get(taken.wanted);
    if (!asked) return [violation('S13', `${taken.wanted} was taken, and nobody asked for it`)];
    return differences(taken, asked, freezeOf(world.plan.freezeQuantity, asked.instrument)).map(
      (text) =>
        violation('S13', `${taken.wanted}, ${taken.broker} ${taken.brokerOrderId}: ${text}`),
    );
  });
}

/** The largest quantity of one order, as the gateway is told (world-settings.ts); null without one. */
const freezeOf = (freeze: number | null, instrument: string): number | null =>
  instrument === 'NSE:INFY' || instrument === 'NSE:ITC' ? freeze : null;

function differences(
  { broker, order }: Taken,
  { request, instrument }: AskedOrder,
  freeze: number | null,
): string[] {
  const found: string[] = [];
  const same = (name: string, received: unknown, asked: unknown): void => {
    if (received !== asked) found.push(`${name} ${String(received)}, asked ${String(asked)}`);
  };
  const type = broker === 'primary' && request.orderType === 'SL' ? 'GTT_LIMIT' : request.orderType;
  same('instrument', order.instrument, instrument);
  same('side', order.side, request.side);
  same('product', order.product, PRODUCTS[request.product]);
  same('type', order.orderType, type);
  same('trigger', order.triggerPaise, paise(request.triggerPrice));
  if (request.price !== null) same('price', order.limitPaise, paise(request.price));
  const validity = /validity(?:=|":")(\w+)/.exec(order.receipt?.body ?? '')?.[1];
  same('validity', validity, request.validity);
  if (freeze === null || request.quantity <= freeze) {
    same('quantity', order.quantity, request.quantity);
  } else if (order.quantity !== freeze && order.quantity !== request.quantity % freeze) {
    found.push(`a slice of ${order.quantity}, asked ${request.quantity} with ${freeze} at most`);
  }
  return found;
}

/** S13 of modifications: each that left has the fields that were asked for, with their values. */
export function changedAsAsked({ world }: Day): Violation[] {
  return world.sent
    .filter(({ request }) => changedOrderId(request) !== null && !isCancel(request))
    .filter((sent) => !wasAsked(sent, world.asked.changes))
    .map(({ wanted, request }) =>
      violation('S13', `${wanted} was changed as nobody had asked: ${request.body ?? ''}`),
    );
}

/**
 * S13 of cancels and modifications: each goes to an order that the broker has, or to an id that it has
 * acknowledged or shown in two reads, however wrongly, or that the order had the evening before. A cancel of
 * all orders does not wait for a second read: it goes to what the first one shows.
 */
export function changesGoToOrders({ world }: Day): Violation[] {
  const acknowledged = world.sent.flatMap(({ placing, answer }) =>
    placing && answer?.reaction.kind === 'answer' ? [answer.reaction.body] : [],
  );
  const sights = new Map<string, readonly number[]>();
  return world.sent.flatMap(({ broker, at, request, before, wanted }) => {
    const id = changedOrderId(request);
    if (id === null || before !== null) return [];
    if (acknowledged.some((body) => body.includes(`"${id}"`))) return [];
    if (world.taken.some(({ formerId }) => formerId === id)) return [];
    // Cancels of one order can be hundreds, and reads tens of thousands.
    const key = `${broker} ${id}`;
    const seen = sights.get(key) ?? sightsOf(world, broker, id);
    sights.set(key, seen);
    const needed = wanted?.includes('/cancel-all-') ? 1 : 2;
    if ((seen[needed - 1] ?? Infinity) <= at) return [];
    return [violation('S13', `${wanted ?? ''}: a change went to ${id}, which nobody has`)];
  });
}

/** When the answers of a broker came (epoch ms) that show an id. */
function sightsOf({ sent }: World, broker: LiveBroker, id: string): readonly number[] {
  const seen = sent.flatMap((each) =>
    each.broker === broker && showsId(each, id) ? [each.answer?.at ?? Infinity] : [],
  );
  return seen.sort((one, other) => one - other);
}

/** Whether the answer to a request has a row with an id, as text or as a number. */
function showsId({ request, answer }: Sent, id: string): boolean {
  if (request.method !== 'GET' || answer?.reaction.kind !== 'answer') return false;
  const { body } = answer.reaction;
  return [`"order_id":"${id}"`, `"order_id":${id},`, `"id":"${id}"`, `"id":${id},`].some((text) =>
    body.includes(text),
  );
}

function wasAsked(sent: Sent, changes: Day['world']['asked']['changes']): boolean {
  return changes.some(
    (asked) =>
      asked.wanted === sent.wanted &&
      asked.at <= sent.at &&
      agrees(sent.request.body ?? '', asked.changes, sent.before),
  );
}

/** S17: an order is changed and cancelled in the session of its own user alone. */
export function changedByOwnUser({ world }: Day): Violation[] {
  const { otherUser } = world.sandbox;
  return world.sent.flatMap(({ broker, request, wanted, ofOtherUser }) => {
    const id = changedOrderId(request);
    if (broker !== 'alt' || otherUser === null || id === null) return [];
    const isOther = otherUser.order(id) !== undefined;
    if (isOther === ofOtherUser || world.sandbox.kite.order(id) === undefined) return [];
    return [violation('S17', `${wanted}: ${id} was changed in the session of another user`)];
  });
}

/** The names of the fields of a modification at either broker. */
const FIELDS: readonly (readonly [keyof OrderModification, readonly string[]])[] = [
  ['quantity', ['quantity', 'qty']],
  ['price', ['price', 'limit_price', 'trigger_limit_price']],
  ['triggerPrice', ['trigger_price']],
  ['orderType', ['order_type']],
  ['validity', ['validity']],
];

/** Whether a body has every field that was asked for. The primary brokerage repeats the others. */
export function agrees(body: string, changes: OrderModification, before: Sent['before']): boolean {
  const received = fieldsOf(body);
  const isForm = !body.startsWith('{');
  return FIELDS.every(([name, names]) => {
    const value = names.map((each) => received.get(each)).find((each) => each !== undefined);
    const asked = changes[name];
    if (asked === null) return value === undefined || !isForm;
    // A stop of the primary brokerage keeps its type and validity, and is sent only what changes.
    if (value === undefined) {
      return (
        !isForm && (name === 'orderType' || name === 'validity' || isSoAlready(before, name, asked))
      );
    }
    return typeof asked === 'number' ? Number(value) === asked : value === asked;
  });
}

/** Whether the order has a figure already that is asked for. */
function isSoAlready(
  before: Sent['before'],
  name: keyof OrderModification,
  asked: string | number,
): boolean {
  if (before === null || typeof asked !== 'number') return false;
  if (name === 'quantity') return before.quantity === asked;
  return (name === 'price' ? before.limitPaise : before.triggerPaise) === paise(asked);
}

export function fieldsOf(body: string): ReadonlyMap<string, string> {
  if (!body.startsWith('{')) return new Map(new URLSearchParams(body));
  const parsed: Record<string, unknown> = { ...(JSON.parse(body) as object) };
  return new Map(Object.entries(parsed).map(([name, value]) => [name, String(value)]));
}

/**
 * S14: after a request of which it is not known that the order was taken, or that the request never
 * left, nothing more is sent under the same key: no slice, and no other broker. A book that was read meanwhile
 * may have shown the order by its tag.
 */
export function nothingAfterUnknown({ world }: Day): Violation[] {
  const before = new Map<string, Sent>();
  const violations: Violation[] = [];
  for (const sent of world.sent) {
    if (!sent.placing || sent.wanted === null) continue;
    const last = before.get(sent.wanted);
    if (last && !letsMoreBeSent(last, sent.at) && !wasShown(world, last, sent.at)) {
      const came = last.answer ? describe(last.answer.reaction) : 'no answer';
      violations.push(violation('S14', `${sent.wanted} was sent again after ${came}`));
    }
    before.set(sent.wanted, sent);
  }
  return violations;
}

/** Whether a whole book was read between the request and a moment (epoch ms), and has the order with its tag. */
function wasShown({ reads, taken }: World, { at, broker, request }: Sent, by: number): boolean {
  const tag = /tag=(\w+)/.exec(request.body ?? '')?.[1];
  if (tag === undefined) return false;
  const row = taken.find(({ order }) => order.tag === tag)?.order;
  if (row === undefined) return false;
  const since = Math.max(at, row.hiddenUntil, row.rowHiddenUntil);
  return reads.some(
    (read) => read.broker === broker && read.honest && read.at >= since && read.at <= by,
  );
}

type Reaction = NonNullable<Sent['answer']>['reaction'];

const describe = (reaction: Reaction): string =>
  `${reaction.kind}${'status' in reaction ? ` ${reaction.status}` : ''}`;

function letsMoreBeSent({ at, answer, request }: Sent, by: number): boolean {
  if (!answer || answer.at > by || answer.at - at > request.deadlineMs) return false;
  const { reaction } = answer;
  if (reaction.kind === 'refuse') return true;
  return (
    reaction.kind === 'answer' && reaction.status === 200 && reaction.body.includes('"order_id"')
  );
}
