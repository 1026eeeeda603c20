import type { BrokerOrder } from '../../../sandbox/kernel/inspector.ts';
import { tradingDay } from '../../../src/domain/ist.ts';
import { changedOrderId, isCancel, type Sent } from '../traffic.ts';
import type { World } from '../world.ts';
import { braked } from './braked.ts';
import { sentUnder, violation, type Day, type Violation } from './context.ts';
import { epochMs } from '../../../src/units/branded.ts';

/** S9: nothing with a dead token, nothing under a brake, nothing above a limit. And S39: nothing of a key that is stopped. */
export function sendsAreAllowed(day: Day): Violation[] {
  const { world } = day;
  const violations: Violation[] = [];
  for (const { from: at, until, what, property, caller } of braked(day)) {
    const isOf = ({ wanted }: Sent): boolean =>
      caller === null || wanted?.startsWith(`${caller}/`) === true;
    const own = { ...world, sent: world.sent.filter(isOf) };
    const sent = own.sent.filter((each) => each.placing && each.at > at && each.at < until);
    const found = [...quantitiesGrown(own, at, until), ...termsChanged(own, at, until)];
    found.push(...grownAgain(own, at, until));
    for (const each of sent) {
      if (reducesOnly(day, each)) found.push(...sentBesideOthers(day, each, what));
      else {
        found.push(violation('S9', `${each.wanted} was sent ${each.at - at} ms after ${what}`));
      }
    }
    violations.push(...found.map(({ text }) => violation(property, text)));
  }
  for (const inspector of [world.sandbox.kite, world.sandbox.primary]) {
    for (const broken of inspector.limitBreaks()) {
      // A new life does not know what the last one sent within the same second, or minute.
      const young = world.births.some((birth) => broken.at >= birth && broken.at - birth < 1_000);
      if (young || arrivedTogether(world, broken)) continue;
      violations.push(violation('S9', `limit broken at ${broken.endpoint}`));
    }
  }
  return violations;
}

/** What arrives within a second has left in a little more. */
const ARRIVES_MS = 1_100;
/** Requests that change orders, a second: the tightest limit of the brokers is theirs. */
const CHANGES_PER_SECOND = 10;

/**
 * Whether no more requests that change orders had left within the second than a broker takes: what leaves in time
 * can arrive together, and nobody can know of that.
 */
function arrivedTogether(
  { sent }: World,
  { at, category }: { readonly at: number; readonly category: string | null },
): boolean {
  const left = sent.filter(
    ({ at: leftAt, request }) =>
      request.method !== 'GET' && leftAt > at - ARRIVES_MS && leftAt <= at,
  );
  return category === 'order' && left.length <= CHANGES_PER_SECOND;
}

/** What may pass an engaged kill switch: an order that only reduces what its account then had. */
export function reducesOnly({ world, state }: Day, sent: Sent): boolean {
  const [order] = sentUnder(state, sent.wanted ?? '');
  if (!order) return false;
  const { instrument, side, product } = order.terms;
  const quantity = quantityIn(sent.request) ?? NaN;
  const net = netAt(world, sent, { instrument, product: PRODUCTS[product] });
  return side === 'SELL' ? net >= quantity : -net >= quantity;
}

/** How long the book has shown an order of others whose shares an exit may not sell once more. */
const SHOWN_MS = 30_000;

/**
 * S9: what passes a brake leaves enough for the orders that a person has resting in the
 * broker's own app, where every read of the book has shown them for half a minute.
 */
function sentBesideOthers({ world, state }: Day, sent: Sent, what: string): Violation[] {
  const [order] = sentUnder(state, sent.wanted ?? '');
  if (!order || sent.ofOtherUser) return [];
  const { instrument, side, product } = order.terms;
  const shares = { instrument, product: PRODUCTS[product] };
  const { at, broker } = sent;
  const reads = world.reads.filter(
    (read) => read.broker === broker && read.at > at - SHOWN_MS && read.at <= at,
  );
  if (reads.length === 0 || reads.some(({ honest }) => !honest)) return [];
  const inspector = broker === 'alt' ? world.sandbox.kite : world.sandbox.primary;
  const resting = inspector
    .orders()
    .filter(
      (each) =>
        each.placedBy === 'hand' &&
        // Orders of another user rest in another account.
        !isOfOtherUser(world, each.orderId) &&
        each.side === side &&
        each.instrument === instrument &&
        each.product === shares.product &&
        each.filledQuantity === 0 &&
        each.createdAt < at - SHOWN_MS &&
        each.hiddenUntil < at - SHOWN_MS &&
        (!each.final || each.updatedAt > at),
    )
    .reduce((sum, { quantity }) => sum + quantity, 0);
  const net = netAt(world, sent, shares) * (side === 'SELL' ? 1 : -1);
  const quantity = quantityIn(sent.request) ?? 0;
  if (resting === 0 || net - resting >= quantity) return [];
  const left = `${resting} of ${net} are on their way out already`;
  return [violation('S9', `${sent.wanted} was sent after ${what}, and ${left}`)];
}

const PRODUCTS = { CNC: 'delivery', INTRADAY: 'intraday', MARGIN: 'carry' } as const;

/** What the account of a request had of an instrument and product when the request left. */
export function netAt(
  world: World,
  { broker, at, ofOtherUser }: Pick<Sent, 'broker' | 'at' | 'ofOtherUser'>,
  { instrument, product }: Pick<BrokerOrder, 'instrument' | 'product'>,
): number {
  const inspector = broker === 'alt' ? world.sandbox.kite : world.sandbox.primary;
  const bought = inspector
    .fills()
    .filter((fill) => fill.instrument === instrument && fill.product === product)
    .filter((fill) => fill.at <= at)
    .filter(({ orderId }) => isOfOtherUser(world, orderId) === ofOtherUser)
    // What is bought for the day is sold by its end; the rest is carried over.
    .filter(
      (fill) => product !== 'intraday' || tradingDay(epochMs(fill.at)) === tradingDay(epochMs(at)),
    )
    .reduce((sum, fill) => sum + (fill.side === 'BUY' ? fill.quantity : -fill.quantity), 0);
  const before = world.holdingsBefore[broker].get(instrument) ?? 0;
  return bought + (product === 'delivery' ? before : 0);
}

const isOfOtherUser = ({ sandbox }: World, orderId: string): boolean =>
  sandbox.otherUser?.order(orderId) !== undefined;

/** The quantity that a request to place or to change an order asks for; null where it asks for none. */
function quantityIn({ body }: Sent['request']): number | null {
  const received = /(?:quantity=|"qty":)(\d+)/.exec(body ?? '')?.[1];
  return received === undefined ? null : Number(received);
}

/**
 * S9: under a brake no modification makes an order larger than the broker has it, where the gateway itself
 * has lowered it to that and was told so.
 */
function grownAgain({ sent: all }: World, at: number, until: number): Violation[] {
  const isLowering = (earlier: Sent, { at: sentAt, request, before }: Sent): boolean =>
    changedOrderId(earlier.request) === changedOrderId(request) &&
    quantityIn(earlier.request) === before?.quantity &&
    (earlier.before?.quantity ?? 0) > (quantityIn(earlier.request) ?? Infinity) &&
    earlier.answer?.reaction.kind === 'answer' &&
    earlier.answer.reaction.status === 200 &&
    earlier.answer.at < sentAt;
  return all
    .filter((sent) => sent.at > at && sent.at < until)
    .filter((sent) => changedOrderId(sent.request) !== null && !isCancel(sent.request))
    .filter((sent) => (quantityIn(sent.request) ?? 0) > (sent.before?.quantity ?? Infinity))
    .filter((sent) => all.some((earlier) => isLowering(earlier, sent)))
    .map(({ wanted, request }) =>
      violation('S9', `${wanted} was made larger again under a brake: ${request.body ?? ''}`),
    );
}

/** S9: under a brake no modification makes an order larger than the broker has it. */
function quantitiesGrown(world: World, at: number, until: number): Violation[] {
  return world.sent
    .filter((sent) => sent.at > at && sent.at < until)
    .filter(({ request }) => changedOrderId(request) !== null && !isCancel(request))
    .filter(({ request, before, wanted }) => {
      const received = quantityIn(request);
      const asked = world.asked.orders.get(wanted ?? '')?.request.quantity ?? 0;
      // The primary brokerage repeats a quantity that somebody may have lowered by hand.
      const most = Math.max(before?.quantity ?? Infinity, asked);
      return received !== null && received > most;
    })
    .map(({ wanted, request }) =>
      violation('S9', `${wanted} was made larger under a brake: ${request.body ?? ''}`),
    );
}

/** The price that a request to change an order asks for. */
const priceIn = (body: string): string | undefined =>
  /(?:\bprice=|"price":|"limit_price":)([\d.]+)/.exec(body)?.[1];

/**
 * S9: under a brake an order that opens a position may only be made smaller. Looked at for limit
 * orders, whose price at the broker is the one that was asked for.
 */
function termsChanged(world: World, at: number, until: number): Violation[] {
  return world.sent
    .filter((sent) => sent.at > at && sent.at < until)
    .filter(({ request }) => changedOrderId(request) !== null && !isCancel(request))
    .filter((sent) => {
      const { before, request } = sent;
      if (before?.orderType !== 'LIMIT') return false;
      const net = netAt(world, sent, before);
      const opens = before.side === 'BUY' ? net >= 0 : net <= 0;
      const body = request.body ?? '';
      const price = priceIn(body);
      // The broker had acknowledged it before the brake, and carried out an earlier change after that one.
      const isKnown = world.sent.some(
        (earlier) =>
          earlier.at < at &&
          changedOrderId(earlier.request) === before.orderId &&
          earlier.answer?.reaction.kind === 'answer' &&
          earlier.answer.reaction.status === 200 &&
          priceIn(earlier.request.body ?? '') === price,
      );
      if (isKnown) return false;
      const type = /order_type(?:=|":")([\w-]+)/.exec(body)?.[1];
      const isOther =
        (price !== undefined && Math.round(Number(price) * 100) !== before.limitPaise) ||
        (type !== undefined && type !== before.orderType);
      return opens && isOther;
    })
    .map(({ wanted, request }) =>
      violation('S9', `${wanted} was changed under a brake: ${request.body ?? ''}`),
    );
}
