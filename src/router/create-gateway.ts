import type { BrokerId, BrokerInstance } from '../domain/broker.ts';
import type { Broker } from '../domain/ports.ts';
import type { Triggers } from '../domain/ports.ts';
import type { Execution } from '../execution/execution.ts';
import type { InstrumentDirectory } from '../instruments/directory.ts';
import type { MarketDataRoute } from '../market-data/market-data-route.ts';
import type { QuoteCache } from '../market-data/quote-cache.ts';
import type { Clock, Scheduler } from '../platform/clock.ts';
import type { Portfolio } from '../portfolio/portfolio.ts';
import { createAccountReads } from './account-reads.ts';
import { createBasketCall } from './basket-calls.ts';
import { createBrokerCalls } from './broker-calls.ts';
import { createCloseCalls } from './close-calls.ts';
import { createCancelAllCall } from './cancel-all.ts';
import { createContractNoteReads } from './contract-note.ts';
import { createDayReportRead } from './day-report.ts';
import { createExitCalls } from './exit-calls.ts';
import type { Gateway, KillSwitchState } from './gateway.ts';
import { createKeyPositions } from './key-positions.ts';
import { createMarginRead } from './margins.ts';
import { createMarketReads } from './market-reads.ts';
import { createNamedInstruments } from './named-instruments.ts';
import { createOrderCalls } from './order-calls.ts';
import { createOrderReads } from './order-reads.ts';
import { createOrderTimesRead } from './order-times.ts';
import { createOverviewRead } from './overview.ts';
import { accountBroker, type BrokerView } from './policy.ts';
import type { PlacingParts } from './placing.ts';
import { asProblems } from './problems.ts';
import { createTradeReads } from './trade-reads.ts';
import { createQuoteReads } from './quote-reads.ts';
import { createTriggerCalls } from './trigger-calls.ts';
import { createTriggerReads } from './trigger-reads.ts';
import { createBasketKeys } from './used-keys.ts';

export interface GatewayParts {
  /** The brokers that are set up. */
  readonly brokers: readonly Broker[];
  readonly notSetUp: readonly BrokerInstance[];
  readonly execution: Execution;
  readonly directory: InstrumentDirectory;
  readonly marketData: MarketDataRoute;
  readonly caches: ReadonlyMap<BrokerId, QuoteCache>;
  readonly portfolios: ReadonlyMap<BrokerId, Portfolio>;
  readonly triggers: ReadonlyMap<BrokerId, Triggers>;
  /**
   * A configured instance as the routing policy sees it. Throws `invalid_request` for any other
   * name.
   */
  readonly view: (broker: BrokerId) => BrokerView;
  readonly routes: {
    readonly marketData: readonly BrokerId[];
    readonly trading: readonly BrokerId[];
    readonly paperOnOutage: boolean;
  };
  /** `always`: orders are refused at no hour. */
  readonly marketHours: 'exchange' | 'always';
  readonly clock: Clock;
  readonly scheduler: Scheduler;
}

const KILL_SWITCH_UNTOUCHED = {
  ...{ engaged: false, reason: null, changedAt: null, changedBy: null },
  onDisk: true,
};

/**
 * The shared interface over all brokers: chooses the broker that serves each call, and exposes
 * nothing else.
 */
export function createGatewayInterface(parts: GatewayParts): Gateway {
  const { execution, view, routes } = parts;
  const { instrument, ofHeld, spelled } = createNamedInstruments(parts.directory);
  const reading = { ...parts, instrument };
  const market = createMarketReads({ ...reading, route: routes.marketData });
  const margins = createMarginRead({ ...reading, route: routes.trading });
  const placing: PlacingParts = {
    ...{ execution, view, instrument, clock: parts.clock },
    resolveSpelling: spelled,
    refusal: (broker, of) => parts.directory.refusal(broker, of),
    ...{ route: routes.trading, paperOnOutage: routes.paperOnOutage },
  };
  const accountOf = (named: BrokerId | undefined) =>
    named ?? accountBroker(routes.trading.map(view));
  const reads = createOrderReads({ ...parts, accountOf });
  const { getTrades, tradesOf } = createTradeReads({ ...reading, accountOf });
  const basketKeys = createBasketKeys();
  const orders = createOrderCalls({ ...placing, reads, tradesOf, basketKeys });
  const quotes = createQuoteReads({ ...reading, route: routes.marketData });
  const { getContractNote, noteOf } = createContractNoteReads({ ...parts, accountOf });
  const brokerCalls = createBrokerCalls(parts);
  const isinOf = (name: string): string | null => parts.directory.byName(name)?.isin ?? null;
  const killSwitch = (): KillSwitchState => execution.killSwitch() ?? KILL_SWITCH_UNTOUCHED;
  return {
    ...quotes,
    ...createKeyPositions({ ...parts, accountOf, getLastPrices: quotes.getLastPrices }),
    getCandles: (query, options) => asProblems(() => market.getCandles(query, options)),
    getOptionChain: (query, options) => asProblems(() => market.getOptionChain(query, options)),
    getExpiries: (underlying, options) => asProblems(() => market.getExpiries(underlying, options)),
    ...createAccountReads({ ...parts, route: routes.trading }),
    ...createTriggerReads({ ...parts, route: routes.trading }),
    getContractNote,
    ...createDayReportRead({ ...parts, noteOf, getQuotes: quotes.getQuotes }),
    getMargins: (orders, options) => asProblems(() => margins(orders, options)),
    ...orders,
    ...createTriggerCalls({ ...placing, orders, triggers: parts.triggers }),
    ...createOrderTimesRead({ execution, reads }),
    placeBasket: createBasketCall({ ...placing, margins, basketKeys }),
    getTrades,
    cancelAll: createCancelAllCall({ ...parts, instrument, reads }),
    ...createExitCalls({
      ...{ execution, reads, view, ofHeld, clock: parts.clock, route: routes.trading },
      isinOf,
    }),
    ...createCloseCalls({
      ...{ execution, view, instrument, ofHeld, route: routes.trading },
    }),
    getKillSwitch: killSwitch,
    setKillSwitch: (engaged, reason, { caller }) =>
      asProblems(() =>
        execution.setKillSwitch({
          engaged,
          reason: reason === '' ? null : reason,
          changedBy: caller,
        }),
      ),
    ...brokerCalls,
    ...createOverviewRead({
      ...{ execution, route: routes.trading, killSwitch, brokers: brokerCalls.getBrokers },
      ...{ marketHours: parts.marketHours, clock: parts.clock, isinOf },
      paperOnOutage: routes.paperOnOutage,
    }),
  };
}
