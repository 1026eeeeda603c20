import type { Answer } from '../domain/answer.ts';
import { modeOf, type BrokerId } from '../domain/broker.ts';
import type { Instrument } from '../domain/instrument.ts';
import { isFinal } from '../domain/order-status.ts';
import type { Broker, PostbackReader } from '../domain/ports.ts';
import { GatewayProblem } from '../domain/problem.ts';
import type { LastPrice, Quote } from '../domain/quote.ts';
import type { Execution } from '../execution/execution.ts';
import { orderResponse } from '../execution/order-view.ts';
import type { OrderRecord } from '../execution/records.ts';
import type { InstrumentDirectory } from '../instruments/directory.ts';
import type { MarketDataRoute, RoutedAnswer } from '../market-data/market-data-route.ts';
import type { QuoteCache } from '../market-data/quote-cache.ts';
import type { Clock } from '../platform/clock.ts';
import type { Scheduler } from '../platform/scheduler.ts';
import type { Portfolio, Read } from '../portfolio/portfolio.ts';
import type { BrokerStatus, ExecutionResult, Found, Gateway, ReadOptions } from './gateway.ts';
import { createMarginRead } from './margins.ts';
import { createMarketReads } from './market-reads.ts';
import { createOrderReads } from './order-reads.ts';
import { accountBroker, marketDataBrokers, tradingLegs, type BrokerView } from './policy.ts';
import { asProblems } from './problems.ts';
import {
  accountAnswer,
  foundAnswer,
  NO_LISTS,
  noBroker,
  resolveAll,
  unknownInstrument,
} from './reads.ts';

export interface GatewayParts {
  readonly brokers: readonly Broker[];
  readonly execution: Execution;
  readonly directory: InstrumentDirectory;
  readonly marketData: MarketDataRoute;
  readonly caches: ReadonlyMap<BrokerId, QuoteCache>;
  readonly portfolios: ReadonlyMap<BrokerId, Portfolio>;
  /** Null where no broker posts to us. */
  readonly postbacks: PostbackReader | null;
  /** Why a broker's session cannot serve a call now; null when it can. */
  readonly view: (broker: BrokerId) => BrokerView;
  readonly routes: {
    readonly marketData: readonly BrokerId[];
    readonly trading: readonly BrokerId[];
    readonly paperOnOutage: boolean;
  };
  readonly clock: Clock;
  readonly scheduler: Scheduler;
}

/** How old an answer may be when the caller does not say. */
const QUOTE_AGE_MS = 1_000;
const ACCOUNT_AGE_MS = 1_000;

/** The shared interface over all brokers: picks who serves, and lets nobody see more. */
export function createGatewayInterface(parts: GatewayParts): Gateway {
  const { execution, directory, clock, routes } = parts;
  const views = (brokers: readonly BrokerId[]): BrokerView[] => brokers.map(parts.view);

  function cachesFor(options: ReadOptions): QuoteCache[] {
    const brokers = options.broker ? [options.broker] : marketDataBrokers(views(routes.marketData));
    return brokers.flatMap((broker) => parts.caches.get(broker) ?? []);
  }

  async function prices<T extends Quote | LastPrice>(
    instruments: readonly string[],
    options: ReadOptions,
    ask: 'quotes' | 'lastPrices',
  ): Promise<Answer<Found<T>>> {
    await directory.ensureLoaded();
    const resolved = resolveAll(instruments, directory);
    const caches = cachesFor(options);
    if (caches.length === 0) {
      throw noBroker('no broker gives market data now: log in, or set the primary broker’s token');
    }
    const wanted = [...new Set(resolved.byText.values())];
    const maxAgeMs = options.maxAgeMs ?? QUOTE_AGE_MS;
    const routed = (await parts.marketData[ask](wanted, { maxAgeMs, caches })) as RoutedAnswer<T>;
    return foundAnswer(resolved, routed, clock);
  }

  async function price<T extends Quote>(
    instrument: string,
    options: ReadOptions,
  ): Promise<Answer<T>> {
    const { data, meta } = await prices<T>([instrument], options, 'quotes');
    const found = data.found.get(instrument);
    if (found) return { data: found, meta };
    const detail = data.errors.get(instrument) ?? `no quote for ${instrument}`;
    throw new GatewayProblem({ code: 'unknown_instrument', detail });
  }

  async function instrumentNamed(text: string): Promise<Instrument> {
    await directory.ensureLoaded();
    const instrument = directory.resolve(text);
    if (instrument) return instrument;
    const detail = unknownInstrument(text, directory);
    throw new GatewayProblem({
      code: directory.size() === 0 ? 'no_broker' : 'unknown_instrument',
      detail,
      mayHaveExecuted: false,
      retrySafe: directory.size() === 0,
    });
  }

  const reading = {
    brokers: parts.brokers,
    view: parts.view,
    instrument: instrumentNamed,
    clock,
  };
  const market = createMarketReads({ ...reading, route: routes.marketData });
  const margins = createMarginRead({ ...reading, route: routes.trading });
  const { getOrders, getOrder, ownOrder } = createOrderReads({
    execution,
    clock,
    scheduler: parts.scheduler,
    accountOf: (named) => named ?? accountBroker(views(routes.trading)),
  });

  /** The account that a read is about: the caller's choice, or the trading route's. */
  function accountOf(options: ReadOptions): Portfolio {
    const broker = options.broker ?? accountBroker(views(routes.trading));
    const portfolio = broker ? parts.portfolios.get(broker) : undefined;
    if (!portfolio) throw noBroker('no broker of the trading route can be asked now');
    return portfolio;
  }

  async function account<T>(
    options: ReadOptions,
    read: (portfolio: Portfolio, maxAgeMs: number) => Promise<Read<T>>,
  ): Promise<Answer<T>> {
    const portfolio = accountOf(options);
    const answer = await read(portfolio, options.maxAgeMs ?? ACCOUNT_AGE_MS);
    return accountAnswer(portfolio.broker, answer, clock);
  }

  function brokerStatus({ id, mode, ...broker }: Broker): BrokerStatus {
    const { blocked } = parts.view(id);
    const serves = (
      [
        ['market_data', broker.marketData, routes.marketData],
        ['account', broker.account, routes.trading],
        ['trading', broker.trading, routes.trading],
      ] as const
    )
      .filter(([, part, route]) => part !== undefined && route.includes(id))
      .map(([name]) => name);
    const instruments = directory.lists().find((list) => list.broker === id) ?? null;
    const reason = blocked?.reason ?? null;
    return { broker: id, mode, serves, available: !blocked, reason, instruments };
  }

  const result = (
    order: OrderRecord,
    idempotencyKey: string,
    repeated: boolean,
  ): ExecutionResult => ({
    order: orderResponse(order),
    idempotencyKey,
    settled: isSettled(order),
    repeated,
  });

  return {
    getQuotes: (instruments, options = {}) =>
      asProblems(() => prices<Quote>(instruments, options, 'quotes')),
    getQuote: (instrument, options = {}) => asProblems(() => price(instrument, options)),
    getLastPrices: (instruments, options = {}) =>
      asProblems(() => prices<LastPrice>(instruments, options, 'lastPrices')),
    getInstruments: (query) =>
      asProblems(async () => {
        await directory.ensureLoaded();
        // Without any list, nothing is known: that is not the same as nothing being found.
        if (directory.size() === 0) throw noBroker(NO_LISTS);
        return directory.search(query);
      }),
    getInstrument: (text) => asProblems(() => instrumentNamed(text)),

    getCandles: (query, options) => asProblems(() => market.getCandles(query, options)),
    getOptionChain: (query, options) => asProblems(() => market.getOptionChain(query, options)),
    getExpiries: (underlying, options) => asProblems(() => market.getExpiries(underlying, options)),

    getPositions: (options = {}) =>
      asProblems(() => account(options, (portfolio, age) => portfolio.positions(age))),
    getHoldings: (options = {}) =>
      asProblems(() => account(options, (portfolio, age) => portfolio.holdings(age))),
    getFunds: (options = {}) =>
      asProblems(() => account(options, (portfolio, age) => portfolio.funds(age))),
    getProfile: (options = {}) =>
      asProblems(() => account(options, (portfolio, age) => portfolio.profile(age))),
    getMargins: (orders, options) => asProblems(() => margins(orders, options)),

    getOrders: (query = {}) => asProblems(() => getOrders(query)),
    getOrder: (id) => asProblems(() => getOrder(id)),
    getFills: (id) =>
      asProblems(async () => {
        const order = await ownOrder(id);
        const fills = await execution.fillsOf(order.id);
        return fills.map((fill) => ({
          id: fill.fillId,
          orderId: order.id,
          quantity: fill.quantity,
          price: fill.price,
          at: fill.at,
        }));
      }),

    placeOrder: (request, context) =>
      asProblems(async () => {
        const key = context.idempotencyKey;
        const known = key === null ? null : await execution.repeated(context.caller, key, request);
        if (known) return result(known.order, known.idempotencyKey, true);
        if (request.mode !== null && request.broker && modeOf(request.broker) !== request.mode) {
          const detail = `${request.broker} is named, and it is not ${request.mode}`;
          throw new GatewayProblem({ code: 'invalid_request', detail, mayHaveExecuted: false });
        }
        const instrument = await instrumentNamed(request.instrument);
        const route = request.broker ? [request.broker] : routes.trading;
        const choice = tradingLegs(views(route), request, routes.paperOnOutage);
        const legs = choice.kind === 'brokers' ? choice.brokers : [];
        const placed = await execution.place({
          caller: context.caller,
          idempotencyKey: context.idempotencyKey,
          request: { ...request, instrument: instrument.name },
          instrument,
          legs: legs.flatMap((broker) => execution.keeper(broker)?.trading ?? []),
          route: routes.trading,
          blocked: choice.kind === 'none' ? choice.blocked : null,
        });
        return result(placed.order, placed.idempotencyKey, placed.repeated);
      }),
    cancelOrder: (id) =>
      asProblems(async () => {
        const { order, settled } = await execution.change((await ownOrder(id)).id, null);
        return { ...result(order, order.idempotencyKey, false), settled };
      }),
    modifyOrder: (id, changes) =>
      asProblems(async () => {
        const { order, settled } = await execution.change((await ownOrder(id)).id, changes);
        return { ...result(order, order.idempotencyKey, false), settled };
      }),
    resolveOrder: (id, word) =>
      asProblems(async () => orderResponse(await execution.resolve((await ownOrder(id)).id, word))),

    getKillSwitch: () => execution.killSwitch() ?? { thrown: false, reason: null, changedAt: null },
    setKillSwitch: (thrown, reason) =>
      asProblems(() => execution.setKillSwitch(thrown, reason === '' ? null : reason)),

    receivePostback: (body) =>
      asProblems(async () => {
        if (!parts.postbacks) throw noBroker('no broker is set up that posts to the gateway');
        const reading = parts.postbacks.readPostback(body);
        if (reading.kind !== 'genuine') return reading;
        return { kind: await execution.postback(reading.hint) };
      }),
    getBrokers: () => parts.brokers.map(brokerStatus),
    getLimits: ({ broker } = {}) =>
      parts.brokers
        .filter(({ id }) => broker === undefined || broker === id)
        .flatMap(({ id, limits }) => (limits ? [{ broker: id, buckets: limits() }] : [])),
  };
}

/** Whether the outcome of what was asked is known: not while it is on its way or uncertain. */
function isSettled({ status }: OrderRecord): boolean {
  return status === 'working' || isFinal(status);
}

export const brokerView = (broker: BrokerId, blocked: BrokerView['blocked']): BrokerView => ({
  broker,
  mode: modeOf(broker),
  blocked,
});
