import { join } from 'node:path';
import { createPaperBroker } from '../adapters/paper/index.ts';
import type { Configuration } from '../config/settings.ts';
import type { BrokerId } from '../domain/broker.ts';
import type { InstrumentLookup } from '../domain/instrument.ts';
import { isMarketOpen } from '../domain/market-hours.ts';
import type { Broker } from '../domain/ports.ts';
import { createEventLog, type EventLog } from '../events/event-log.ts';
import { createExecution, type Execution } from '../execution/execution.ts';
import { createSqliteJournal } from '../execution/journal.ts';
import { createInstrumentDirectory, type InstrumentDirectory } from '../instruments/directory.ts';
import { createKeptLists } from '../instruments/kept-lists.ts';
import { asMarketData, createMarketDataRoute } from '../market-data/market-data-route.ts';
import { createQuoteCache, type QuoteCache } from '../market-data/quote-cache.ts';
import { createTickSubscriptions } from '../market-data/tick-subscriptions.ts';
import { createStreamingQuotes } from '../market-data/streaming-quotes.ts';
import type { Log } from '../platform/log.ts';
import { messageOf } from '../platform/thrown.ts';
import { createPortfolio } from '../portfolio/portfolio.ts';
import { brokerView, createGatewayInterface } from '../router/create-gateway.ts';
import type { Gateway } from '../router/gateway.ts';
import type { SessionControl } from '../session/session.ts';
import { composeLiveBrokers, type LiveBrokers } from './live-brokers.ts';
import type { Ports } from './ports.ts';

export interface Rooms {
  readonly gateway: Gateway;
  readonly session: SessionControl | null;
  readonly execution: Execution;
  readonly events: EventLog;
}

export interface RoomsParts {
  readonly configuration: Configuration;
  readonly ports: Ports;
  readonly dataDirectory: string;
  readonly log: Log;
  /** What is opened is closed with it. */
  readonly stack: AsyncDisposableStack;
}

/** Brokers, instruments, prices, paper account, execution and the interface over them. */
export async function composeRooms(parts: RoomsParts): Promise<Rooms> {
  const { configuration, ports, dataDirectory, log, stack } = parts;
  const { settings, secrets } = configuration;
  const { clock, scheduler, openDatabase: open } = ports;
  // Adapters are handed these before there is anything behind them.
  let directory: InstrumentDirectory | null = null;
  let execution: Execution | null = null;
  const instruments: InstrumentLookup = {
    byName: (name) => directory?.byName(name) ?? null,
    bySecurityId: (exchange, id, segment) => directory?.bySecurityId(exchange, id, segment) ?? null,
  };
  const wake = (broker: BrokerId): void => execution?.wake(broker);
  const live = composeLiveBrokers({ ...parts, instruments, wake });
  const { primary, alt, session, ticker, sessionBlocked } = live;
  parts.stack.defer(primary.keepSession());

  directory = createInstrumentDirectory({
    // The primary's list needs no login, so it is there first and names everything.
    sources: [primary.instruments!, ...(alt ? [alt.instruments] : [])],
    blocked: (source) => sessionBlocked(source.broker)?.reason ?? null,
    kept: createKeptLists({
      files: ports.files,
      directory: dataDirectory,
      addressOf: (broker) =>
        broker === 'alt' ? (settings.alt?.apiRoot ?? '') : settings.primary.baseUrl,
      log,
    }),
    clock,
    scheduler,
    log,
  });
  stack.defer(() => directory.stop());

  const marketData = createMarketDataRoute();
  const caches = composeQuoteCaches(live, ports);
  const openCaches = (): QuoteCache[] =>
    settings.routing.marketData.flatMap((broker) =>
      sessionBlocked(broker) === null ? (caches.get(broker) ?? []) : [],
    );
  const paper = await composePaper();
  const brokers: Broker[] = [...live.all, paper];

  const journalFile = open(join(dataDirectory, 'journal.db'));
  stack.defer(() => journalFile.close());
  const { events, store: journal } = createEventLog(createSqliteJournal(journalFile));
  execution = await createExecution({
    ...ports,
    log,
    instruments,
    loadInstruments: () => directory.ensureLoaded(),
    journal,
    brokers: brokers.map(({ trading, account }) => ({ trading: trading!, account: account! })),
    settings: {
      pollMs: settings.orders.pollMs,
      absentAfterMs: settings.orders.uncertainAbsentAfterMs,
      unrecognisedMs: settings.orders.unrecognisedStatusMs,
      marketHours: settings.orders.marketHours,
      freezeQuantities: settings.orders.freezeQuantities,
    },
  });
  stack.use(execution);
  followSessions(execution);

  const gateway = createGatewayInterface({
    brokers,
    execution,
    directory,
    marketData,
    caches,
    portfolios: new Map(
      brokers.map((broker) => [broker.id, createPortfolio(broker.account!, clock)]),
    ),
    postbacks: alt?.postbacks ?? null,
    view: (broker) => brokerView(broker, sessionBlocked(broker)),
    routes: settings.routing,
    clock,
    scheduler: ports.scheduler,
  });
  return { gateway, session, execution, events };

  async function composePaper(): Promise<Broker> {
    const ledger = open(join(dataDirectory, 'paper.db'));
    stack.defer(() => ledger.close());
    const { cash, brokerage, fills } = settings.paper;
    const broker = await createPaperBroker({
      ...ports,
      log,
      instruments,
      database: ledger,
      marketData: asMarketData(marketData, openCaches, 'paper'),
      settings: {
        cash: String(cash),
        brokerage: String(brokerage),
        fills,
        marketHours: settings.orders.marketHours,
      },
    });
    return stack.use(broker);
  }

  /** What a session opens is read when it begins; what ends with it is told. */
  function followSessions(awake: Execution): void {
    // A token can have been made while the rest was put together.
    if (secrets.primaryLogin !== null && sessionBlocked('primary') === null) wake('primary');
    session?.onChange(({ kind }) => {
      wake('alt');
      if (kind === 'died') alertOfDeath(awake);
    });
    // Whose it is, and whether the broker still takes it, is asked before anyone relies on it.
    void session?.check();
    // A token that was there before the start is a session that began: what it opens is read now.
    if (session !== null && sessionBlocked('alt') === null) wake('alt');
    if (!ticker) return;
    stack.defer(() => ticker.stop());
    session?.onChange(() => ticker.follow());
    ticker.follow();
  }

  /** When shares and their derivatives are shut, the next morning's login is in time. */
  function alertOfDeath({ alert }: Execution): void {
    if (settings.orders.marketHours === 'exchange' && !isMarketOpen(clock.now(), 'NFO')) return;
    const message =
      'the alternative broker has ended its session while the market is open: log in again at ' +
      '/api/altbroker/login. Until then orders and prices go along the rest of their routes';
    alert('critical', message).catch((error: unknown) => {
      log.error(message, { reason: messageOf(error) });
    });
  }
}

/** One cache of prices for each live broker; ticks are looked at first where there are any. */
function composeQuoteCaches(
  { all, ticker }: LiveBrokers,
  { clock, scheduler }: Ports,
): ReadonlyMap<BrokerId, QuoteCache> {
  const caches = new Map<BrokerId, QuoteCache>(
    all.map((broker) => [broker.id, createQuoteCache(broker.marketData!, clock, scheduler)]),
  );
  if (ticker) {
    const [cache, ticks] = [caches.get('alt')!, createTickSubscriptions(ticker, clock)];
    caches.set('alt', createStreamingQuotes({ cache, ticks, clock }));
  }
  return caches;
}
