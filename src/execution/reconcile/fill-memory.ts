import type { BrokerFill } from '../../domain/broker-order.ts';
import type { BrokerId } from '../../domain/broker.ts';
import { exchangeOf } from '../../domain/instrument.ts';
import type { TradingDay } from '../../units/branded.ts';
import type { ExecutionState } from '../journal/state.ts';
import { fillKey, writtenFillKey } from '../order/fills.ts';

/** The trades of the last read, and which of them are recorded as fills. */
export interface FillMemory {
  /** The trades of a read that are not known to be recorded; null where they were not read. */
  unrecorded(read: readonly BrokerFill[] | null): BrokerFill[] | null;
  /** What was decided on the last unrecorded ones is on disk. */
  keep(state: ExecutionState, day: TradingDay): void;
  forget(): void;
}

export function createFillMemory(broker: BrokerId): FillMemory {
  let fills: readonly BrokerFill[] = [];
  /** By the place of a trade in the list. */
  let isRecorded: boolean[] = [];
  let openPlaces: number[] = [];

  function isKnown(state: ExecutionState, day: TradingDay, fill: BrokerFill): boolean {
    const { brokerOrderId } = fill;
    const orderId = brokerOrderId && state.observedIn.get(broker, day, brokerOrderId)?.orderId;
    const order = orderId ? state.orders.get(orderId) : undefined;
    if (!order || brokerOrderId === null) return false;
    const trade = { ...fill, broker, day, brokerOrderId };
    const own = exchangeOf(order.terms.instrument);
    return state.fills.has(fillKey(trade, own)) || state.fills.has(writtenFillKey(trade, own));
  }

  return {
    unrecorded(read) {
      openPlaces = [];
      if (read === null) return null;
      for (const [place, fill] of read.entries()) {
        if (fill !== fills[place]) isRecorded[place] = false;
        if (!isRecorded[place]) openPlaces.push(place);
      }
      fills = read;
      isRecorded.length = read.length;
      return pick(read, openPlaces);
    },
    keep(state, day) {
      for (const place of openPlaces) {
        const fill = fills[place];
        isRecorded[place] = fill !== undefined && isKnown(state, day, fill);
      }
    },
    forget() {
      [fills, isRecorded, openPlaces] = [[], [], []];
    },
  };
}

/** The items at these places of a list. */
export function pick<Item>(items: readonly Item[], places: readonly number[]): Item[] {
  return places.flatMap((place) => {
    const item = items[place];
    return item === undefined ? [] : [item];
  });
}
