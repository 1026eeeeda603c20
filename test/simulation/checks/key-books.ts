import { brokerOrderIdOf, fillOf, type OrderRecord } from '../../../src/execution/order/order.ts';
import type { KeyPosition } from '../../../src/execution/books/key-books.ts';
import {
  isFillUnknown,
  ordersOfTrigger,
  triggerBindingOf,
  type TriggerRecord,
} from '../../../src/execution/triggers/trigger.ts';
import type { TradingDay } from '../../../src/units/branded.ts';
import type { ToldComparison } from '../http-keys.ts';
import type { LiveBroker } from '../traffic.ts';
import { OTHER_KITE_USER } from '../world-settings.ts';
import type { World } from '../world.ts';
import { countsAt, dayAt, sum, trueFills, type TrueFill } from './key-truth.ts';
import { netAt } from './kill-switch.ts';
import { violation, type Violation } from './violation.ts';

/** What fills so soon before a comparison may be in one of its sources and not in the others. */
const UNDER_WAY_MS = 20_000;
const PRODUCTS = { CNC: 'delivery', INTRADAY: 'intraday', MARGIN: 'carry' } as const;

export interface Comparison {
  readonly broker: LiveBroker;
  /** When it was asked for; it was answered now. Epoch ms. */
  readonly askedAt: number;
  /** Nothing goes wrong any more, and nothing is on its way. */
  readonly isEvening: boolean;
  readonly told: ToldComparison;
}

/**
 * S38: where a comparison of all keys with an account shows no difference, and no order is uncertain, each of its
 * figures is that of the broker's own books; and L21: in the evening it shows none. Looked at where each
 * source was answered without a fault, and nothing was on its way.
 */
export function checkComparison(world: World, comparison: Comparison): Violation[] {
  const { broker, askedAt, isEvening, told } = comparison;
  const now = world.time.now();
  if (!wasHonest(world, comparison) || isOfOther(told) || told.uncertainOrders.length > 0)
    return [];
  const fills = trueFills(world, broker);
  const by = countsAt(now);
  return told.positions.flatMap((line) => {
    const { instrument, product, difference, elsewhereToday, keys } = line;
    const own = fills.filter((each) => each.instrument === instrument && each.product === product);
    if (own.some(({ at }) => at > askedAt - UNDER_WAY_MS)) return [];
    if (isTwinned(world, broker, instrument) || hasLateTrade(world, own)) return [];
    if (broker === 'alt' && hasPersons(world, instrument)) return [];
    const name = `${broker} ${instrument} ${product}`;
    if (difference !== 0) {
      const isOpen =
        difference === null || !isEvening || hasUnbound(world, own) || hasVanished(world, own);
      return isOpen ? [] : [violation('L21', `${name}: a difference of ${difference} stays`)];
    }
    const counted = own.filter(by);
    const callers = new Set([
      ...keys.map(({ key }) => key),
      ...counted.map(({ caller }) => caller),
    ]);
    const wrong = [...callers].flatMap((caller) => {
      if (caller === null) return [];
      const truth = sum(counted.filter((each) => each.caller === caller));
      const said = keys.find(({ key }) => key === caller)?.quantity ?? 0;
      return said === truth ? [] : [`${caller} has ${said}, by its own orders ${truth}`];
    });
    const elsewhere = sum(
      counted.filter((each) => each.caller === null && dayAt(each.at) === dayAt(now)),
    );
    if (elsewhereToday !== elsewhere) {
      wrong.push(`${elsewhereToday} of orders placed elsewhere today, at the broker ${elsewhere}`);
    }
    const account = { broker, at: now, ofOtherUser: false };
    const net = netAt(world, account, { instrument, product: productOf(product) });
    if (line.broker !== net) wrong.push(`${line.broker} at the broker, which has ${net}`);
    return wrong.map((text) => violation('S38', `${name} without a difference: ${text}`));
  });
}

const productOf = (product: string): (typeof PRODUCTS)[keyof typeof PRODUCTS] =>
  product === 'CNC' || product === 'INTRADAY' ? PRODUCTS[product] : PRODUCTS.MARGIN;

const isOfOther = ({ account }: ToldComparison): boolean => account === OTHER_KITE_USER;

/** Whether all that the broker answered meanwhile was answered in full, without a fault. */
const wasHonest = ({ sent }: World, { broker, askedAt }: Comparison): boolean =>
  sent
    .filter((each) => each.broker === broker && each.at >= askedAt)
    .every((each) => each.answer === null || each.answer.honest);

/** An equal order by hand cannot be told from the gateway's where tags do not come back (a stated limit). */
export function isTwinned(
  { sandbox, taken, current }: World,
  broker: LiveBroker,
  instrument: string,
): boolean {
  if (broker !== 'primary') return false;
  const orders = sandbox.primary.orders().filter((each) => each.instrument === instrument);
  // Also one that never left: an equal one by hand was taken for it.
  const asked = [...(current()?.composed?.execution.state.orders.values() ?? [])]
    .map(({ terms }) => terms)
    .filter((terms) => terms.instrument === instrument);
  return orders.some(
    (hand) =>
      hand.placedBy === 'hand' &&
      [...taken.map(({ order }) => order), ...asked].some(
        ({ side, quantity }) => side === hand.side && quantity === hand.quantity,
      ),
  );
}

const hasPersons = (world: World, instrument: string): boolean =>
  [...(world.current()?.composed?.execution.state.triggers.values() ?? [])].some(
    (trigger) => trigger.terms.instrument === instrument && isPersons(world, trigger),
  );

const hasLateTrade = ({ lateTrades }: World, fills: readonly TrueFill[]): boolean =>
  fills.some((fill) => lateTrades.some((late) => late.brokerOrderId === fill.brokerOrderId));

/** Whether the row of an order placed elsewhere may be gone for good: then the books lack it, and say so. */
const hasVanished = ({ plan }: World, fills: readonly TrueFill[]): boolean =>
  plan.mishaps.some(({ kind }) => kind === 'row_vanishes') &&
  fills.some(({ caller }) => caller === null);

/** Whether one of the orders is not bound to its row: the checks of orders say whether it has to be. */
function hasUnbound({ current }: World, fills: readonly TrueFill[]): boolean {
  const state = current()?.composed?.execution.state;
  const bound = new Set([
    ...[...(state?.orders.values() ?? [])].map(brokerOrderIdOf),
    ...[...(state?.triggers.values() ?? [])]
      .flatMap(ordersOfTrigger)
      .map(({ brokerOrderId }) => brokerOrderId),
  ]);
  return fills.some(({ caller, brokerOrderId }) => caller !== null && !bound.has(brokerOrderId));
}

/** Before the book of a day is gone, and after its last comparison. */
const BEFORE_END_MS = 13 * 3_600_000 + 35 * 60_000;

/**
 * S38: when the day is over, what the books have of each key is what its own orders have filled at the brokers, on
 * that day and with what was carried over. Lines with an order of which the journal knows otherwise are left out: S3
 * and S4 look at those.
 */
export function watchKeyBooks(world: World, notice: (violation: Violation) => void): void {
  const { evening, evenings } = world.plan.hours;
  if (world.plan.directed === 'restored') return;
  for (const at of [...evenings, evening]) {
    world.time.after(at + BEFORE_END_MS - world.time.now(), () => {
      for (const each of booksAreTrue(world)) notice(each);
    });
  }
}

function booksAreTrue(world: World): Violation[] {
  const execution = world.current()?.composed?.execution;
  if (!execution) return [];
  const now = world.time.now();
  const orders = [...execution.state.orders.values()].filter(({ mode }) => mode === 'live');
  const triggers = [...execution.state.triggers.values()];
  const positions = execution.books.positions(dayAt(now) as TradingDay, () => true);
  return (['alt', 'primary'] as const).flatMap((broker) => {
    const fills = trueFills(world, broker).filter(countsAt(now));
    const left = leftOut(world, { orders, triggers }, { broker, fills });
    const told = positions.filter(
      ({ line }) => line.broker === broker && line.account !== OTHER_KITE_USER,
    );
    const names = new Set([
      ...fills.flatMap((each) => (each.caller === null ? [] : [nameOf(each.caller, each)])),
      ...told.map(({ line }) => nameOf(line.caller, line)),
    ]);
    return [...names]
      .filter((name) => !left.has(name.slice(name.indexOf(' ') + 1)))
      .flatMap((name) => {
        const own = fills.filter((each) => nameOf(each.caller ?? '', each) === name);
        const lines = told.filter(({ line }) => nameOf(line.caller, line) === name);
        const said = total(lines, ({ quantity }) => quantity);
        const today = sum(own.filter(({ at }) => dayAt(at) === dayAt(now)));
        const saidToday = total(
          lines,
          (each) => each.today.bought.quantity - each.today.sold.quantity,
        );
        if (said === sum(own) && saidToday === today) return [];
        const text = `${broker} ${name}: ${said}, ${saidToday} of it today; its own orders have filled ${sum(own)} and ${today}`;
        return [violation('S38', text)];
      });
  });
}

const total = (lines: readonly KeyPosition[], of: (line: KeyPosition) => number): number =>
  lines.reduce((all, line) => all + of(line), 0);

const nameOf = (
  caller: string,
  { instrument, product }: { readonly instrument: string; readonly product: string },
): string => `${caller} ${instrument} ${product}`;

/** Whether a person's trigger was taken for it (a stated limit), or a person has said which it is. */
const isPersons = ({ sandbox }: World, trigger: TriggerRecord): boolean =>
  sandbox.kite.trigger(triggerBindingOf(trigger)?.triggerId ?? '')?.placedBy === 'hand';

/** Instruments and products, `NSE:INFY CNC`, with an order that the journal has otherwise than the broker. */
function leftOut(
  world: World,
  {
    orders,
    triggers,
  }: { readonly orders: readonly OrderRecord[]; readonly triggers: readonly TriggerRecord[] },
  { broker, fills }: { readonly broker: LiveBroker; readonly fills: readonly TrueFill[] },
): ReadonlySet<string> {
  const inspector = broker === 'alt' ? world.sandbox.kite : world.sandbox.primary;
  const own = orders.filter((order) => order.broker === broker);
  const left = own.filter((order) => {
    if (order.state.kind === 'disputed') return true;
    const id = brokerOrderIdOf(order);
    if (id === null) return false;
    const row = inspector.order(id) ?? world.sandbox.otherUser?.order(id);
    return row?.placedBy === 'hand' || fillOf(order).filledQuantity !== row?.filledQuantity;
  });
  const ofBroker = triggers.filter((trigger) => trigger.broker === broker);
  const unknown = ofBroker.filter((trigger) => isFillUnknown(trigger) || isPersons(world, trigger));
  const bound = new Set([
    ...own.map(brokerOrderIdOf),
    ...ofBroker.flatMap(ordersOfTrigger).map(({ brokerOrderId }) => brokerOrderId),
  ]);
  const lost = fills.filter((each) => each.caller !== null && !bound.has(each.brokerOrderId));
  return new Set([
    ...left.map(({ terms }) => `${terms.instrument} ${terms.product}`),
    ...unknown.map(({ terms }) => `${terms.instrument} ${terms.legs[0].product}`),
    ...lost.map(({ instrument, product }) => `${instrument} ${product}`),
  ]);
}
