import type { BrokerFill } from '../../../sandbox/kernel/inspector.ts';
import { tradingDay } from '../../../src/domain/ist.ts';
import { epochMs } from '../../../src/units/branded.ts';
import type { LiveBroker } from '../traffic.ts';
import type { World } from '../world.ts';

/** A fill as the broker has it. */
export interface TrueFill {
  readonly broker: LiveBroker;
  readonly brokerOrderId: string;
  /**
   * The key whose order it is of, by the request that placed the order, or the trigger that the order is of; null of an
   * order placed elsewhere.
   */
  readonly caller: string | null;
  readonly instrument: string;
  /** As the gateway calls it. */
  readonly product: string;
  /** Bought less sold. */
  readonly signed: number;
  /** Epoch ms. */
  readonly at: number;
}

const NAMES = { delivery: 'CNC', intraday: 'INTRADAY', carry: 'MARGIN' } as const;

/** The key of a request, `caller/key`; null of what was asked for by none. */
export const callerOf = (wanted: string | null): string | null => wanted?.split('/')[0] ?? null;

export const isIntraday = (product: string): boolean => product === NAMES.intraday;

export const dayAt = (at: number): string => tradingDay(epochMs(at));

/** All fills of the usual account at a broker, with the keys that they belong to. */
export function trueFills(
  { sandbox, taken, takenTriggers }: Pick<World, 'sandbox' | 'taken' | 'takenTriggers'>,
  broker: LiveBroker,
): TrueFill[] {
  const inspector = broker === 'alt' ? sandbox.kite : sandbox.primary;
  const byTriggers = takenTriggers.flatMap(({ triggerId, wanted }) =>
    (sandbox.kite.trigger(triggerId)?.orderIds ?? []).map((id) => [id, callerOf(wanted)] as const),
  );
  const callers = new Map([
    ...taken
      .filter((each) => each.broker === broker)
      .map((each) => [each.brokerOrderId, callerOf(each.wanted)] as const),
    ...(broker === 'alt' ? byTriggers : []),
  ]);
  const own = inspector.fills().filter(({ orderId }) => !sandbox.otherUser?.order(orderId));
  return own.map((fill: BrokerFill) => ({
    ...{ broker, brokerOrderId: fill.orderId, instrument: fill.instrument, at: fill.at },
    caller: callers.get(fill.orderId) ?? null,
    product: NAMES[fill.product],
    signed: fill.side === 'BUY' ? fill.quantity : -fill.quantity,
  }));
}

export const sum = (fills: readonly TrueFill[]): number =>
  fills.reduce((total, { signed }) => total + signed, 0);

/** Whether a fill counts in a position of a moment (epoch ms): what is intraday begins at 0 each day. */
export const countsAt =
  (moment: number) =>
  ({ product, at }: TrueFill): boolean =>
    at <= moment && (!isIntraday(product) || dayAt(at) === dayAt(moment));
