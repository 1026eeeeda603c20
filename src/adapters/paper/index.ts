import type { Broker, MarketData } from '../../domain/ports.ts';
import type { InstrumentLookup } from '../../domain/instrument.ts';
import type { Clock, Scheduler } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import { createPaperAccount } from './account.ts';
import { decimal } from '../../domain/money.ts';
import type { FillRule } from './engine.ts';
import { createMarketWatch } from './market-watch.ts';
import { openLedger } from './open-ledger.ts';
import { createPrices } from './prices.ts';
import type { MarketHours } from './sessions.ts';
import type { LedgerRules } from './match-order.ts';
import { createPaperTrading } from './trading.ts';

export interface PaperSettings {
  /** Rupees as decimal text: the opening cash of a new account. */
  readonly cash: string;
  /** Rupees as decimal text, for each order that fills. */
  readonly brokerage: string;
  readonly marketHours: MarketHours;
  readonly fills: FillRule;
}

export interface PaperParts {
  /** Not closed here: the caller that opened it closes it. */
  readonly database: Database;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly ids: Ids;
  readonly log: Log;
  /** Routed already: orders fill against its quotes. */
  readonly marketData: MarketData;
  readonly instruments: InstrumentLookup;
  readonly settings: PaperSettings;
}

/**
 * The paper account: a broker like the others, with a ledger on disk and fills against real quotes
 * (docs/spec/paper.md). Rejects with the errors of the database, and when an amount in the settings
 * is not a number.
 */
export async function createPaperBroker(parts: PaperParts): Promise<Broker & AsyncDisposable> {
  const { clock, scheduler, ids, log, instruments, settings } = parts;
  const rules: LedgerRules = {
    brokerage: decimal(settings.brokerage),
    fills: settings.fills,
    marketHours: settings.marketHours,
  };
  const { database } = parts;
  const ledger = openLedger({ database, clock, scheduler, ids, cash: settings.cash });
  const prices = createPrices(parts.marketData, scheduler, log);
  const watch = createMarketWatch({ ledger, prices, scheduler, log, instruments, rules });
  watch.wake();
  return {
    id: 'paper',
    mode: 'paper',
    account: createPaperAccount({ ledger, prices, instruments, brokerage: rules.brokerage }),
    trading: createPaperTrading({ ledger, prices, watch, rules }),
    async [Symbol.asyncDispose]() {
      watch.stop();
      const written = ledger.close();
      prices.stop();
      await written;
    },
  };
}
