import { z } from 'zod';
import type {
  Broker,
  InstrumentSource,
  LoginBroker,
  TriggerPort,
  Triggers,
} from '../../domain/ports.ts';
import type { PostbackReader } from '../../domain/postback.ts';
import type { Clock, Scheduler } from '../../platform/clock.ts';
import type { HttpTransport } from '../../platform/http.ts';
import type { Log } from '../../platform/log.ts';
import { Secret } from '../../platform/secret.ts';
import { keepBrokerTime } from '../kit/replies.ts';
import { type BrokerPorts, defineBrokerModule } from '../kit/broker-module.ts';
import { type AltAccount, createAltAccount } from './account.ts';
import { createKiteClient, type KiteSettings } from './client.ts';
import { createAltGtt } from './gtt.ts';
import { createGuardedCalls } from './calls.ts';
import { createAltInstruments } from './instruments.ts';
import { createAltLogin } from './login.ts';
import { type AltMarketData, createAltMarketData } from './market-data.ts';
import { createAltPostbacks } from './postback.ts';
import { bucketsOf, createRateLimitQueues } from './rate-limits.ts';
import { createAltTicker, type Ticker } from './ticker/ticker.ts';
import { type AltTrading, createAltTrading } from './trading.ts';
import { createAltTriggers } from './triggers.ts';

export interface AltParts {
  readonly transport: HttpTransport;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: Log;
  /** The token to use now; null when there is no valid one. */
  readonly accessToken: () => string | null;
  /** The user whose token that is; null while that is not known. */
  readonly userId?: () => string | null;
  /** Called when the broker says that the token of a call is dead. */
  readonly onDeadToken: (accessToken: string) => void;
  readonly settings: KiteSettings;
}

export interface AltBroker extends Broker {
  readonly id: 'alt';
  readonly mode: 'live';
  readonly marketData: AltMarketData;
  readonly account: AltAccount;
  readonly trading: AltTrading;
  readonly triggers: Triggers & { readonly calls: TriggerPort };
  readonly instruments: InstrumentSource;
  readonly login: LoginBroker;
  readonly postbacks: PostbackReader;
}

/** The alternative broker with all its parts (docs/spec/alt-operations.md). */
export function createAltBroker(parts: AltParts): AltBroker {
  const { clock, scheduler, log, accessToken, onDeadToken, settings } = parts;
  const { transport, brokerTime } = keepBrokerTime(parts.transport, clock);
  const queues = createRateLimitQueues(clock, scheduler);
  const client = createKiteClient({ transport, clock, log, queues, onDeadToken, settings });
  const common = { client, queues };
  const guardedCalls = () => createGuardedCalls({ clock, accessToken });
  const calls = createAltGtt({ ...common, changes: guardedCalls() });
  return {
    id: 'alt',
    mode: 'live',
    marketData: createAltMarketData({ ...common, guardedCalls: guardedCalls() }),
    account: createAltAccount({ ...common, guardedCalls: guardedCalls() }),
    trading: createAltTrading({
      ...common,
      placing: guardedCalls(),
      changes: guardedCalls(),
      reads: guardedCalls(),
      userId: parts.userId ?? (() => null),
      brokerTime,
      marks: {
        algoId: settings.algoId ?? null,
        marketProtection: settings.marketProtection ?? -1,
      },
      hidden: () => ({ secrets: [accessToken(), settings.apiSecret] }),
      connectAhead: () =>
        transport.connectAhead({ url: settings.apiRoot, ipv4: settings.ordersOverIpv4 }),
    }),
    triggers: { ...createAltTriggers({ ...common, reads: guardedCalls(), calls }), calls },
    instruments: {
      ...createAltInstruments({ ...common, guardedCalls: guardedCalls(), log }),
      address: settings.apiRoot,
    },
    login: createAltLogin({ ...common, clock, settings }),
    postbacks: createAltPostbacks(settings),
    limits: () => bucketsOf(queues, clock),
  };
}

const settingsSchema = z.object({
  apiKey: z.string(),
  apiSecret: z.instanceof(Secret<string>),
  apiRoot: z.string(),
  loginUrl: z.string(),
  ordersOverIpv4: z.boolean(),
  algoId: z.string().nullable(),
  marketProtection: z.number(),
  /** Null where there is no ticker. */
  tickerUrl: z.string().nullable(),
});
type AltModuleSettings = z.output<typeof settingsSchema>;

/** Kite Connect, with a daily login, postbacks, and ticks where a ticker is configured. */
export const altModule = defineBrokerModule({
  kind: 'alt',
  mode: 'live',
  settingsSchema,
  create({ settings }, ports): Broker {
    const { session } = ports;
    const ticker = createTicker(settings, ports);
    const broker = createAltBroker({
      ...ports,
      accessToken: session.accessToken,
      userId: session.userId,
      onDeadToken: session.tokenDied,
      settings: { ...settings, apiSecret: settings.apiSecret.reveal() },
    });
    return ticker === null ? broker : { ...broker, ticks: ticker, stream: ticker };
  },
});

function createTicker(settings: AltModuleSettings, ports: BrokerPorts): Ticker | null {
  const { sockets, session, wake } = ports;
  const { apiKey, tickerUrl } = settings;
  if (tickerUrl === null || sockets === null) return null;
  return createAltTicker({
    ...ports,
    sockets,
    accessToken: session.accessToken,
    onOrders: wake,
    // A refused handshake does not end the token: an app without market data is refused as well.
    onRefused: session.check,
    settings: { apiKey, tickerUrl },
  });
}
