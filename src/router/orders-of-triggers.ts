import type { BrokerId } from '../domain/broker.ts';
import { BrokerError } from '../domain/outcome.ts';
import { GatewayProblem } from '../domain/problem.ts';
import type { Execution } from '../execution/execution.ts';
import { mayHaveUnnamedOrder, triggersOfRows } from '../execution/triggers/rows-of-triggers.ts';
import { ordersOfTrigger, type TriggerRecord } from '../execution/triggers/trigger.ts';
import { triggersIn } from '../execution/triggers/unexplained-rows.ts';
import { messageOf } from '../platform/values.ts';
import type { TradingDay, TriggerId } from '../units/branded.ts';
import type { ExternalOrders, ExternalReads } from './external-orders.ts';

/** The orders of today's book that triggers of one key have placed: they are the key's. */
export interface OrdersOfTriggers {
  /** The orders of the book that are; null where the key has no such trigger, or the book cannot be read. */
  readonly external: ExternalOrders | null;
  /** Triggers of the key that may have placed an order that is not among them. */
  readonly uncertain: readonly TriggerId[];
  /** Why the book could not be read; null where it could, or did not have to be. */
  readonly unread: string | null;
}

const NONE: OrdersOfTriggers = { external: null, uncertain: [], unread: null };

/**
 * Reads the book of a broker for the triggers of a key, if it has some that may have placed an order today. A book
 * that cannot be read is no error here, since the key's other orders are known: the answer then says which
 * triggers may have placed one.
 */
export async function readOrdersOfTriggers(
  { execution }: { readonly execution: Execution },
  reads: ExternalReads,
  of: {
    readonly broker: BrokerId;
    readonly caller: string;
    readonly day: TradingDay;
    readonly maxAgeMs: number | undefined;
  },
): Promise<OrdersOfTriggers> {
  const { broker, caller, day } = of;
  const { state, triggers } = execution;
  const isOf = (trigger: TriggerRecord): boolean => trigger.caller === caller;
  const mine = [...state.triggers.values()].filter(
    (each) => isOf(each) && each.broker === broker && mayHaveOrder(each, day),
  );
  if (mine.length === 0) return NONE;
  try {
    const external = await reads.read(broker, of.maxAgeMs);
    const book = execution.poller(broker)?.lastRead() ?? null;
    const open = book === null ? [] : await triggers.unexplained.explain({ ...book, broker }, isOf);
    const ownerOf = triggersOfRows(state, broker, day);
    const orders = external.orders.filter(({ row }) => ownerOf(row)?.caller === caller);
    // A row that cannot be read may be the order of any of them.
    const isWhole = external.unread.length === 0;
    const uncertain = isWhole ? triggersIn(open) : mine.map(({ id }) => id);
    return { external: { ...external, orders }, uncertain, unread: null };
  } catch (error) {
    if (!(error instanceof BrokerError || error instanceof GatewayProblem)) throw error;
    return { ...NONE, uncertain: mine.map(({ id }) => id), unread: messageOf(error) };
  }
}

/** Whether an order of the day may be one that the trigger has placed. */
const mayHaveOrder = (trigger: TriggerRecord, day: TradingDay): boolean =>
  mayHaveUnnamedOrder(trigger, day) ||
  ordersOfTrigger(trigger).some((order) => order.filledQuantity === null || order.day === day);
