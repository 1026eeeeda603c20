import type { BrokerId } from '../../domain/broker.ts';
import type { InstrumentLookup } from '../../domain/instrument.ts';
import type { Account, Trading, Triggers } from '../../domain/ports.ts';
import { GatewayProblem } from '../../domain/problem.ts';
import type { Clock, Scheduler } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { SingleWriter } from '../../platform/single-writer.ts';
import type { Change } from '../journal/records.ts';
import { type ExecutionState, required } from '../journal/state.ts';
import type { Changed } from '../submit/prepare.ts';
import { type Accounts, createAccounts } from './accounts.ts';
import { type BookPoller, createBookPoller, type PollerSettings } from './book-poller.ts';
import { createPortfolioWatch, type PortfolioWatch } from './portfolio-watch.ts';
import type { UnreadBook } from './unread-book.ts';
import { type OrderId, plus } from '../../units/branded.ts';

/** A broker, as execution needs it. */
export interface ExecutionBroker {
  readonly trading: Trading;
  /** Read when a session begins and after fills, for the exit guard and the kill switch. */
  readonly account: Account;
  readonly triggers?: Triggers;
}

export interface BrokerWatchesParts {
  readonly brokers: readonly ExecutionBroker[];
  readonly instruments: Pick<InstrumentLookup, 'byName'>;
  readonly writer: SingleWriter<ExecutionState, Change>;
  readonly changed: Changed;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: Log;
  readonly settings: PollerSettings;
  /** Loads the instrument lists, if they are not there; resolves also when they cannot be had. */
  readonly loadInstruments: () => Promise<void>;
  /** Sends a cancel that was kept until the order was bound. */
  readonly sendKeptCancel: (orderId: OrderId) => void;
}

/** Watches each broker: reads its order book when due, and its account after fills. */
export interface BrokerWatches {
  /** Null for a broker that is not configured. */
  poller(broker: BrokerId): BookPoller | null;
  /**
   * Throws `no_broker` for one that is not configured: an order in the journal can be older than
   * that.
   */
  pollerOf(broker: BrokerId): BookPoller;
  start(): void;
  /** The broker has something new to tell, or can be asked again. */
  wake(broker: BrokerId): void;
  wakeAll(): void;
  /** Brokers with open orders whose book has not been read whole since the start. */
  recovering(): readonly BrokerId[];
  /** Books that have not been read for a while although orders in them are open. */
  unread(): readonly UnreadBook[];
  readonly accounts: Accounts;
  stop(): void;
}

/** An account is waited for so long before an order of unrecognised status is cancelled. */
const ACCOUNT_MS = 5_000;

export function createBrokerWatches(parts: BrokerWatchesParts): BrokerWatches {
  const { writer, changed } = parts;
  const { state } = writer;
  const pollers = new Map<BrokerId, BookPoller>();
  const portfolios = new Map<BrokerId, PortfolioWatch>();
  for (const broker of parts.brokers) {
    const portfolio = createPortfolioWatch({ ...parts, ...broker });
    portfolios.set(broker.trading.broker, portfolio);
    let fillsSeen = -1;
    const poller = createBookPoller({
      ...parts,
      trading: broker.trading,
      beforeRead: parts.loadInstruments,
      onRead() {
        changed.notify();
        if (state.fills.size !== fillsSeen) portfolio.changed();
        fillsSeen = state.fills.size;
      },
      readAccount: (terms) => {
        const now = parts.clock.elapsed();
        const need = {
          broker: broker.trading.broker,
          terms,
          since: now,
          until: plus(now, ACCOUNT_MS),
        };
        return accounts.refreshForExit({ ...need, passes: () => true });
      },
    });
    pollers.set(broker.trading.broker, poller);
  }
  const poller = (broker: BrokerId): BookPoller | null => pollers.get(broker) ?? null;
  const accounts = createAccounts({
    ...parts,
    tagMark: parts.settings.tagMark,
    watches: portfolios,
    pollerOf: poller,
  });

  return {
    poller,
    accounts,
    pollerOf(broker) {
      const found = poller(broker);
      if (found) return found;
      throw new GatewayProblem({
        code: 'no_broker',
        detail: `${broker} is not configured: nothing can be sent to it or read from it`,
        mayHaveExecuted: false,
      });
    },
    start() {
      for (const each of pollers.values()) each.schedule();
    },
    wake(broker) {
      pollers.get(broker)?.told();
      portfolios.get(broker)?.changed();
    },
    wakeAll() {
      for (const each of pollers.values()) each.wake();
    },
    recovering() {
      const open = [...state.watched].map((id) => required(state.orders, id, 'order').broker);
      return [...new Set(open)].filter((broker) => poller(broker)?.recovering() === true);
    },
    unread: () => [...pollers.values()].flatMap((each) => each.unread() ?? []),
    stop() {
      for (const each of pollers.values()) each.stop();
      for (const each of portfolios.values()) each.stop();
    },
  };
}
