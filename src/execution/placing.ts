import type { BrokerId } from '../domain/broker.ts';
import { scripCodeOf, type Instrument } from '../domain/instrument.ts';
import type { OrderRequest, OrderTerms } from '../domain/order.ts';
import { notSent, uncertain, type NotSent, type Outcome } from '../domain/outcome.ts';
import type { Trading } from '../domain/ports.ts';
import { GatewayProblem } from '../domain/problem.ts';
import type { Clock } from '../platform/clock.ts';
import { sha256 } from '../platform/digest.ts';
import type { Ids } from '../platform/ids.ts';
import type { Scheduler } from '../platform/scheduler.ts';
import { CommitError, type SingleWriter } from '../platform/single-writer.ts';
import type { BookKeeper } from './book-keeper.ts';
import type { Changed } from './changed.ts';
import { checkTerms } from './checks.ts';
import { decideNotSent, decidePlaced, decideSend, type SendReply } from './decide-place.ts';
import { otherAccountHolding } from './exit-guard.ts';
import type { Journal } from './journal.ts';
import { passesKillSwitch } from './kill-switch.ts';
import type { MarketHours } from './order-day.ts';
import { conflict, killSwitchProblem, notSentProblem } from './place-problems.ts';
import { createPreparing, type Preparation } from './preparing.ts';
import { callerKey, type AttemptRecord, type Change, type OrderRecord } from './records.ts';
import type { Settling } from './settling.ts';
import type { ExecutionState } from './state.ts';

export interface PlaceCommand {
  readonly caller: string;
  /** Null makes one. */
  readonly idempotencyKey: string | null;
  readonly request: OrderRequest;
  readonly instrument: Instrument;
  /** The brokers that may have the order, in the order in which they may be tried. */
  readonly legs: readonly Trading[];
  /** The trading route, also those of it that cannot have the order now. */
  readonly route: readonly BrokerId[];
  /** Why there is no leg; null when nobody could say, or when there are legs. */
  readonly blocked: NotSent | null;
}

export interface PlaceResult {
  readonly order: OrderRecord;
  readonly idempotencyKey: string;
  /** The key had been used: this is the order that it made. */
  readonly repeated: boolean;
}

export interface PlacingParts {
  readonly writer: SingleWriter<ExecutionState, Change>;
  readonly journal: Journal;
  readonly settling: Settling;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly ids: Ids;
  readonly changed: Changed;
  readonly keeperOf: (trading: Trading) => BookKeeper;
  readonly marketHours: MarketHours;
}

export interface Placing {
  place(command: PlaceCommand): Promise<PlaceResult>;
  /**
   * The order that a key has made, for the same request; null for a key that has made none, or whose
   * request is on its way. Needs neither broker nor instrument list: what is known stays known.
   */
  repeated(
    caller: string,
    idempotencyKey: string,
    request: OrderRequest,
  ): Promise<PlaceResult | null>;
}

/** How long a caller waits, all in all, for what has to be there before an order may be sent. */
const PREPARING_MS = 5_000;
/**
 * Places orders: once, at one broker at a time, each request on disk before its first byte leaves
 * (docs/orders.md). Rejects with a GatewayProblem for everything that was refused before that.
 */
export function createPlacing(parts: PlacingParts): Placing {
  const { writer, journal, settling, clock, ids, changed, keeperOf } = parts;
  const { state } = writer;
  const prepare = createPreparing({ ...parts, state });
  /** Requests under way, by caller and key: a second one joins the first. */
  const underWay = new Map<string, { hash: string; result: Promise<PlaceResult> }>();

  async function place(command: PlaceCommand): Promise<PlaceResult> {
    const idempotencyKey = command.idempotencyKey ?? ids.uuid7(clock.now());
    const name = callerKey(command.caller, idempotencyKey);
    const hash = hashOf(command.request);
    const ahead = underWay.get(name);
    if (ahead) {
      if (ahead.hash !== hash) throw conflict(idempotencyKey);
      return { ...(await ahead.result), repeated: true };
    }
    const known = state.orderByKey.get(name);
    if (known !== undefined) return repeat(state.orders.get(known)!, hash, idempotencyKey);
    const result = send(command, idempotencyKey, hash);
    underWay.set(name, { hash, result });
    try {
      return await result;
    } finally {
      underWay.delete(name);
    }
  }

  async function repeated(
    caller: string,
    idempotencyKey: string,
    request: OrderRequest,
  ): Promise<PlaceResult | null> {
    const name = callerKey(caller, idempotencyKey);
    if (underWay.has(name)) return null;
    const inMemory = state.orderByKey.get(name);
    const known =
      inMemory === undefined
        ? await journal.orderUnderKey(caller, idempotencyKey)
        : state.orders.get(inMemory)!;
    if (!known) return null;
    // Requests are hashed under the instrument's name; a scrip code is another way to write it.
    const written = request.instrument.toUpperCase();
    const instrument = written === known.scripCode ? known.terms.instrument : written;
    return repeat(known, hashOf({ ...request, instrument }), idempotencyKey);
  }

  async function send(
    command: PlaceCommand,
    idempotencyKey: string,
    requestHash: string,
  ): Promise<PlaceResult> {
    const { request, instrument, legs } = command;
    const terms = termsOf(request, instrument);
    checkTerms(terms, instrument, { at: clock.now(), marketHours: parts.marketHours });
    const orderId = `ord_${ids.uuid7(clock.now())}`;
    const deadline = clock.elapsed() + PREPARING_MS;
    let order: OrderRecord | null = null;
    let why: NotSent = command.blocked ?? notSent('not_open', 'no broker takes orders now');
    for (const trading of legs) {
      try {
        if (request.broker === null) guardExit(trading, terms, command.route);
        const sent = await sendTo(trading);
        if (sent.kind === 'known') return repeat(sent.order, requestHash, idempotencyKey);
        if (sent.kind === 'settled') return { order: sent.order, idempotencyKey, repeated: false };
        why = sent.why;
        order = sent.order ?? order;
      } catch (error) {
        // Once a leg is on disk, the order has used its key, and says itself what became of it.
        if (order === null) throw error;
        break;
      }
    }
    if (order === null) throw notSentProblem(why);
    return { order: await closeUnsent(order), idempotencyKey, repeated: false };

    /** One leg: prepared, committed, sent, settled. */
    async function sendTo(
      trading: Trading,
    ): Promise<
      | { kind: 'known'; order: OrderRecord }
      | { kind: 'settled'; order: OrderRecord }
      | { kind: 'not_sent'; why: NotSent; order: OrderRecord | null }
    > {
      for (;;) {
        const prepared = await prepare(trading, terms, deadline);
        if ('kind' in prepared) return { kind: 'not_sent', why: prepared, order: null };
        const reply = await commitSend(trading, prepared);
        if (reply.kind === 'lane_busy') continue;
        if (reply.kind === 'known') return reply;
        if (reply.kind === 'kill_switch') throw killSwitchProblem(reply.reason);
        if (reply.kind === 'cancelled') {
          const cancelled = notSent('not_open', 'it was cancelled before it was sent');
          return { kind: 'not_sent', why: cancelled, order: null };
        }
        const outcome = await requestOnce(trading, reply.attempt, terms, instrument);
        const isLast = legs.at(-1) === trading;
        const settled = await settling.settle((current) =>
          decidePlaced(current, {
            attemptId: reply.attempt.id,
            outcome,
            last: isLast,
            at: clock.now(),
          }),
        );
        changed.notify();
        const keeper = keeperOf(trading);
        if (outcome.kind === 'acknowledged') keeper.wake();
        else keeper.schedule();
        if (outcome.kind === 'not_sent' && settled !== null && !isLast) {
          return { kind: 'not_sent', why: outcome, order: settled };
        }
        return { kind: 'settled', order: settled ?? state.orders.get(orderId)! };
      }
    }

    async function commitSend(trading: Trading, prepared: Preparation): Promise<SendReply> {
      try {
        return await writer.submit((current) =>
          decideSend(current, {
            orderId,
            attemptId: `att_${ids.uuid7(clock.now())}`,
            tag: ids.tag(clock.now()),
            tagSent: trading.tagging !== 'never',
            caller: command.caller,
            idempotencyKey,
            requestHash,
            callerTag: request.tag,
            terms,
            scripCode: scripCodeOf(instrument),
            segment: instrument.segment,
            broker: trading.broker,
            mode: trading.mode,
            baseline: prepared.baseline,
            at: clock.now(),
          }),
        );
      } catch (error) {
        if (!(error instanceof CommitError)) throw error;
        const used = await journal.orderUnderKey(command.caller, idempotencyKey);
        if (used && used.id !== orderId) return { kind: 'known', order: used };
        throw new GatewayProblem(
          {
            code: 'journal_unavailable',
            detail: 'the order could not be written to disk, so it was not sent',
            mayHaveExecuted: false,
            retrySafe: true,
          },
          error,
        );
      }
    }
  }

  /** An exit that would land in another account than the one it is to reduce is refused. */
  function guardExit(trading: Trading, terms: OrderTerms, route: readonly BrokerId[]): void {
    const holder = otherAccountHolding(state, trading.broker, terms, route);
    if (holder === null) return;
    throw new GatewayProblem({
      code: 'wrong_account',
      detail:
        `${terms.instrument} is held at ${holder}, and this order would go to ${trading.broker}; ` +
        'name the broker to have it all the same',
      broker: holder,
      mayHaveExecuted: false,
    });
  }

  /** Looked at once more in the very turn in which the request leaves; then sent, once. */
  async function requestOnce(
    trading: Trading,
    attempt: AttemptRecord,
    terms: OrderTerms,
    instrument: Instrument,
  ): Promise<Outcome> {
    const thrown = passesKillSwitch(state, trading.broker, terms, attempt.orderId);
    if (thrown !== null) return notSent('kill_switch', thrown);
    const blocked = trading.blocked();
    if (blocked) return blocked;
    try {
      return await trading.place({ attemptId: attempt.id, terms, instrument, tag: attempt.tag! });
    } catch (error) {
      // A broker's port answers an outcome. If it throws all the same, nothing is known.
      return uncertain({ kind: 'transport', message: String(error) });
    }
  }

  async function closeUnsent(order: OrderRecord): Promise<OrderRecord> {
    const at = clock.now();
    const reason = order.reason ?? 'no broker could be reached';
    const closed = await settling.settle((current) =>
      decideNotSent(current, { orderId: order.id, reason, at }),
    );
    return closed ?? order;
  }

  return { place, repeated };
}

function repeat(order: OrderRecord, hash: string, idempotencyKey: string): PlaceResult {
  if (order.requestHash !== hash) throw conflict(idempotencyKey);
  return { order, idempotencyKey, repeated: true };
}

function termsOf(request: OrderRequest, instrument: Instrument): OrderTerms {
  const { side, quantity, orderType, product, validity, price, triggerPrice, amo } = request;
  return {
    instrument: instrument.name,
    side,
    quantity,
    orderType,
    product,
    validity,
    price,
    triggerPrice,
    amo,
  };
}

/** The request with its fields in one order, so that equal requests have equal hashes. */
export function hashOf(request: OrderRequest): string {
  return sha256(JSON.stringify(canonical(request)));
}

function canonical(request: OrderRequest): unknown {
  return Object.entries(request).sort(([left], [right]) => (left < right ? -1 : 1));
}
