import type { InstrumentLookup } from '../../domain/instrument.ts';
import type { Broker } from '../../domain/ports.ts';
import type { Clock } from '../../platform/clock.ts';
import type { HttpTransport } from '../../platform/http.ts';
import type { Log } from '../../platform/log.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { createAccount } from './account.ts';
import { createClient } from './client.ts';
import { createConnection } from './connection.ts';
import { createInstruments } from './instruments.ts';
import { createLanes } from './lanes.ts';
import { createMarketData } from './market-data.ts';
import { createQuoteBatches } from './quote-batches.ts';
import { createTrading } from './trading.ts';

export interface PrimaryParts {
  readonly transport: HttpTransport;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: Log;
  readonly instruments: InstrumentLookup;
  /** The token in use, sent as it is; null while there is none. Asked before every request. */
  readonly accessToken: () => string | null;
  readonly settings: {
    readonly baseUrl: string;
    /** Send our tag as `remarks`. */
    readonly remarks: boolean;
    /** Statuses outside the table that count as final. */
    readonly extraTerminalStatuses: readonly string[];
  };
}

/** The primary brokerage over its REST interface (docs/spec/primary-brokerage.md). */
export function createPrimaryBroker(parts: PrimaryParts): Broker {
  const { transport, clock, scheduler, log, instruments, accessToken, settings } = parts;
  const lanes = createLanes(clock, scheduler);
  const connection = createConnection({
    transport,
    clock,
    log,
    accessToken,
    baseUrl: settings.baseUrl,
  });
  const client = createClient(connection, lanes);
  return {
    id: 'primary',
    mode: 'live',
    marketData: createMarketData(client, createQuoteBatches(clock, log)),
    account: createAccount(client, instruments),
    trading: createTrading({
      client,
      lane: lanes.orders,
      clock,
      instruments,
      accessToken,
      remarks: settings.remarks,
      extraTerminalStatuses: settings.extraTerminalStatuses,
    }),
    instruments: createInstruments(client, log),
  };
}
