import { join } from 'node:path';
import { altModule } from '../adapters/alt/index.ts';
import type { BrokerModule, BrokerPorts, SessionPort } from '../adapters/kit/broker-module.ts';
import { paperModule } from '../adapters/paper/module.ts';
import { primaryModule } from '../adapters/primary/index.ts';
import type { BrokerId, BrokerInstance, LoginSettings, Mode } from '../domain/broker.ts';
import type { BrokerInstruments } from '../domain/instrument.ts';
import { lacksSession, notSent } from '../domain/outcome.ts';
import type { Broker, LoginBroker, MarketData } from '../domain/ports.ts';
import { GatewayProblem, type ProblemFields } from '../domain/problem.ts';
import type { KnownDerivativeOf } from '../execution/reconcile/known-derivative.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Room } from '../platform/disk-reserve.ts';
import type { Log } from '../platform/log.ts';
import type { BrokerView } from '../router/policy.ts';
import { createSession } from '../session/create-session.ts';
import type { SessionControl } from '../session/session.ts';
import { createTokenStore } from '../token-store/token-store.ts';
import { measuredTransport } from './metrics.ts';
import type { Ports } from './ports.ts';
import { sendingNothing } from './sends-nothing.ts';

export interface BrokersParts {
  readonly instances: readonly BrokerInstance[];
  readonly modules: readonly BrokerModule[];
  readonly ports: Ports;
  readonly dataDirectory: string;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly instrumentsOf: (broker: BrokerId) => BrokerInstruments;
  /** Prices along the market-data route, in the name of one instance. */
  readonly marketDataFor: (broker: BrokerId) => MarketData;
  /** The broker has news of orders, or can be called again. */
  readonly wake: (broker: BrokerId) => void;
  /** Accounts at a broker that have open orders. */
  readonly accountsInUse: (broker: BrokerId) => readonly string[];
  /** See BrokerPorts. */
  readonly knownDerivative: KnownDerivativeOf;
  /** Why nothing is sent to a live broker now; null otherwise. */
  readonly disarmed: () => string | null;
  /** See BrokerPorts. */
  readonly sessionHeldBack: () => string | null;
  readonly stack: AsyncDisposableStack;
}

/** The configured broker instances, and the sessions with those that have a daily login. */
export interface ConfiguredBrokers {
  /** Those that have been made, in the order of making. */
  readonly all: readonly Broker[];
  /** Makes the live instances that are set up, in the order of the configuration. */
  createLive(): Promise<readonly Broker[]>;
  /** Makes the others: they fill orders at the prices of the live ones. */
  createRest(): Promise<readonly Broker[]>;
  session(broker: BrokerId): SessionControl | null;
  /**
   * What the routing policy uses. An outage is not a missing session, and must not look like one.
   * Throws a GatewayProblem `invalid_request` for a name that no instance has.
   */
  view(broker: BrokerId): BrokerView;
}

/** For what a broker module keeps itself, as the paper account does. */
const BROKER_ROOM: Room = { reserveBytes: 1_024 * 1_024, logPages: 700 };

/** Where nothing is configured for the login of an instance whose broker has one. */
const defaultLogin = (name: BrokerId): LoginSettings => ({
  userId: null,
  userSetting: `the login settings of ${name}`,
  tokenFile: `token-${name}.json`,
  environmentName: null,
  configurationToken: null,
});

export function configuredBrokers(parts: BrokersParts): ConfiguredBrokers {
  const { instances, ports, log, stack } = parts;
  const made = new Map<BrokerId, Broker>();
  const sessions = new Map<BrokerId, SessionControl>();

  async function make(instance: BrokerInstance, settings: object): Promise<Broker> {
    const { name, kind, mode } = instance;
    const module = parts.modules.find((each) => each.kind === kind);
    if (!module) throw new Error(`broker ${name}: there is no broker module of kind ${kind}`);
    if (module.mode !== mode) {
      throw new Error(`broker ${name}: kind ${kind} is ${module.mode}, and configured as ${mode}`);
    }
    const created = await module.create(name, settings, portsFor(name));
    const broker = mode === 'live' ? sendingNothing(created, parts.disarmed) : created;
    stack.defer(() => broker[Symbol.asyncDispose]?.());
    if (broker.id !== name) {
      throw new Error(`broker ${name}: its module made a broker that is called ${broker.id}`);
    }
    if (broker.trading && !broker.account) {
      throw new Error(`broker ${name}: trading needs an account, for the exit guard goes by it`);
    }
    if (broker.login) sessions.set(name, makeSession(instance, broker.login));
    made.set(name, broker);
    return broker;
  }

  function portsFor(name: BrokerId): BrokerPorts {
    return {
      ...ports,
      transport: measuredTransport(ports.transport, name, ports.clock, parts.metrics),
      log,
      ...{ instruments: parts.instrumentsOf(name), session: sessionPort(name) },
      marketData: parts.marketDataFor(name),
      knownDerivative: (query) => parts.knownDerivative(name, query),
      openDatabase() {
        const database = ports.openDatabase(join(parts.dataDirectory, `${name}.db`), BROKER_ROOM);
        stack.defer(() => database.close());
        return database;
      },
      wake: () => parts.wake(name),
      sessionHeldBack: parts.sessionHeldBack,
    };
  }

  /** The session comes after its broker: until then, there is no token. */
  function sessionPort(name: BrokerId): SessionPort {
    return {
      accessToken: () => sessions.get(name)?.accessToken() ?? null,
      userId() {
        const session = sessions.get(name)?.current();
        return session?.state === 'valid' ? session.userId : null;
      },
      tokenDied: (accessToken) => sessions.get(name)?.tokenDied(accessToken),
      check: () => void sessions.get(name)?.check(),
    };
  }

  function makeSession({ name, title, login }: BrokerInstance, broker: LoginBroker) {
    const { userId, userSetting, ...token } = login ?? defaultLogin(name);
    const tokens = createTokenStore({
      ...ports,
      log,
      path: join(parts.dataDirectory, token.tokenFile),
      environmentName: token.environmentName,
      configurationToken: token.configurationToken?.reveal() ?? null,
    });
    return createSession({
      ...{ ...ports, log, tokens, login: broker, title, userId, userSetting },
      accountsInUse: () => parts.accountsInUse(name),
    });
  }

  async function createWhere(isMeant: (mode: Mode) => boolean): Promise<readonly Broker[]> {
    const created: Broker[] = [];
    for (const instance of instances) {
      if (!isMeant(instance.mode) || instance.settings === null) continue;
      created.push(await make(instance, instance.settings));
    }
    return created;
  }

  return {
    get all() {
      return [...made.values()];
    },
    createLive: () => createWhere((mode) => mode === 'live'),
    createRest: () => createWhere((mode) => mode !== 'live'),
    session: (broker) => sessions.get(broker) ?? null,
    view: (name) => viewOf(name, instances, made.get(name)),
  };
}

/** How the router sees an instance; `broker` is undefined where it has no settings. Throws where none has the name. */
function viewOf(
  name: BrokerId,
  instances: readonly BrokerInstance[],
  broker: Broker | undefined,
): BrokerView {
  const instance = instances.find((each) => each.name === name);
  if (!instance) throw unknownBroker(name, instances);
  const { mode, title } = instance;
  if (!broker) {
    // No login helps, so that this is no missing token.
    const blocked = notSent('not_open', `the ${title} is not set up`);
    return { broker: name, mode, blocked, notSetUp: adviceOf(instance) };
  }
  const blocked = broker.trading?.blocked() ?? null;
  return { broker: name, mode, blocked: lacksSession(blocked) ? blocked : null };
}

/** What to set for an instance that has no settings. */
const adviceOf = ({ title, setUpAdvice }: BrokerInstance): string =>
  setUpAdvice ?? `The ${title} is not set up.`;

function unknownBroker(name: BrokerId, instances: readonly BrokerInstance[]): GatewayProblem {
  const names = instances.map((each) => each.name).join(', ');
  const detail = `no broker is called ${name}; the configured ones are ${names}`;
  return new GatewayProblem({ code: 'invalid_request', detail, mayHaveExecuted: false });
}

/**
 * The login that the fixed paths under /api/altbroker, the reminder and the chat serve: that of the
 * first configured instance whose broker has one.
 */
export interface ServedLogin {
  /** Null where no broker with a login is set up. */
  readonly session: SessionControl | null;
  /** The broker's name in messages, after "the"; also that of one that is not set up. */
  readonly title: string;
  /** The answer where a login is needed and there is none. */
  readonly absent: ProblemFields;
}

export function composeLogin(
  instances: readonly BrokerInstance[],
  brokers: Pick<ConfiguredBrokers, 'session'>,
): ServedLogin {
  const session = instances.flatMap(({ name }) => brokers.session(name) ?? [])[0] ?? null;
  const notSetUp = instances.find((each) => each.settings === null && each.login !== undefined);
  return {
    session,
    title: session?.title ?? notSetUp?.title ?? 'broker login',
    absent: notSetUp
      ? {
          code: 'no_broker',
          detail: adviceOf(notSetUp),
          broker: notSetUp.name,
        }
      : { code: 'not_supported', detail: 'No configured broker has a login.' },
  };
}

/** The kinds of broker that come with the gateway (docs/adding-a-broker.md). */
export const BROKER_MODULES: readonly BrokerModule[] = [altModule, primaryModule, paperModule];
