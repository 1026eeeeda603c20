import { tradingDay } from '../../domain/ist.ts';
import type { EpochMs, TradingDay } from '../../units/branded.ts';
import type { BrokerId } from '../../domain/broker.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { OrderRequest } from '../../domain/order.ts';
import type { OrderTimes } from '../../domain/order-times.ts';
import type { OrderLimits } from '../../domain/order-limits.ts';
import type { NotSent } from '../../domain/outcome.ts';
import type { Trading } from '../../domain/ports.ts';
import { GatewayProblem } from '../../domain/problem.ts';
import type { Clock, Moment, Scheduler } from '../../platform/clock.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import type { SingleWriter } from '../../platform/single-writer.ts';
import type { Stalls } from '../journal/stalls.ts';
import type { CommitRetry } from '../journal/commit-retry.ts';
import type { Journal } from '../journal/journal.ts';
import type { Change } from '../journal/records.ts';
import type { ExecutionState } from '../journal/state.ts';
import type { MarketHours } from '../order/order-day.ts';
import type { OrderRecord } from '../order/order.ts';
import type { Accounts } from '../reconcile/accounts.ts';
import type { BookPoller } from '../reconcile/book-poller.ts';
import type { Changed } from './prepare.ts';

/** A request that leaves within `withinMs` of a moment, or not at all. */
export interface TimeLimit {
  readonly since: Moment;
  readonly withinMs: number;
}

export interface PlaceCommand {
  /** When the gateway read the request; of an order of a basket, when its turn came. */
  readonly arrived: Moment;
  /** What the whole basket keeps to; absent for an order of its own. */
  readonly within?: TimeLimit;
  readonly caller: string;
  /** Null makes one. */
  readonly idempotencyKey: string | null;
  /** With the instrument's name. */
  readonly request: OrderRequest;
  readonly instrument: Instrument;
  /** The instrument as the caller wrote it. */
  readonly written: string;
  /** The brokers that may have the order, in the order in which they may be tried. */
  readonly candidates: readonly Trading[];
  /** The trading route, also those of it that cannot have the order now. */
  readonly route: readonly BrokerId[];
  /** An admin who lets an exit pass a brake where its account cannot be read; null without one. */
  readonly forcedBy: string | null;
  /** Whether it is a leg of an exit, which never leaves for more than is free to be reduced then; false when absent. */
  readonly isLeg?: boolean;
  /** The only account that it may go to, where the broker tells its account; any when absent. */
  readonly account?: string | null;
  /** Why there is no candidate; null when nobody could say, or when there are some. */
  readonly blocked: NotSent | null;
}

export interface PlaceResult {
  readonly order: OrderRecord;
  readonly idempotencyKey: string;
  /** The key had been used: this is the order that it made. */
  readonly repeated: boolean;
}

export interface SubmitParts {
  readonly writer: SingleWriter<ExecutionState, Change>;
  readonly journal: Journal;
  readonly commitRetry: CommitRetry;
  readonly clock: Clock;
  readonly log: Log;
  readonly scheduler: Scheduler;
  readonly ids: Ids;
  readonly changed: Changed;
  readonly stalls: Stalls;
  /** Notes how much space the disk has now. */
  readonly lookAtDisk: () => void;
  readonly accounts: Accounts;
  readonly pollerOf: (trading: Trading) => BookPoller;
  readonly marketHours: MarketHours;
  /** Whether the gateway is stopping: nothing new is begun then. */
  readonly closing: () => boolean;
  /** By instrument or underlying, for what the brokers' lists do not tell. */
  readonly freezeQuantities: ReadonlyMap<string, number>;
  /** See PollerSettings. */
  readonly tagMark: string;
  readonly limits: OrderLimits;
  /** The last known price, rupees; null where none is known. Never rejects. */
  readonly lastPrice: (instrument: Instrument) => Promise<number | null>;
  /** Told of each request to place an order once it is answered, and how long it took. */
  readonly onTimes?: OnOrderTimes;
}

export type OnOrderTimes = (trading: Pick<Trading, 'broker'>, times: OrderTimes) => void;

export function notSentProblem(why: NotSent): GatewayProblem {
  const code =
    why.cause === 'recovering'
      ? 'recovering'
      : why.cause === 'token'
        ? 'token_absent'
        : 'order_not_sent';
  return new GatewayProblem({
    code,
    detail: `${why.reason}; nothing was sent`,
    mayHaveExecuted: false,
  });
}

/** This computer's time (epoch ms), and the day at a broker by that broker's clock, as far as it is known. */
export function timesAt(
  { clock, pollerOf }: Pick<SubmitParts, 'clock' | 'pollerOf'>,
  trading: Trading,
): { readonly at: EpochMs; readonly day: TradingDay } {
  return { at: clock.now(), day: tradingDay(pollerOf(trading).now()) };
}

/** Nothing new is begun while the gateway stops. */
export function closingProblem(): GatewayProblem {
  return new GatewayProblem({
    code: 'order_not_sent',
    detail: 'the gateway is stopping; nothing was sent',
    mayHaveExecuted: false,
  });
}
