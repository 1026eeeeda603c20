import { join } from 'node:path';
import { createAltBroker, type AltBroker } from '../adapters/alt/index.ts';
import { createAltTicker, type Ticker } from '../adapters/alt/ticker/ticker.ts';
import { createPrimaryBroker, type PrimaryBroker } from '../adapters/primary/index.ts';
import type { Configuration } from '../config/settings.ts';
import type { BrokerId } from '../domain/broker.ts';
import type { InstrumentLookup } from '../domain/instrument.ts';
import { lacksSession, notSent, type NotSent } from '../domain/outcome.ts';
import type { Broker } from '../domain/ports.ts';
import type { Log } from '../platform/log.ts';
import { createSession } from '../session/create-session.ts';
import type { SessionControl } from '../session/session.ts';
import { createTokenStore } from '../token-store/token-store.ts';
import type { Ports } from './ports.ts';

export interface LiveBrokersParts {
  readonly configuration: Configuration;
  readonly ports: Ports;
  readonly dataDirectory: string;
  readonly log: Log;
  readonly instruments: InstrumentLookup;
  /** The broker has something new to tell of orders, or can be asked again. */
  readonly wake: (broker: BrokerId) => void;
}

/** The two brokers with real accounts, and the session with the one that has a login. */
export interface LiveBrokers {
  readonly primary: PrimaryBroker;
  /** Null where its key and secret are not set. */
  readonly alt: AltBroker | null;
  readonly session: SessionControl | null;
  readonly ticker: Ticker | null;
  readonly all: readonly Broker[];
  /** Why there is no session with a broker. An outage is none: it must not look like one. */
  sessionBlocked(broker: BrokerId): NotSent | null;
}

export function composeLiveBrokers(parts: LiveBrokersParts): LiveBrokers {
  const { configuration, ports, dataDirectory, log, instruments, wake } = parts;
  const { settings, secrets } = configuration;
  const primary = createPrimaryBroker({
    ...ports,
    log,
    instruments,
    accessToken: () => secrets.primaryAccessToken?.reveal() ?? null,
    login: secrets.primaryLogin,
    onToken: () => wake('primary'),
    settings: {
      baseUrl: settings.primary.baseUrl,
      remarks: settings.primary.orderRemarksEnabled,
      stopOrders: settings.primary.stopOrders,
      extraTerminalStatuses: settings.primary.extraTerminalStatuses,
    },
  });
  let session: SessionControl | null = null;
  const accessToken = (): string | null => session?.accessToken() ?? null;
  const alt = createAlt();
  if (alt) session = createAltSession(alt);
  return {
    primary,
    alt,
    session,
    ticker: createTicker(),
    all: alt ? [alt, primary] : [primary],
    sessionBlocked(broker) {
      if (broker === 'paper') return null;
      if (broker === 'alt' && !alt) return notSent('token', 'the alternative broker is not set up');
      const blocked = (broker === 'alt' ? alt! : primary).trading!.blocked();
      return lacksSession(blocked) ? blocked : null;
    },
  };

  function createAlt(): AltBroker | null {
    if (!settings.alt || !secrets.altApiSecret) return null;
    return createAltBroker({
      ...ports,
      log,
      accessToken,
      onDeadToken: (dead) => session?.tokenDied(dead),
      settings: { ...settings.alt, apiSecret: secrets.altApiSecret.reveal() },
    });
  }

  function createAltSession(broker: AltBroker): SessionControl {
    const tokens = createTokenStore({
      ...ports,
      log,
      path: join(dataDirectory, 'token.json'),
      environmentName: 'APP_ALT_BROKER_ACCESS_TOKEN',
      configurationToken: secrets.altAccessToken.configuration?.reveal() ?? null,
    });
    return createSession({
      ...ports,
      log,
      tokens,
      login: broker.login,
      userId: settings.alt?.userId ?? null,
    });
  }

  function createTicker(): Ticker | null {
    const { sockets } = ports;
    if (!settings.alt?.tickerUrl || !sockets) return null;
    const { apiKey, tickerUrl } = settings.alt;
    return createAltTicker({
      ...ports,
      sockets,
      log,
      accessToken,
      onOrders: () => wake('alt'),
      // Not the end of the token: an app without market data is refused as well.
      onRefused: () => void session?.check(),
      settings: { apiKey, tickerUrl },
    });
  }
}
