import type { BrokerId } from '../../domain/broker.ts';
import { exchangeOf } from '../../domain/instrument.ts';
import { readableTime } from '../../domain/ist.ts';
import { isMarketOpen } from '../../domain/market-hours.ts';
import type { Clock } from '../../platform/clock.ts';
import type { SingleWriter } from '../../platform/single-writer.ts';
import { type ElapsedMs, type EpochMs, plus } from '../../units/branded.ts';
import { decideAlert } from '../journal/decide-notes.ts';
import type { Change } from '../journal/records.ts';
import type { ExecutionState } from '../journal/state.ts';
import { isOver, type OrderRecord } from '../order/order.ts';

/** A book with open orders that cannot be read for longer than this is told of. */
const UNREAD_MS = 60_000;

/** What the last attempts to read a broker's book came to. */
export interface ReadAttempts {
  readonly hasSession: boolean;
  /** Reads that have failed since one that did not. */
  readonly failures: number;
  /** The broker's orders that may still change. */
  readonly watched: readonly OrderRecord[];
}

/** A book that has not been read for a while although orders in it are open. */
export interface UnreadBook {
  readonly broker: BrokerId;
  /** Since when it cannot be read (epoch ms). */
  readonly since: EpochMs;
  readonly openOrders: number;
}

/**
 * Tells a person, once, that a book with open orders cannot be read, and once that it can be read again:
 * what the gateway says of these orders is as old as the last read (docs/orders.md, "Watching").
 */
export interface UnreadBookReport {
  /** To be called after each attempt, and each look that made none. */
  note(attempts: ReadAttempts): Promise<void>;
  /** Null while the book can be read, or has no open orders. */
  now(watched: readonly OrderRecord[]): UnreadBook | null;
}

export function createUnreadBookReport(parts: {
  readonly broker: BrokerId;
  readonly writer: SingleWriter<ExecutionState, Change>;
  readonly clock: Clock;
}): UnreadBookReport {
  const { broker, writer, clock } = parts;
  let since: ElapsedMs | null = null;
  let isTold = false;

  async function tell(level: 'critical' | 'warning', message: string): Promise<void> {
    const at = clock.now();
    await writer.submit((current) => decideAlert(current, { level, message, at }));
  }

  function now(watched: readonly OrderRecord[]): UnreadBook | null {
    const openOrders = openOf(watched).length;
    const unreadMs = since === null ? 0 : clock.elapsed() - since;
    if (openOrders === 0 || unreadMs <= UNREAD_MS) return null;
    return { broker, since: plus(clock.now(), -unreadMs), openOrders };
  }

  return {
    now,
    async note({ hasSession, failures, watched }) {
      if (hasSession && failures === 0) {
        since = null;
        if (!isTold) return;
        isTold = false;
        await tell('warning', `the order book of ${broker} can be read again`);
        return;
      }
      // Without a session the book is missed only while something can happen in it.
      const at = clock.now();
      const canFill = openOf(watched).some(({ terms }) =>
        isMarketOpen(at, exchangeOf(terms.instrument)),
      );
      if (!hasSession && !canFill) since = null;
      else since ??= clock.elapsed();
      const unread = now(watched);
      if (unread === null || isTold) return;
      isTold = true;
      const why = hasSession ? '' : ': there is no session';
      await tell(
        'critical',
        `${unreadBookNotice(unread)}${why}. Their fills are not known; look at them in the broker's ` +
          'app. Cancels go out',
      );
    },
  };
}

/** For people; it quotes nothing of the broker. */
export function unreadBookNotice({ broker, since, openOrders }: UnreadBook): string {
  const orders = openOrders === 1 ? 'its open order' : `its ${openOrders} open orders`;
  return (
    `the order book of ${broker} cannot be read since ${readableTime(since)}: what is said of ` +
    `${orders} is as old as that`
  );
}

const openOf = (watched: readonly OrderRecord[]): OrderRecord[] =>
  watched.filter((order) => !isOver(order) && order.state.kind !== 'sending');
