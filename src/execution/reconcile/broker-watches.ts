import type { BrokerId } from '../../domain/broker.ts';
import type { Account, Trading } from '../../domain/ports.ts';
import { GatewayProblem } from '../../domain/problem.ts';
import type { Cancel, Clock, Scheduler } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { SingleWriter } from '../../platform/single-writer.ts';
import { messageOf } from '../../platform/values.ts';
import { decidePortfolio } from '../journal/decide-notes.ts';
import type { Change } from '../journal/records.ts';
import { type ExecutionState, required } from '../journal/state.ts';
import type { Changed } from '../submit/prepare.ts';
import { type BookPoller, createBookPoller, type PollerSettings } from './book-poller.ts';

/** A broker, as execution needs it. */
export interface ExecutionBroker {
  readonly trading: Trading;
  /** Read after fills, for the exit guard and the kill switch. */
  readonly account: Account;
}

export interface BrokerWatchesParts {
  readonly brokers: readonly ExecutionBroker[];
  readonly writer: SingleWriter<ExecutionState, Change>;
  readonly changed: Changed;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: Log;
  readonly settings: PollerSettings;
  /** Loads the instrument lists, if they are not there; resolves also when they cannot be had. */
  readonly loadInstruments: () => Promise<void>;
  /** Sends a cancel that was kept until the order was bound. */
  readonly sendKeptCancel: (orderId: string) => void;
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
  stop(): void;
}

export function createBrokerWatches(parts: BrokerWatchesParts): BrokerWatches {
  const { writer, changed } = parts;
  const { state } = writer;
  const pollers = new Map<BrokerId, BookPoller>();
  const portfolios = new Map<BrokerId, PortfolioWatch>();
  for (const broker of parts.brokers) {
    const portfolio = watchPortfolio(parts, broker);
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
    });
    pollers.set(broker.trading.broker, poller);
  }
  const poller = (broker: BrokerId): BookPoller | null => pollers.get(broker) ?? null;

  return {
    poller,
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
      pollers.get(broker)?.wake();
      portfolios.get(broker)?.changed();
    },
    wakeAll() {
      for (const each of pollers.values()) each.wake();
    },
    recovering() {
      const open = [...state.watched].map((id) => required(state.orders, id, 'order').broker);
      return [...new Set(open)].filter((broker) => poller(broker)?.recovering() === true);
    },
    stop() {
      for (const each of pollers.values()) each.stop();
      for (const each of portfolios.values()) each.stop();
    },
  };
}

function watchPortfolio(
  parts: BrokerWatchesParts,
  { trading, account }: ExecutionBroker,
): PortfolioWatch {
  const { broker, mode } = trading;
  return createPortfolioWatch({
    ...parts,
    account,
    async observe({ positions, holdings, readAt }) {
      const command = { broker, mode, positions, holdings, at: readAt };
      await parts.writer.submit((current) => decidePortfolio(current, command));
    },
  });
}

const SPACING_MS = 5_000;

/**
 * Reads an account's positions and holdings some time after a fill has changed them, so that the exit
 * guard knows them also when the account can no longer be read.
 */
export interface PortfolioWatch {
  /** Fills have come in, or the account can be read for the first time. */
  changed(): void;
  stop(): void;
}

export function createPortfolioWatch(parts: {
  readonly account: Account;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: Log;
  readonly observe: (portfolio: {
    positions: Awaited<ReturnType<Account['positions']>>;
    holdings: Awaited<ReturnType<Account['holdings']>>;
    /** Wall time before the first of the two reads began. */
    readAt: number;
  }) => Promise<void>;
}): PortfolioWatch {
  const { account, clock, scheduler, log } = parts;
  let timer: Cancel | null = null;
  let lastBegun = -Infinity;
  let failures = 0;
  let stopped = false;

  async function read(): Promise<void> {
    timer = null;
    lastBegun = clock.elapsed();
    try {
      const readAt = clock.now();
      const positions = await account.positions();
      const holdings = await account.holdings();
      await parts.observe({ positions, holdings, readAt });
      failures = 0;
    } catch (error) {
      failures += 1;
      log.warn('positions could not be read for the exit guard', {
        broker: account.broker,
        reason: messageOf(error),
      });
      // The last known portfolio is kept. A broker that cannot be reached is not asked for ever.
      if (failures < 5) changed();
    }
  }

  function changed(): void {
    if (stopped || timer) return;
    const due = Math.max(0, lastBegun + SPACING_MS - clock.elapsed());
    timer = scheduler.after(due, () => void read());
  }

  return {
    changed,
    stop() {
      stopped = true;
      timer?.();
    },
  };
}
