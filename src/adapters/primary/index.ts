import { z } from 'zod';
import type { KnownDerivative } from '../../domain/derivatives.ts';
import type { BrokerInstruments } from '../../domain/instrument.ts';
import type { LimitBucket } from '../../domain/limits.ts';
import type { Broker } from '../../domain/ports.ts';
import type { Clock, Scheduler } from '../../platform/clock.ts';
import type { HttpTransport } from '../../platform/http.ts';
import type { Log } from '../../platform/log.ts';
import type { Redacted } from '../../platform/redaction.ts';
import { Secret } from '../../platform/secret.ts';
import { keepBrokerTime } from '../kit/replies.ts';
import { defineBrokerModule } from '../kit/broker-module.ts';
import { createAccount } from './account.ts';
import { createCandles } from './candles.ts';
import { createClient } from './client.ts';
import { createCodeBook } from './code-book.ts';
import { createConnection } from './connection.ts';
import { createDataClient } from './data-client.ts';
import { watchToken } from './dead-token.ts';
import { createIdentity } from './identity.ts';
import { createInstruments } from './instruments.ts';
import { createMargins } from './margin.ts';
import { createMarketData } from './market-data.ts';
import { createOptionChains } from './option-chain.ts';
import { createQuoteBatches } from './quote-batches.ts';
import { createRateLimitQueues } from './rate-limits.ts';
import { createRenewal, type PrimaryLogin } from './renewal.ts';
import type { StopOrders } from './request.ts';
import { createTrading } from './trading.ts';
import { createTriggers } from './triggers.ts';

export interface PrimaryParts {
  readonly transport: HttpTransport;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: Log;
  readonly instruments: BrokerInstruments;
  /** What the journal knows of the account. */
  readonly knownDerivative: KnownDerivative;
  /**
   * The token of the settings, sent unchanged; null while there is none. Read before every request.
   */
  readonly accessToken: () => string | null;
  /**
   * The credentials for generating tokens once that token is dead; null or absent where there are
   * none.
   */
  readonly login?: PrimaryLogin | null;
  /** Called when a token has been generated: the broker can be asked from now on. */
  readonly onToken?: () => void;
  /** See BrokerPorts; no reason when absent. */
  readonly sessionHeldBack?: () => string | null;
  readonly settings: {
    readonly baseUrl: string;
    /** Whether to send our tag as `remarks`. */
    readonly remarks: boolean;
    /** How stop orders are placed; `smart` when absent. */
    readonly stopOrders?: StopOrders;
    /** Statuses outside the table that count as final, from the settings. */
    readonly extraTerminalStatuses: readonly string[];
  };
}

export interface PrimaryBroker extends Broker {
  readonly id: 'primary';
  readonly mode: 'live';
  readonly limits: () => readonly LimitBucket[];
}

/** The primary brokerage over its REST interface (docs/spec/primary-brokerage.md). */
export function createPrimaryBroker(parts: PrimaryParts): PrimaryBroker {
  const { clock, scheduler, log, instruments, settings } = parts;
  const { transport, brokerTime } = keepBrokerTime(parts.transport, clock);
  const queues = createRateLimitQueues(clock, scheduler);
  const renewal = parts.login
    ? createRenewal({
        ...{ transport, clock, scheduler, log, login: parts.login },
        limiter: queues.token,
        baseUrl: settings.baseUrl,
        configured: parts.accessToken,
        onToken: () => parts.onToken?.(),
        heldBack: () => parts.sessionHeldBack?.() ?? null,
      })
    : null;
  const accessToken = renewal?.current ?? parts.accessToken;
  const hidden = (token: string | null): Redacted => ({
    secrets: [token, parts.login?.apiKey.reveal(), parts.login?.totpSecret.reveal()],
    codes: parts.login ? [parts.login.mpin.reveal()] : [],
  });
  const plain = createConnection({
    transport,
    clock,
    log,
    accessToken,
    hidden,
    ...(renewal ? { renewal } : {}),
    baseUrl: settings.baseUrl,
  });
  // The gateway replaces a token that it can generate itself.
  const watched = renewal ? null : watchToken(plain, log);
  const connection = watched?.connection ?? plain;
  const client = createClient(connection, queues);
  const data = createDataClient(connection, queues);
  const codeBook = () => createCodeBook({ clock, log, instruments });
  return {
    id: 'primary',
    mode: 'live',
    marketData: createMarketData({
      client,
      batches: createQuoteBatches(codeBook()),
      candles: createCandles({ client: data, codes: codeBook(), clock }),
      chains: createOptionChains({ client: data, instruments, clock }),
    }),
    account: createAccount({
      client,
      asked: createClient(connection, { ...queues, account: queues.asked }),
      lookup: instruments,
      knownDerivative: parts.knownDerivative,
      margins: createMargins(connection, queues.asked, instruments),
      clock,
      log,
    }),
    trading: createTrading({
      client,
      queues,
      brokerTime,
      connectAhead: connection.connectAhead,
      account: createIdentity({ client, accessToken, clock, log }),
      clock,
      instruments,
      accessToken,
      hidden: () => hidden(accessToken()),
      remarks: settings.remarks,
      stopOrders: settings.stopOrders ?? 'smart',
      extraTerminalStatuses: settings.extraTerminalStatuses,
    }),
    triggers: createTriggers({
      client,
      asked: createClient(connection, { ...queues, books: queues.asked }),
      instruments,
      extraTerminalStatuses: settings.extraTerminalStatuses,
    }),
    instruments: { ...createInstruments({ client, log }), address: settings.baseUrl },
    limits: queues.buckets,
    ...(renewal ? { keepSession: () => renewal.keep() } : {}),
    ...(watched ? { deadToken: watched.advice } : {}),
  };
}

const secret = z.instanceof(Secret<string>);

const settingsSchema = z.object({
  baseUrl: z.string(),
  /** Sent unchanged; null while there is none. */
  accessToken: secret.nullable(),
  /** The credentials for generating tokens; null where the gateway generates none. */
  login: z.object({ apiKey: secret, mpin: secret, totpSecret: secret }).nullable(),
  remarks: z.boolean(),
  stopOrders: z.enum(['smart', 'plain']),
  extraTerminalStatuses: z.array(z.string()).readonly(),
});

/** INDstocks, with a token from the settings or with one that the gateway generates each day. */
export const primaryModule = defineBrokerModule({
  kind: 'primary',
  mode: 'live',
  settingsSchema,
  create({ settings: { accessToken, login, ...settings } }, ports) {
    return createPrimaryBroker({
      ...ports,
      accessToken: () => accessToken?.reveal() ?? null,
      login,
      onToken: ports.wake,
      settings,
    });
  },
});
