import type { Outcome } from '../../../src/domain/outcome.ts';
import type { Instrument } from '../../../src/domain/instrument.ts';
import type { OrderTerms, PlaceAttempt } from '../../../src/domain/order.ts';
import type { MarketData } from '../../../src/domain/ports.ts';
import type { Quote } from '../../../src/domain/quote.ts';
import { createPaperBroker, type PaperSettings } from '../../../src/adapters/paper/index.ts';
import { openDatabase, type Database } from '../../../src/platform/database.ts';
import { createIds, type Ids } from '../../../src/platform/ids.ts';
import { silentLog } from '../../../src/platform/log.ts';
import { VirtualTime } from '../../support/virtual-time.ts';

/** Monday 5 January 2026, 10:00 IST: a trading day, the market open. */
export const MONDAY_TEN = '2026-01-05T10:00:00+05:30';

export function instrumentNamed(name: string, fields: Partial<Instrument> = {}): Instrument {
  const [exchange = '', tradingSymbol = ''] = name.split(':');
  return {
    name,
    exchange,
    tradingSymbol,
    segment: 'EQUITY',
    securityId: '1',
    instrumentToken: 1,
    lotSize: 1,
    tickSize: 0.05,
    freezeQuantity: null,
    isin: `IN-${tradingSymbol}`,
    displayName: tradingSymbol,
    expiry: null,
    strike: null,
    optionType: null,
    ...fields,
  };
}

export const INFY = instrumentNamed('NSE:INFY');
export const TCS = instrumentNamed('NSE:TCS');
export const ITC = instrumentNamed('NSE:ITC');

export function quoteAt(lastPrice: number, fields: Partial<Quote> = {}): Quote {
  return {
    instrument: 'NSE:INFY',
    lastPrice,
    open: null,
    high: null,
    low: null,
    previousClose: null,
    change: null,
    changePercent: null,
    volume: null,
    bid: null,
    ask: null,
    depth: null,
    upperCircuit: null,
    lowerCircuit: null,
    at: null,
    ...fields,
  };
}

export function levels(...pairs: readonly (readonly [price: number, quantity: number])[]) {
  return pairs.map(([price, quantity]) => ({ price, quantity, orders: 1 }));
}

/** Market data that returns what the test sets, fails, or never answers. */
export class FakeMarket implements MarketData {
  readonly broker = 'alt';
  readonly known = new Map<string, Quote>();
  mood: 'answers' | 'fails' | 'hangs' = 'answers';
  asked = 0;

  set(instrument: Instrument, lastPrice: number, fields: Partial<Quote> = {}): void {
    this.known.set(instrument.name, quoteAt(lastPrice, { instrument: instrument.name, ...fields }));
  }

  quotes(instruments: readonly Instrument[]): Promise<ReadonlyMap<string, Quote>> {
    this.asked += 1;
    if (this.mood === 'fails') return Promise.reject(new Error('market data is away'));
    if (this.mood === 'hangs') return new Promise(() => undefined);
    const found = new Map<string, Quote>();
    for (const { name } of instruments) {
      const quote = this.known.get(name);
      if (quote) found.set(name, quote);
    }
    return Promise.resolve(found);
  }

  lastPrices(instruments: readonly Instrument[]) {
    return this.quotes(instruments);
  }
}

/** The same bytes every time: 0, 1, 2 …, repeating. */
export function countingIds(): Ids {
  let next = 0;
  return createIds((count) => Uint8Array.from({ length: count }, () => next++ % 256));
}

export const DEFAULTS: PaperSettings = {
  cash: '100000',
  brokerage: '20',
  marketHours: 'exchange',
  fills: 'book',
};

export interface BenchOptions {
  readonly settings?: Partial<PaperSettings>;
  readonly database?: Database;
  readonly time?: VirtualTime;
  readonly market?: FakeMarket;
  readonly instruments?: readonly Instrument[];
}

/** The broker's id of an order; throws where it was not acknowledged. */
export function idOf(outcome: Outcome): string {
  if (outcome.kind !== 'acknowledged') throw new Error(`not placed: ${outcome.reason}`);
  return outcome.brokerOrderId;
}

/** A paper account with a clock and prices that the test sets. */
export async function paperBench(options: BenchOptions = {}) {
  const time = options.time ?? new VirtualTime(MONDAY_TEN);
  const market = options.market ?? new FakeMarket();
  const database = options.database ?? openDatabase(':memory:');
  const known = options.instruments ?? [INFY, TCS, ITC];
  const broker = await createPaperBroker({
    database,
    clock: time,
    scheduler: time,
    ids: countingIds(),
    log: silentLog,
    marketData: market,
    instruments: {
      byName: (name) => known.find((each) => each.name === name) ?? null,
      bySecurityId: () => null,
    },
    settings: { ...DEFAULTS, ...options.settings },
  });
  const trading = broker.trading!;
  const account = broker.account!;
  let attempts = 0;

  function attemptFor(
    terms: Partial<OrderTerms>,
    instrument: Instrument = INFY,
    name = `attempt-${++attempts}`,
  ): PlaceAttempt {
    return {
      attemptId: name,
      tag: `tag-of-${name}`,
      instrument,
      terms: {
        instrument: instrument.name,
        side: 'BUY',
        quantity: 10,
        orderType: terms.price === undefined ? 'MARKET' : 'LIMIT',
        product: 'CNC',
        validity: 'DAY',
        price: null,
        triggerPrice: null,
        amo: false,
        ...terms,
      },
    };
  }

  return {
    time,
    market,
    database,
    broker,
    trading,
    account,
    attemptFor,
    place: (terms: Partial<OrderTerms>, instrument?: Instrument) =>
      time.settle(trading.place(attemptFor(terms, instrument))),
    /** Places an order and returns its id; fails the test when the order is not acknowledged. */
    async placed(terms: Partial<OrderTerms>, instrument?: Instrument): Promise<string> {
      return idOf(await time.settle(trading.place(attemptFor(terms, instrument))));
    },
    cancel: (brokerOrderId: string) =>
      time.settle(
        trading.cancel({ attemptId: 'c', brokerOrderId, instrument: INFY, brokerOrderType: null }),
      ),
    modify: (
      brokerOrderId: string,
      changes: Partial<Parameters<typeof trading.modify>[0]['changes']>,
    ) =>
      time.settle(
        trading.modify({
          attemptId: 'm',
          brokerOrderId,
          instrument: INFY,
          terms: attemptFor({}, INFY, 'as it stands').terms,
          changes: {
            quantity: null,
            price: null,
            triggerPrice: null,
            orderType: null,
            validity: null,
            ...changes,
          },
        }),
      ),
    book: () => time.settle(trading.orderBook()),
    async row(brokerOrderId: string) {
      const rows = await time.settle(trading.orderBook());
      return rows.find((row) => row.brokerOrderId === brokerOrderId);
    },
    trades: () => time.settle(trading.trades()),
    positions: () => time.settle(account.positions()),
    holdings: () => time.settle(account.holdings()),
    funds: () => time.settle(account.funds()),
    dispose: () => time.settle(Promise.resolve(broker[Symbol.asyncDispose]())),
  };
}

export type PaperBench = Awaited<ReturnType<typeof paperBench>>;
