import type { Broker, InstrumentSource, LoginBroker, PostbackReader } from '../../domain/ports.ts';
import type { Clock } from '../../platform/clock.ts';
import type { HttpTransport } from '../../platform/http.ts';
import type { Log } from '../../platform/log.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { createAltAccount, type AltAccount } from './account.ts';
import { createGuardedCalls } from './guarded-calls.ts';
import { createKiteClient, type KiteSettings } from './client.ts';
import { createAltGtt, type AltGtt } from './gtt.ts';
import { createAltInstruments } from './instruments.ts';
import { createAltLogin } from './login.ts';
import { createAltMarketData, type AltMarketData } from './market-data.ts';
import { bucketsOf, createRateLimitQueues } from './rate-limits.ts';
import { createAltPostbacks } from './postback.ts';
import { createAltTrading, type AltTrading } from './trading.ts';

export interface AltParts {
  readonly transport: HttpTransport;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: Log;
  /** The token to use now; null when there is no valid one. */
  readonly accessToken: () => string | null;
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
  readonly gtt: AltGtt;
  readonly instruments: InstrumentSource;
  readonly login: LoginBroker;
  readonly postbacks: PostbackReader;
}

/** The alternative broker with all its parts (docs/spec/alt-operations.md). */
export function createAltBroker(parts: AltParts): AltBroker {
  const { transport, clock, scheduler, log, accessToken, onDeadToken, settings } = parts;
  const queues = createRateLimitQueues(clock, scheduler);
  const client = createKiteClient({ transport, clock, log, queues, onDeadToken, settings });
  const common = { client, queues };
  const guardedCalls = () => createGuardedCalls({ clock, accessToken });
  return {
    id: 'alt',
    mode: 'live',
    marketData: createAltMarketData({ ...common, guardedCalls: guardedCalls() }),
    account: createAltAccount({ ...common, guardedCalls: guardedCalls() }),
    trading: createAltTrading({
      ...common,
      changes: guardedCalls(),
      reads: guardedCalls(),
      connectAhead: () =>
        transport.connectAhead({ url: settings.apiRoot, ipv4: settings.ordersOverIpv4 }),
    }),
    gtt: createAltGtt({ ...common, changes: guardedCalls(), reads: guardedCalls() }),
    instruments: {
      ...createAltInstruments({ ...common, guardedCalls: guardedCalls(), scheduler, log }),
      address: settings.apiRoot,
    },
    login: createAltLogin({ ...common, clock, settings }),
    postbacks: createAltPostbacks(settings),
    limits: () => bucketsOf(queues, clock),
  };
}
