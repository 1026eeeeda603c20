import type { BrokerFill } from '../../domain/broker-order.ts';
import type { BrokerId } from '../../domain/broker.ts';
import { exchangeOf } from '../../domain/instrument.ts';
import type { BrokerOrderId, TradingDay } from '../../units/branded.ts';
import type { ExecutionState } from '../journal/state.ts';
import { fillKey, writtenFillKey } from '../order/fills.ts';

/** The trades of the last read, and about which of them nothing is left to do. */
export interface FillMemory {
  /** Takes the trades of a read; null where they were not read. */
  take(read: readonly BrokerFill[] | null): void;
  /** What is known of the orders of these ids has changed. */
  lookAgain(brokerOrderIds: Iterable<BrokerOrderId>): void;
  /**
   * The trades that are to be looked at, now that what is known of these ids has changed as well; in the order of
   * the list. Empty where the last read was one without trades.
   */
  openWith(brokerOrderIds: Iterable<BrokerOrderId>): BrokerFill[];
  /** What was decided on the open trades is on disk. */
  keep(state: ExecutionState, day: TradingDay): void;
  forget(): void;
}

export function createFillMemory(broker: BrokerId): FillMemory {
  let fills: readonly BrokerFill[] = [];
  /** By the place of a trade in the list: recorded as a fill, or of an order placed elsewhere. */
  let isDone: boolean[] = [];
  let openPlaces: number[] = [];
  let wasRead = false;
  /** Ids of orders placed elsewhere whose trades are passed over. */
  const elsewhere = new Set<BrokerOrderId>();
  /** Those of them of which something has changed since. */
  const again = new Set<BrokerOrderId>();

  function lookAgain(brokerOrderIds: Iterable<BrokerOrderId>): void {
    for (const id of brokerOrderIds) if (elsewhere.delete(id)) again.add(id);
  }

  function isSettledTrade(state: ExecutionState, day: TradingDay, fill: BrokerFill): boolean {
    const { brokerOrderId } = fill;
    if (brokerOrderId === null) return false;
    const observed = state.observedIn.get(broker, day, brokerOrderId);
    if (observed?.orderId === null) {
      elsewhere.add(brokerOrderId);
      return true;
    }
    const order = observed && state.orders.get(observed.orderId);
    if (!order) return false;
    const trade = { ...fill, broker, day, brokerOrderId };
    const own = exchangeOf(order.terms.instrument);
    return state.fills.has(fillKey(trade, own)) || state.fills.has(writtenFillKey(trade, own));
  }

  return {
    take(read) {
      openPlaces = [];
      wasRead = read !== null;
      if (read === null) return;
      for (let place = 0; place < read.length; place += 1) {
        if (read[place] !== fills[place]) isDone[place] = false;
        if (!isDone[place]) openPlaces.push(place);
      }
      fills = read;
      isDone.length = read.length;
    },
    lookAgain,
    openWith(brokerOrderIds) {
      if (!wasRead) return [];
      lookAgain(brokerOrderIds);
      if (again.size > 0) {
        const isOpen = new Set(openPlaces);
        openPlaces = [...fills.keys()].filter(
          (place) => isOpen.has(place) || again.has(fills[place]?.brokerOrderId ?? ''),
        );
        again.clear();
      }
      return pick(fills, openPlaces);
    },
    keep(state, day) {
      for (const place of openPlaces) {
        const fill = fills[place];
        isDone[place] = fill !== undefined && isSettledTrade(state, day, fill);
      }
    },
    forget() {
      [fills, isDone, openPlaces] = [[], [], []];
      elsewhere.clear();
      again.clear();
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
