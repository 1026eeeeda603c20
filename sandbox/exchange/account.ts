import { brokerDay } from '../kernel/ist.ts';
import { book, holdingsBefore, keyOf, positionsBefore } from './account-fills.ts';
import type { HoldingLine } from './holding-line.ts';
import type { ManagedFill, ManagedOrder } from './managed-order.ts';
import type { Exchange } from './exchange.ts';
import type { Instrument } from './instrument.ts';
import type { PositionLine } from './position-line.ts';
import { averageOf, netOf, realisedOf } from './position-line.ts';
import { orderMargin, positionMargin } from './required-margin.ts';

/** Money in paise. */
export interface FundsLine {
  opening: number;
  available: number;
  /** Blocked for working orders and open positions. */
  blocked: number;
  realised: number;
  unrealised: number;
}

export interface Account {
  apply(fill: ManagedFill): void;
  /** With a time, epoch ms: as they were before the fills of the day that came after it. */
  positions(asOf?: number | null): PositionLine[];
  /** The same. */
  holdings(asOf?: number | null): HoldingLine[];
  funds(openOrders: readonly ManagedOrder[]): FundsLine;
  /** How many shares of this instrument a delivery sell order may still sell. */
  sellable(instrument: Instrument, openOrders: readonly ManagedOrder[]): number;
}

export interface AccountSeed {
  /** Paise. */
  cash: number;
  holdings: readonly (readonly [key: string, quantity: number, averagePaise: number])[];
}

/** Adds purchases to the holdings, and takes sales out of them. */
function deliver(holdings: Map<string, HoldingLine>, line: PositionLine): void {
  const net = netOf(line);
  const known = holdings.get(line.instrument.isin);
  const held: HoldingLine = known ?? {
    instrument: line.instrument,
    settled: 0,
    t1: 0,
    averagePrice: 0,
    soldToday: 0,
  };
  const before = held.settled + held.t1;
  if (net > 0) {
    held.averagePrice = (before * held.averagePrice + net * averageOf(line)) / (before + net);
    held.t1 += net;
  } else {
    const fromSettled = Math.min(held.settled, -net);
    held.settled -= fromSettled;
    held.t1 = Math.max(0, held.t1 + net + fromSettled);
  }
  holdings.set(line.instrument.isin, held);
  if (held.settled + held.t1 === 0) holdings.delete(line.instrument.isin);
}

const emptyLine = ({ instrument, product }: ManagedFill): PositionLine => ({
  instrument,
  product,
  overnight: 0,
  overnightPrice: 0,
  bought: 0,
  boughtValue: 0,
  sold: 0,
  soldValue: 0,
});

/** Shares of this instrument in working delivery sell orders. */
const waitingToSell = (instrument: Instrument, openOrders: readonly ManagedOrder[]): number =>
  openOrders
    .filter(
      (order) =>
        order.side === 'SELL' &&
        order.product === 'delivery' &&
        order.instrument.isin === instrument.isin,
    )
    .reduce((sum, order) => sum + order.quantity - order.filled, 0);

/** One client's money and shares at one broker. The first read after 06:00 IST begins a new day. */
export function createAccount(exchange: Exchange, seed: AccountSeed): Account {
  let cash = seed.cash;
  let day = brokerDay(exchange.clock.now());
  let lines = new Map<string, PositionLine>();
  /** The fills of the day, oldest first. */
  let fills: { readonly at: number; readonly fill: ManagedFill }[] = [];
  const holdings = new Map<string, HoldingLine>();
  for (const [key, settled, averagePrice] of seed.holdings) {
    const instrument = exchange.listing.byKey(key);
    if (!instrument) continue;
    holdings.set(instrument.isin, { instrument, settled, t1: 0, averagePrice, soldToday: 0 });
  }

  function turn(): void {
    const today = brokerDay(exchange.clock.now());
    if (today === day) return;
    day = today;
    for (const held of holdings.values()) {
      held.settled += held.t1;
      held.t1 = 0;
      held.soldToday = 0;
    }
    const carried = new Map<string, PositionLine>();
    for (const [key, line] of lines) {
      const net = netOf(line);
      cash += line.soldValue - line.boughtValue;
      if (line.product === 'delivery') deliver(holdings, line);
      if (line.product === 'intraday') {
        cash += net * exchange.prices.bands(line.instrument, exchange.clock.now()).previousClose;
      }
      if (line.product === 'carry' && net !== 0) {
        const overnightPrice = averageOf(line);
        const empty = { bought: 0, boughtValue: 0, sold: 0, soldValue: 0 };
        carried.set(key, { ...line, ...empty, overnight: net, overnightPrice });
      }
    }
    lines = carried;
    fills = [];
  }

  /** The fills of the day that came after a time; none where it is null. */
  const since = (asOf: number | null): readonly ManagedFill[] =>
    asOf === null ? [] : fills.filter(({ at }) => at > asOf).map(({ fill }) => fill);

  function soldOf(instrument: Instrument): number {
    let net = 0;
    for (const line of lines.values()) {
      if (line.product === 'delivery' && line.instrument.isin === instrument.isin)
        net += netOf(line);
    }
    return net;
  }

  return {
    apply(fill) {
      turn();
      const key = keyOf(fill);
      const line = lines.get(key) ?? emptyLine(fill);
      book(line, fill);
      fills.push({ at: exchange.clock.now(), fill });
      const held = holdings.get(fill.instrument.isin);
      if (held && fill.side === 'SELL' && fill.product === 'delivery') {
        held.soldToday += fill.quantity;
      }
      lines.set(key, line);
    },
    positions(asOf = null) {
      turn();
      return positionsBefore([...lines.values()], since(asOf));
    },
    holdings(asOf = null) {
      turn();
      return holdingsBefore([...holdings.values()], since(asOf));
    },
    funds(openOrders) {
      turn();
      let available = cash;
      let blocked = 0;
      let realised = 0;
      let unrealised = 0;
      for (const line of lines.values()) {
        const last = exchange.prices.last(line.instrument, exchange.clock.now());
        realised += realisedOf(line);
        unrealised += netOf(line) * (last - averageOf(line));
        if (line.product === 'intraday') available += realisedOf(line);
        else available += line.soldValue - line.boughtValue;
        blocked += positionMargin(line);
      }
      for (const order of openOrders) blocked += orderMargin(order, [...lines.values()]);
      return { opening: cash, available: available - blocked, blocked, realised, unrealised };
    },
    sellable(instrument, openOrders) {
      turn();
      const held = holdings.get(instrument.isin);
      const waiting = waitingToSell(instrument, openOrders);
      return (held ? held.settled + held.t1 : 0) + soldOf(instrument) - waiting;
    },
  };
}
