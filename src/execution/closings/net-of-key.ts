import type { BrokerId } from '../../domain/broker.ts';
import type { InstrumentName } from '../../domain/instrument.ts';
import type { Side } from '../../domain/order.ts';
import { tradingDay } from '../../domain/ist.ts';
import { sleep } from '../../platform/clock.ts';
import type { TradingDay, TriggerId } from '../../units/branded.ts';
import type { ExitParts } from '../exits/exit-parts.ts';
import type { QuarantinedOrder } from '../journal/quarantined.ts';
import { tradedOn } from '../order/order-day.ts';
import { fillOf, isOver, type OrderRecord } from '../order/order.ts';
import { largestTerms } from '../triggers/terms-at-broker.ts';
import { quantityOf, quantityOfOrder } from '../triggers/trigger-order.ts';
import { isFillUnknown, ordersOfTrigger, type TriggerRecord } from '../triggers/trigger.ts';
import { triggersIn } from '../triggers/unexplained-rows.ts';
import type { NetOfKey, OwnNet } from './plan-closing.ts';

interface OfKey {
  readonly broker: BrokerId;
  readonly caller: string;
  /** Whether the book that was read with the account is whole: then it says what each order has filled. */
  readonly isBookWhole: boolean;
}

/** What one order, or the order of a trigger, has filled, and may have filled besides. */
interface Part {
  /** Of the order or the trigger. */
  readonly id: string;
  readonly side: Side;
  readonly filled: number;
  /** What is not known of a fill is never taken for none; 0 where all is known. */
  readonly rest: number;
  /** Nothing tells what it is of, so it may be a part of any position at its broker. */
  readonly isNameless?: boolean;
}

/** For so long the list of triggers and the book after it are waited for: a way out goes by what is known then. */
const READS_MS = 3_000;

/** What a key's orders of the last days, and those of its triggers, have bought, less what they have sold. */
export async function createNetOfKey(
  parts: ExitParts,
  of: OfKey,
): Promise<Exclude<NetOfKey, null>> {
  const today = parts.accounts.today(of.broker);
  const unlisted = await unlistedTriggers(parts, of);
  return (name, product) => {
    // What was bought for a day does not outlive it, whoever has closed it.
    const day = product === 'INTRADAY' ? today : null;
    const asked = { ...of, name, product, day };
    return netOf([
      ...partsOfOrders(parts, asked),
      ...partsOfQuarantined(parts, asked),
      ...partsOfTriggers(parts, asked, unlisted),
    ]);
  };
}

interface Asked extends OfKey {
  readonly name: InstrumentName;
  readonly product: string;
  /** Only what was traded on it; null for any day. */
  readonly day: TradingDay | null;
}

function netOf(each: readonly Part[]): OwnNet {
  let [least, most] = [0, 0];
  const unknown = new Set<string>();
  const nameless = new Set<string>();
  for (const { id, side, filled, rest, isNameless } of each) {
    if (rest > 0) unknown.add(id);
    if (isNameless === true) nameless.add(id);
    const isBuy = side === 'BUY';
    least += isBuy ? filled : -filled - rest;
    most += isBuy ? filled + rest : -filled;
  }
  return { least, most, unknown: [...unknown], nameless: [...nameless] };
}

function partsOfOrders({ writer: { state } }: ExitParts, asked: Asked): readonly Part[] {
  const { caller, broker, name, product, day, isBookWhole: isWhole } = asked;
  const dayOf = (order: OrderRecord): TradingDay => {
    const fills = [...(state.fillsOf.get(order.id) ?? [])];
    return tradedOn(
      order,
      fills.flatMap((key) => state.fills.get(key) ?? []),
    );
  };
  return [...state.orders.values()]
    .filter((order) => order.caller === caller && order.broker === broker)
    .filter(({ state: is, terms }) => {
      return is.kind !== 'sliced' && terms.instrument === name && terms.product === product;
    })
    .filter((order) => day === null || dayOf(order) === day)
    .map((order) => {
      const { filledQuantity } = fillOf(order);
      const filled = filledQuantity ?? 0;
      const isKnown = filledQuantity !== null && (isWhole || isOver(order));
      const rest = isKnown ? 0 : Math.max(0, order.terms.quantity - filled);
      return { id: order.id, side: order.terms.side, filled, rest };
    });
}

/** Of an order whose row in the journal does not fit, what has filled is not known, and may be all of it. */
function partsOfQuarantined(parts: ExitParts, asked: Asked): readonly Part[] {
  const { caller, broker, name, product, day } = asked;
  const { quarantine } = parts.writer.state;
  return quarantine.orders
    .filter((order) => order.caller === caller && order.broker === broker)
    .filter((order) => day === null || order.day >= day)
    .map((order) => withRow(parts, order))
    .filter(
      (order) => (order.instrument ?? name) === name && (order.product ?? product) === product,
    )
    .flatMap(({ id, side, quantity, instrument }): readonly Part[] => {
      const isNameless = instrument === null;
      const sides = side === null ? (['BUY', 'SELL'] as const) : [side];
      return sides.map((each) => ({
        ...{ id, side: each, filled: 0, rest: quantity ?? Infinity, isNameless },
      }));
    });
}

/** What its row in the book says, by its id of that day or by its tag, fills in what the journal does not. */
function withRow({ writer, poller }: ExitParts, order: QuarantinedOrder): QuarantinedOrder {
  const { observed, quarantine } = writer.state;
  const read = poller(order.broker)?.lastRead() ?? null;
  if (read === null) return order;
  const day = tradingDay(read.begunAt);
  const seen = [...observed.values()].filter(
    (each) => each.orderId === order.id && each.broker === order.broker && each.day === day,
  );
  const tags = quarantine.tagsOf(order.id);
  const row = read.rows.find(
    (each) =>
      seen.some(({ brokerOrderId }) => brokerOrderId === each.brokerOrderId) ||
      each.tags.some((tag) => tags.includes(tag)),
  );
  return {
    ...order,
    instrument: order.instrument ?? row?.instrument ?? null,
    product: order.product ?? row?.product ?? null,
    side: order.side ?? row?.side ?? null,
    quantity: order.quantity ?? row?.quantity ?? null,
  };
}

function partsOfTriggers(
  { writer: { state } }: ExitParts,
  asked: Asked,
  unlisted: readonly TriggerId[],
): readonly Part[] {
  const { caller, broker, name, product, day, isBookWhole } = asked;
  const mine = [...state.triggers.values()].filter(
    ({ terms, ...trigger }) =>
      trigger.caller === caller &&
      trigger.broker === broker &&
      terms.instrument === name &&
      terms.legs[0].product === product,
  );
  return mine.flatMap((trigger) => {
    const { id, updatedAt } = trigger;
    const terms = largestTerms(trigger);
    const orders = ordersOfTrigger(trigger).filter((order) => day === null || order.day === day);
    const named = orders.map((order): Part => {
      const { side, filledQuantity, isFinal, state: is } = order;
      const filled = filledQuantity ?? quantityOf(order.fills);
      const isKnown = filledQuantity !== null && is !== 'lost' && (isBookWhole || isFinal);
      const rest = isKnown ? 0 : Math.max(0, quantityOfOrder(terms, order) - filled);
      return { id, side, filled, rest };
    });
    if (!mayHaveUnnamed(trigger) && !unlisted.includes(id)) return named;
    if (day !== null && tradingDay(updatedAt) < day && !unlisted.includes(id)) return named;
    const { side } = terms.legs[0];
    return [...named, { id, side, filled: 0, rest: quantityOfOrder(terms, { side }) }];
  });
}

/** Whether it may have traded by an order that no list has named. */
const mayHaveUnnamed = (trigger: TriggerRecord): boolean =>
  ordersOfTrigger(trigger).length === 0 && isFillUnknown(trigger);

/** The triggers of the key that may have placed an order of the book: the list is read where it may tell. */
async function unlistedTriggers(
  parts: ExitParts,
  { broker, caller }: OfKey,
): Promise<readonly TriggerId[]> {
  const poller = parts.poller(broker);
  const read = poller?.lastRead() ?? null;
  if (!poller || read === null) return [];
  const { unexplained } = parts.triggers;
  const book = { ...read, broker };
  const isOf = (trigger: TriggerRecord): boolean => trigger.caller === caller;
  const { state } = parts.writer;
  const isUnseen = (): boolean =>
    [...state.triggers.values()].some(
      (trigger) =>
        isOf(trigger) &&
        trigger.broker === broker &&
        ordersOfTrigger(trigger).some(
          (order) => order.state === 'open' && order.filledQuantity === null,
        ),
    );
  const over = new AbortController();
  const late = sleep(parts.scheduler, READS_MS, over.signal);
  try {
    const open = await unexplained.explain(book, isOf);
    // The book tells of an order that was named just now how much of it has filled.
    if (isUnseen()) {
      await Promise.race([poller.nextRead().catch(() => null), late]);
    }
    return triggersIn(open);
  } finally {
    over.abort();
  }
}
