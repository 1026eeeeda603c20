import {
  BrokerError,
  type BrokerFailure,
  type NotSent,
  notSent,
  type Outcome,
  refused,
  uncertain,
} from '../../domain/outcome.ts';
import type { BrokerInstruments } from '../../domain/instrument.ts';
import type { MayLeave, PlaceAttempt, Purpose } from '../../domain/order.ts';
import type { BrokerTime, Trading } from '../../domain/ports.ts';
import type { Priority } from '../../platform/call-limits.ts';
import type { Clock } from '../../platform/clock.ts';
import { isShut } from '../../platform/breaker.ts';
import type { Redacted } from '../../platform/redaction.ts';
import { messageOf } from '../../platform/values.ts';
import type { BrokerOrderId } from '../../units/branded.ts';
import { redactedReasons } from '../kit/replies.ts';
import { createUnreadRows } from '../kit/unread-rows.ts';
import type { PrimaryClient } from './client.ts';
import { createBookMapper, createTradesMapper } from './book-mapping.ts';
import { clip, isRefusedQuery } from './envelope.ts';
import { outcomeOf } from './refusals.ts';
import type { RateLimitQueues } from './rate-limits.ts';
import {
  cancelRequest,
  modifyRequest,
  placeRequest,
  type BuiltRequest,
  type StopOrders,
} from './request.ts';
import {
  createSmartOrders,
  type Families,
  joinChildren,
  joinFills,
  unreadWithoutParentsTag,
} from './smart-orders.ts';
import { smartModifyRequest } from './smart-order-request.ts';

export interface TradingParts {
  readonly client: PrimaryClient;
  readonly queues: Pick<RateLimitQueues, 'placing' | 'changing' | 'books'>;
  readonly brokerTime: () => BrokerTime | null;
  /** Opens the connection of a request that is about to be sent. */
  readonly connectAhead: () => void;
  /** Whose token it is (createIdentity). */
  readonly account: () => Promise<string | null>;
  readonly clock: Clock;
  readonly instruments: BrokerInstruments;
  readonly accessToken: () => string | null;
  /** What must not be shown of an order's words. */
  readonly hidden: () => Redacted;
  readonly remarks: boolean;
  readonly stopOrders: StopOrders;
  readonly extraTerminalStatuses: readonly string[];
}

const NO_BOOK = { orders: [], unread: [], smart: new Set<BrokerOrderId>() };

interface Leaving {
  readonly wayOut?: boolean;
  readonly mayLeave?: MayLeave;
}

const leavingOf = ({ mayLeave }: Leaving): Leaving => (mayLeave ? { mayLeave } : {});

export function createTrading(parts: TradingParts): Trading {
  const { client, queues } = parts;
  /** Whether there are orders in derivatives; null until a book has been read. */
  let derivatives: boolean | null = null;
  const smartOrders = createSmartOrders();
  const { mapBook, details } = createBookMapper(parts.instruments, parts.extraTerminalStatuses);
  const mapTrades = createTradesMapper();
  const unreadRows = createUnreadRows();
  /** From the last book: trades are read after it. */
  let families: Families = joinChildren(NO_BOOK, smartOrders);

  /**
   * The broker may refuse the derivatives trade book to an account without derivatives: no fill is
   * lost.
   */
  async function derivativeTrades(): Promise<readonly unknown[]> {
    try {
      return await client.tradeBook('DERIVATIVE');
    } catch (error) {
      if (derivatives === false && isRefusedQuery(error)) return [];
      throw error;
    }
  }

  async function change(
    request: BuiltRequest,
    purpose: 'placing' | 'changing',
    leaving: Leaving = {},
  ): Promise<Outcome> {
    if (request.kind === 'unsendable') return refused(request.rejection, request.reason);
    try {
      const acknowledged = await client.change(request, purpose, leaving);
      if (acknowledged === null) {
        return uncertain({ kind: 'bad_payload', message: 'the reply does not name one order' });
      }
      smartOrders.acknowledged(request.path, acknowledged);
      return { kind: 'acknowledged', brokerOrderId: acknowledged.brokerOrderId };
    } catch (error) {
      return outcomeOf(purpose === 'placing' ? 'place' : 'change', failureFrom(error));
    }
  }

  const blocked = (purpose?: Purpose): NotSent | null => obstacle(parts, purpose);

  return {
    ...traitsOf(parts),
    brokerTime: parts.brokerTime,
    blocked,
    account: parts.account,
    async permit(waitMs, purpose) {
      if (!(await queues.placing.limiter.acquire(waitMs, priorityOf(purpose)))) {
        return notSent('no_permit', `the broker's rate limit gave no permit within ${waitMs} ms`);
      }
      parts.connectAhead();
      return null;
    },
    place(attempt) {
      if (attempt.instrument.segment === 'DERIVATIVE') derivatives = true;
      const { wayOut = false } = attempt;
      const unwatched = blocked(wayOut ? 'way_out' : 'place');
      if (unwatched) return Promise.resolve(unwatched);
      const leaving = { wayOut, ...leavingOf(attempt) };
      return change(placeRequest(ownAttempt(attempt, parts), parts), 'placing', leaving);
    },
    cancel(attempt) {
      // The triggered smart order is final; the order that it sent to the exchange has to be
      // cancelled.
      const child = families.workingChild.get(attempt.brokerOrderId);
      if (child !== undefined) {
        const request = cancelRequest({ ...attempt, brokerOrderId: child }, '/order/cancel');
        return change(request, 'changing', { wayOut: true });
      }
      const smart = smartOrders.isSmart(attempt.brokerOrderId, attempt.brokerOrderType);
      const path = smart ? '/smart/order/cancel' : '/order/cancel';
      return change(cancelRequest(attempt, path), 'changing', { wayOut: true });
    },
    modify(attempt) {
      const smart = smartOrders.isSmart(attempt.brokerOrderId, null);
      const request = smart ? smartModifyRequest(attempt) : modifyRequest(attempt);
      return change(request, 'changing', leavingOf(attempt));
    },
    async orderBook() {
      const book = mapBook(await client.orderBook());
      derivatives = derivatives === true || book.derivatives;
      smartOrders.seen(book.orders, book.smart);
      families = joinChildren(book, smartOrders);
      queues.placing.breaker.allowEarly();
      queues.changing.breaker.allowEarly();
      const shown = redactedReasons(families.orders, parts.hidden(), clip);
      return unreadRows.note(shown, unreadWithoutParentsTag(book, smartOrders));
    },
    async trades() {
      // One after the other: a half-open breaker lets only one call through.
      const equity = await client.tradeBook('EQUITY');
      const { rows, unread } = mapTrades(equity, await derivativeTrades());
      return unreadRows.note(joinFills(rows, families), unread);
    },
    ...{ unread: unreadRows.of, details },
  };
}

const traitsOf = ({ remarks, queues }: TradingParts) =>
  ({
    broker: 'primary',
    mode: 'live',
    tagging: remarks ? 'once_echoed' : 'never',
    marketAsLimit: true,
    countEarlier: queues.placing.limiter.countEarlier,
  }) satisfies Partial<Trading>;

/** Why a request for this purpose could not leave now. */
function obstacle(
  { accessToken, clock, queues }: TradingParts,
  purpose: Purpose = 'place',
): NotSent | null {
  if (!accessToken()) return notSent('token', 'there is no access token for the primary brokerage');
  const { placing, changing, books } = queues;
  // An order that opens and that the gateway could not watch is not sent.
  const needed = { place: [placing, books], modify: [changing], way_out: [] }[purpose];
  if (needed.every(({ breaker }) => !isShut(breaker, clock))) return null;
  return notSent(
    'breaker',
    'the primary brokerage cannot be reached at present: its last calls failed',
  );
}

/** Any other error is a defect of ours: we cannot tell what the broker has seen. */
function failureFrom(error: unknown): BrokerFailure {
  if (error instanceof BrokerError) return error.failure;
  return {
    kind: 'transport',
    message: clip(messageOf(error)),
  };
}

/** With no number but that of the broker's own list. */
const ownAttempt = (
  attempt: PlaceAttempt,
  { instruments }: Pick<TradingParts, 'instruments'>,
): PlaceAttempt => ({ ...attempt, instrument: instruments.own(attempt.instrument) });

const priorityOf = (purpose?: Purpose): Priority => (purpose === 'way_out' ? 'way_out' : 'caller');
