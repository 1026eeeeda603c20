import type { BrokerModule } from '../adapters/kit/broker-module.ts';
import type { Configuration } from '../config/settings.ts';
import type { BrokerInstruments, InstrumentLookup } from '../domain/instrument.ts';
import type { BrokerId } from '../domain/broker.ts';
import type { Broker, InstrumentSource } from '../domain/ports.ts';
import type { EventFeed } from '../events/event-feed.ts';
import type { EventEpochs, EventLog } from '../events/event-log.ts';
import { createExecution, type Execution } from '../execution/execution.ts';
import { createInstrumentDirectory, type InstrumentDirectory } from '../instruments/directory.ts';
import { createKeptLists } from '../instruments/kept-lists.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Log } from '../platform/log.ts';
import { createPortfolio, type Portfolio } from '../portfolio/portfolio.ts';
import { createGatewayInterface } from '../router/create-gateway.ts';
import type { Gateway } from '../router/gateway.ts';
import { refusingWhileDisarmed } from '../router/while-disarmed.ts';
import { createPriceStreams, type PriceStreams } from '../router/price-streams.ts';
import {
  type BrokersParts,
  composeLogin,
  configuredBrokers,
  type ConfiguredBrokers,
  type ServedLogin,
} from './brokers.ts';
import { followSessions } from './follow-sessions.ts';
import { composeJournal } from './journal.ts';
import type { Ports } from './ports.ts';
import { composePrices } from './prices.ts';
import { tellStates } from './tell-states.ts';

/** What the entry points (HTTP, Telegram, the reminder) use. */
export interface GatewayModules {
  readonly gateway: Gateway;
  readonly login: ServedLogin;
  readonly execution: Execution;
  readonly events: EventLog & EventEpochs;
  /** Prices as they come. */
  readonly prices: PriceStreams;
  /** The events for readers outside of the gateway. */
  readonly feed: EventFeed;
}

export interface GatewayModulesParts {
  readonly configuration: Configuration;
  readonly brokerModules: readonly BrokerModule[];
  readonly ports: Ports;
  readonly dataDirectory: string;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Why nothing is sent to any broker now; null otherwise. */
  readonly disarmed: () => string | null;
  /** See BrokerPorts. */
  readonly sessionHeldBack: () => string | null;
  /** Closes what this opens. */
  readonly stack: AsyncDisposableStack;
}

/** Brokers, instruments, prices, execution, and the shared interface over them. */
export async function composeGateway(parts: GatewayModulesParts): Promise<GatewayModules> {
  const { configuration, ports, log, stack } = parts;
  const { settings, brokers: instances } = configuration;
  const { clock } = ports;
  // Brokers get functions that use these before they exist.
  let directory: InstrumentDirectory | null = null;
  let execution: Execution | null = null;
  const instruments: InstrumentLookup = {
    byName: (name) => directory?.byName(name) ?? null,
    bySecurityId: (exchange, id, segment) => directory?.bySecurityId(exchange, id, segment) ?? null,
  };
  const instrumentsOf = (broker: BrokerId): BrokerInstruments => ({
    byName: instruments.byName,
    bySecurityId: (exchange, id, segment) =>
      directory?.ofBroker(broker).bySecurityId(exchange, id, segment) ?? null,
    own: (instrument) => directory?.ofBroker(broker).own(instrument) ?? instrument,
  });
  const view: ConfiguredBrokers['view'] = (broker) => brokers.view(broker);
  const prices = composePrices({ ...parts, route: settings.routing.marketData, view, instruments });
  stack.defer(() => prices.hub.stop());
  const brokers = configuredBrokers({
    ...parts,
    instances,
    modules: parts.brokerModules,
    instrumentsOf,
    marketDataFor: prices.marketDataFor,
    ...onceThereIs(() => execution),
  });
  const live = await brokers.createLive();
  for (const { keepSession } of live) if (keepSession) stack.defer(keepSession());
  directory = composeDirectory(live, brokers, parts);
  stack.defer(() => directory.stop());
  for (const broker of live) prices.add(broker);
  await brokers.createRest();

  const { acceptJournalAt: accepted } = settings.server;
  const { journal, events, feed, lookAtDisk, tagMark } = await composeJournal({
    ...parts,
    accepted,
  });
  const { all } = brokers;
  execution = await createExecution({
    ...ports,
    log,
    instruments,
    loadInstruments: () => directory.ensureLoaded(),
    journal,
    lookAtDisk,
    brokers: all.flatMap(({ trading, account, triggers }) =>
      trading && account ? { trading, account, ...(triggers ? { triggers } : {}) } : [],
    ),
    lastPrice: prices.lastKnown,
    quoteOf: prices.quoteOf,
    quotes: prices.fresh,
    onTimes: ({ broker }, times) => parts.metrics.orderTimes(broker, times),
    settings: {
      exits: settings.exits,
      pollMs: settings.orders.pollMs,
      absentAfterMs: settings.orders.uncertainAbsentAfterMs,
      unrecognisedMs: settings.orders.unrecognisedStatusMs,
      marketHours: settings.orders.marketHours,
      freezeQuantities: settings.orders.freezeQuantities,
      limits: settings.orders.limits,
      maxDailyLoss: settings.orders.maxDailyLoss,
      closeOnDailyLoss: settings.orders.closeOnDailyLoss,
      tagMark,
    },
  });
  stack.use(execution);
  followSessions({ ...parts, brokers, execution, marketHours: settings.orders.marketHours });

  tellStates({ ...parts, brokers, execution });

  const made = createGatewayInterface({
    brokers: all,
    notSetUp: instances.filter((each) => each.settings === null),
    execution,
    directory,
    marketData: prices.route,
    caches: prices.caches,
    triggers: new Map(all.flatMap(({ id, triggers }) => (triggers ? [[id, triggers]] : []))),
    portfolios: composePortfolios(all, execution, ports),
    view,
    routes: settings.routing,
    marketHours: settings.orders.marketHours,
    clock,
    scheduler: ports.scheduler,
  });
  const { disarmed } = parts;
  const gateway = disarmed() === null ? made : refusingWhileDisarmed(made, disarmed);
  return {
    gateway,
    login: composeLogin(instances, brokers),
    prices: createPriceStreams({ directory, hub: prices.hub }),
    execution,
    events,
    feed,
  };
}

/** What brokers ask of the execution, which is made after them. */
function onceThereIs(
  execution: () => Execution | null,
): Pick<BrokersParts, 'wake' | 'accountsInUse' | 'knownDerivative'> {
  return {
    wake: (broker) => execution()?.wake(broker),
    accountsInUse: (broker) => execution()?.accountsInUse(broker) ?? [],
    // Until the journal is read, nobody knows that there is none.
    knownDerivative: (broker, query) =>
      execution()?.knownDerivative(broker, query) ?? Promise.resolve('what the journal will tell'),
  };
}

/** What each account holds: what was read before an order of it moved is used no more. */
function composePortfolios(
  brokers: readonly Broker[],
  execution: Pick<Execution, 'onOrderMoved'>,
  ports: Ports,
): ReadonlyMap<BrokerId, Portfolio> {
  const portfolios = new Map<BrokerId, Portfolio>();
  for (const { id, account } of brokers) {
    if (account) portfolios.set(id, createPortfolio(account, ports));
  }
  execution.onOrderMoved((broker) => portfolios.get(broker)?.orderMoved());
  return portfolios;
}

/** The instrument lists of all brokers that have one, as one directory. */
export function composeDirectory(
  brokers: readonly Broker[],
  { view }: Pick<ConfiguredBrokers, 'view'>,
  parts: { readonly ports: Ports; readonly dataDirectory: string; readonly log: Log },
): InstrumentDirectory {
  const { ports, dataDirectory, log } = parts;
  const sources = sourcesOf(brokers);
  return createInstrumentDirectory({
    ...ports,
    log,
    sources,
    blocked: (source) => view(source.broker).blocked?.reason ?? null,
    kept: createKeptLists({
      files: ports.files,
      directory: dataDirectory,
      addressOf: (broker) => sources.find((source) => source.broker === broker)?.address ?? '',
      log,
    }),
  });
}

/** Lists that need no daily login come first: they are available before a login. */
function sourcesOf(brokers: readonly Broker[]): readonly InstrumentSource[] {
  const withLogin = brokers.filter(({ login }) => login !== undefined);
  const without = brokers.filter(({ login }) => login === undefined);
  return [...without, ...withLogin].flatMap(({ instruments }) => instruments ?? []);
}
