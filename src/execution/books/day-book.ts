import type { BrokerId, Mode } from '../../domain/broker.ts';
import { externalId } from '../../domain/broker-order.ts';
import type { InstrumentName } from '../../domain/instrument.ts';
import type { Product, Side } from '../../domain/order.ts';
import type { BrokerOrderId, TradingDay } from '../../units/branded.ts';
import type { ExecutionState } from '../journal/execution-state.ts';
import type { Journal } from '../journal/journal.ts';
import type { OldDay } from '../journal/old-day.ts';
import { brokerOrderIdOf, fillOf, type OrderRecord } from '../order/order.ts';
import { isFillUnknown, ordersOfTrigger, type TriggerRecord } from '../triggers/trigger.ts';
import { keyPositions, orderFacts, ordersInDoubt } from './books-of-state.ts';
import type { KeyPosition, OpeningLine, TradedId } from './key-books.ts';
import {
  accountOf,
  isInDoubt,
  lineKey,
  type OrderFacts,
  shareOf,
  sharesOfTrigger,
} from './order-share.ts';
import { isNothing, NO_SUMS, NOTHING_CARRIED, plusSums, positionOf, type Sums } from './sums.ts';

/** Whose something is, and at which account. */
export interface OfAccount {
  /** The id of the key. */
  readonly caller: string;
  readonly broker: BrokerId;
  readonly mode: Mode;
  /** The user at the broker; null where it is not known. */
  readonly account: string | null;
}

/** An order in the book of a day. */
export interface DayOrder extends OfAccount {
  readonly order: OrderRecord;
}

/** What an order of the gateway, or of one of its triggers, has filled on a day. */
export interface DayTrade extends OfAccount {
  /** Our order, or `<broker>:<brokerOrderId>` of a trigger's. */
  readonly id: string;
  readonly brokerOrderId: BrokerOrderId;
  readonly instrument: InstrumentName;
  readonly product: Product;
  readonly side: Side;
  readonly orderType: string;
  readonly sums: Sums;
  /** How many trades of it are known, and whether those are all. */
  readonly trades: number;
  readonly isWhole: boolean;
}

/** An order or a trigger of which it is not known how much it has filled. */
export interface Doubt extends OfAccount {
  readonly id: TradedId;
}

/** What the journal has of one of the broker's days: the orders of the gateway, and what they made of its books. */
export interface DayBook {
  readonly day: TradingDay;
  readonly orders: readonly DayOrder[];
  readonly trades: readonly DayTrade[];
  /** Of the day or of an earlier one. */
  readonly inDoubt: readonly Doubt[];
  /** Null where what was carried into the day cannot be read. */
  readonly positions: readonly KeyPosition[] | null;
  /** Orders and triggers whose rows cannot be read. */
  readonly unread: readonly { readonly id: TradedId; readonly caller: string | null }[];
}

export interface DayBookReads {
  dayBook(day: TradingDay): Promise<DayBook>;
  /** The day of the first order in the journal; null where it has none. */
  firstDay(): Promise<TradingDay | null>;
}

/** Days in memory, from memory; older ones, from the journal. */
export function createDayBooks({
  state,
  journal,
  loadedSince,
  ordersOn,
}: {
  readonly state: ExecutionState;
  readonly journal: Pick<Journal, 'oldDay' | 'firstDay'>;
  readonly loadedSince: TradingDay;
  readonly ordersOn: (day: TradingDay) => Promise<readonly OrderRecord[]>;
}): DayBookReads {
  return {
    firstDay: journal.firstDay,
    dayBook: async (day) =>
      day < loadedSince
        ? bookOfOldDay(day, await journal.oldDay(day))
        : bookInMemory(state, day, await ordersOn(day)),
  };
}

function bookInMemory(
  state: ExecutionState,
  day: TradingDay,
  orders: readonly OrderRecord[],
): DayBook {
  const facts = orders.flatMap(({ id }) => orderFacts(state, id) ?? []);
  const triggers = [...state.triggers.values()];
  const doubts = ordersInDoubt(state);
  const doubtOf = (id: TradedId): readonly Doubt[] => {
    const trigger = state.triggers.get(id);
    if (trigger) return isOfDay(trigger, day) ? [{ id, ...ofTrigger(trigger) }] : [];
    const found = orderFacts(state, id);
    return found && found.order.day <= day ? [{ id, ...ofOrder(found) }] : [];
  };
  return {
    day,
    orders: facts.map((each) => ({ order: each.order, ...ofOrder(each) })),
    trades: tradesOf(day, facts, triggers),
    inDoubt: doubts.flatMap(doubtOf),
    positions: keyPositions(state, day, () => true),
    unread: doubts
      .filter((id) => !state.orders.has(id) && !state.triggers.has(id))
      .map((id) => ({ id, caller: state.books.callerOfUnread(id) })),
  };
}

/** Whether what a trigger may have filled can be of a day or of an earlier one. */
const isOfDay = (trigger: TriggerRecord, day: TradingDay): boolean => {
  const orders = ordersOfTrigger(trigger);
  return trigger.day <= day && (orders.length === 0 || orders.some((order) => order.day <= day));
};

function bookOfOldDay(day: TradingDay, { orders, triggers, unread, carried }: OldDay): DayBook {
  return {
    ...{ day, unread, trades: tradesOf(day, orders, triggers) },
    orders: orders.map((each) => ({ order: each.order, ...ofOrder(each) })),
    inDoubt: [
      ...orders
        .filter(({ order }) => isInDoubt(order))
        .map((each) => ({ id: each.order.id, ...ofOrder(each) })),
      ...triggers.filter(isFillUnknown).map((each) => ({ id: each.id, ...ofTrigger(each) })),
    ],
    positions: carried && positionsOf(tradesOf(day, orders, triggers), carried),
  };
}

function ofOrder({ order, attempts }: OrderFacts): OfAccount {
  const { caller, broker, mode } = order;
  return { caller, broker, mode, account: accountOf(order, attempts) };
}

function ofTrigger({ caller, broker, mode, account }: TriggerRecord): OfAccount {
  return { caller, broker, mode, account: account?.trim().toUpperCase() ?? null };
}

const tradesOf = (
  day: TradingDay,
  orders: readonly OrderFacts[],
  triggers: readonly TriggerRecord[],
): readonly DayTrade[] => [
  ...orders.flatMap((facts) => tradeOfOrder(day, facts)),
  ...triggers.flatMap((trigger) => tradesOfTrigger(day, trigger)),
];

function tradeOfOrder(day: TradingDay, facts: OrderFacts): readonly DayTrade[] {
  const share = shareOf(facts);
  if (share === null || share.day !== day) return [];
  const { order } = facts;
  const { instrument, product, side, orderType } = order.terms;
  // A disputed order may have filled without a row that is known to be its own.
  const brokerOrderId: BrokerOrderId = brokerOrderIdOf(order) ?? '';
  const own = facts.fills.filter((fill) => fill.brokerOrderId === brokerOrderId);
  const filled = fillOf(order).filledQuantity;
  return [
    {
      ...{ ...ofOrder(facts), id: order.id, brokerOrderId, instrument, product, side, orderType },
      ...{ sums: share.sums, trades: own.length },
      isWhole: filled !== null && quantityOf(own) >= filled,
    },
  ];
}

function tradesOfTrigger(day: TradingDay, trigger: TriggerRecord): readonly DayTrade[] {
  const { broker, terms } = trigger;
  const { product } = terms.legs[0];
  return ordersOfTrigger(trigger).flatMap((one) => {
    const [share] = sharesOfTrigger({ ...trigger, orders: [one] });
    if (share === undefined || one.day !== day) return [];
    const { brokerOrderId, side, fills, filledQuantity } = one;
    return [
      {
        ...{ ...ofTrigger(trigger), id: externalId(broker, brokerOrderId), brokerOrderId, side },
        ...{ instrument: terms.instrument, product, orderType: 'LIMIT' },
        ...{ sums: share.sums, trades: fills.length },
        isWhole: filledQuantity !== null && quantityOf(fills) >= filledQuantity,
      },
    ];
  });
}

const quantityOf = (fills: readonly { readonly quantity: number }[]): number =>
  fills.reduce((total, { quantity }) => total + quantity, 0);

function positionsOf(
  trades: readonly DayTrade[],
  carried: readonly OpeningLine[],
): readonly KeyPosition[] {
  const lines = new Map<string, OpeningLine & { readonly today: Sums }>();
  for (const opening of carried) lines.set(lineKey(opening.line), { ...opening, today: NO_SUMS });
  for (const { caller, broker, mode, account, instrument, product, sums } of trades) {
    const line = { caller, broker, mode, account, instrument, product };
    const known = lines.get(lineKey(line)) ?? { line, carried: NOTHING_CARRIED, today: NO_SUMS };
    lines.set(lineKey(line), { ...known, today: plusSums(known.today, sums) });
  }
  return [...lines.values()]
    .map((each) => ({ ...each, ...positionOf(each.carried, each.today) }))
    .filter((position) => position.carried.quantity !== 0 || !isNothing(position.today));
}
