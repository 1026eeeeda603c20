import type { BrokerId, Mode } from '../domain/broker.ts';
import type { Broker } from '../domain/ports.ts';
import type { AddressRefusal } from '../execution/submit/refusals.ts';
import type { SourceState } from '../instruments/directory.ts';
import type { EpochMs } from '../units/branded.ts';
import { type BrokerView, marketDataBrokers } from './policy.ts';

export const BROKER_PARTS = ['market_data', 'account', 'trading'] as const;
export type BrokerPart = (typeof BROKER_PARTS)[number];

/** What a broker can do now (docs/spec/routing.md, "What each broker can do now"). */
export interface BrokerStatus {
  readonly broker: BrokerId;
  readonly mode: Mode;
  /** What it serves now by the routes. */
  readonly serves: readonly BrokerPart[];
  /** False where it has no session; an outage of the broker ends none. */
  readonly hasSession: boolean;
  /** False where it has no session, or lacks the prices that its orders fill at. */
  readonly available: boolean;
  /** Why it is not available; null when it is. */
  readonly reason: string | null;
  /** The parts that it offers, also those for which no route has it. */
  readonly parts: readonly PartStatus[];
  /** Its instrument lists in use; null where the broker has none. */
  readonly instruments: SourceState | null;
  /**
   * That it refuses orders from the address of this computer, and what to do; null where it has not,
   * or has accepted one since.
   */
  readonly addressRefusal: AddressRefusal | null;
  /** See Broker. */
  readonly deadToken: string | null;
  /** Whether its stream of ticks and changes of orders is open; null where it has none. */
  readonly isStreaming: boolean | null;
  /** Null where it sends none. */
  readonly postbacks: PostbacksHeard | null;
  /** Null where it is part of this process, and before an answer of it has told its time. */
  readonly clock: ClockCompared | null;
}

/** The clock of this computer beside that of a broker, when an answer of the broker last told its time. */
export interface ClockCompared {
  /** How far this computer's clock is ahead, ms: brokers tell whole seconds, so to half a second. */
  readonly aheadMs: number;
  /** By this computer's clock. */
  readonly toldAt: EpochMs;
}

/** Postbacks that this process has had, by the clock of this computer. */
export interface PostbacksHeard {
  /** When this process began to listen: of what came before, nothing is remembered. */
  readonly since: EpochMs;
  /** When the last one with a right checksum came; null where none has. */
  readonly lastAt: EpochMs | null;
}

/** A broker of the settings without what it needs. */
export interface BrokerNotSetUp {
  readonly broker: BrokerId;
  readonly mode: Mode;
  /** What to set. */
  readonly reason: string;
}

export interface PartStatus {
  readonly part: BrokerPart;
  /** `route`: it is on the part's route. `name`: only requests that name it get it. */
  readonly chosenBy: 'route' | 'name';
  /** Whether a request that leaves now would go to it. */
  readonly available: boolean;
  /** Why not; null when it would. */
  readonly reason: string | null;
}

export interface BrokerStatusParts {
  readonly routes: {
    readonly marketData: readonly BrokerId[];
    readonly trading: readonly BrokerId[];
  };
  /** The brokers that are set up. */
  readonly brokers: readonly Broker[];
  readonly view: (broker: BrokerId) => BrokerView;
}

const NO_PRICES =
  'its orders fill at prices of the market-data route, and no broker of that route has a session ' +
  'now: log in to one of them';

/** What a broker offers, and whether it can be used now. */
export function partsOf(
  { id, marketData, account, trading }: Broker,
  { routes, view, brokers }: BrokerStatusParts,
): readonly PartStatus[] {
  const session = view(id).blocked?.reason ?? null;
  const hasPrices = marketDataBrokers(routes.marketData.map(view)).some(
    (each) => brokers.find((broker) => broker.id === each)?.marketData !== undefined,
  );
  const orders =
    trading?.needsPrices === true && !hasPrices
      ? NO_PRICES
      : (session ?? trading?.blocked()?.reason ?? null);
  const offered = [
    ['market_data', marketData, routes.marketData, session],
    ['account', account, routes.trading, session],
    ['trading', trading, routes.trading, orders],
  ] as const;
  return offered.flatMap(([part, port, route, reason]) =>
    port === undefined
      ? []
      : {
          part,
          chosenBy: route.includes(id) ? ('route' as const) : ('name' as const),
          available: reason === null,
          reason,
        },
  );
}

/** The status of a broker: without a session, or without prices for its orders, it is not available. */
export function statusOf(
  broker: Broker,
  instruments: SourceState | null,
  addressRefusal: AddressRefusal | null,
  postbacks: PostbacksHeard | null,
  known: BrokerStatusParts,
): BrokerStatus {
  const parts = partsOf(broker, known);
  const lacksPrices = parts.some(({ reason }) => reason === NO_PRICES);
  const session = known.view(broker.id).blocked?.reason ?? null;
  const reason = session ?? (lacksPrices ? NO_PRICES : null);
  return {
    ...{ broker: broker.id, mode: broker.mode, hasSession: session === null },
    serves: parts.flatMap(({ part, chosenBy }) => (chosenBy === 'route' ? part : [])),
    ...{ available: reason === null, reason, parts, instruments, addressRefusal },
    deadToken: broker.deadToken?.() ?? null,
    ...{ isStreaming: broker.stream?.isOpen() ?? null, postbacks, clock: clockOf(broker) },
  };
}

/** A broker cuts its time to whole seconds: on average it is half a second later. */
const CUT_OFF_MS = 500;

function clockOf({ trading }: Broker): ClockCompared | null {
  const told = trading?.isLocal === true ? null : (trading?.brokerTime?.() ?? null);
  return told && { aheadMs: told.localAt - told.at - CUT_OFF_MS, toldAt: told.localAt };
}
