import type { BrokerFill, BrokerOrder } from '../domain/broker-order.ts';
import { exchangeOf } from '../domain/instrument.ts';
import { istDay, istTime, tradingDay } from '../domain/ist.ts';
import type { Decision } from '../platform/single-writer.ts';
import { judgeAbsence } from './absence.ts';
import type { BookObservation } from './book-observation.ts';
import { settleClaim } from './binding.ts';
import { judgeClaims, type Claim } from './claims.ts';
import { Draft } from './draft.ts';
import { setKillSwitch } from './kill-switch.ts';
import { lastBookDay } from './order-day.ts';
import { isOfEarlierDay, ownerOf } from './owner.ts';
import type { Change, FillRecord, OrderRecord } from './records.ts';
import { reduceOrder } from './reduce-order.ts';
import type { ExecutionState } from './state.ts';
import { correctWrongIds } from './wrong-ids.ts';

export interface BookReading {
  /** Holds every id seen at the broker earlier the same day. */
  readonly complete: boolean;
  /** Open placings that this read, being complete, lacked. */
  readonly lacked: readonly string[];
}

/**
 * Takes one read of a book: what it shows of our orders, which open placings it explains, and what
 * its silence is evidence of. Rows that are not ours are noted as seen, never adopted.
 */
export function reduceBook(
  state: ExecutionState,
  observation: BookObservation,
): Decision<Change, BookReading> {
  const { broker, rows, at } = observation;
  const draft = new Draft(state, at);
  const day = tradingDay(observation.begunAt);
  const ids = new Set(rows.map((row) => row.brokerOrderId));
  const complete = [...state.seenIn.on(broker, day).values()].every(
    (seen) => seen.leaving || ids.has(seen.brokerOrderId),
  );

  const reopened = correctWrongIds(draft, observation, day);
  const echoed = noteEcho(draft, observation, day);
  const claims = openClaims(draft, observation, day, reopened);
  const free = (): BrokerOrder[] =>
    rows.filter((row) => ownerOf(draft, broker, day, row.brokerOrderId) === null);
  const verdicts =
    claims.length === 0
      ? []
      : judgeClaims(claims, free(), observation.tagged || echoed, (tag) =>
          state.attemptByTag.has(tag),
        );
  for (const verdict of verdicts) settleClaim(draft, verdict, day);
  noteSeen(draft, observation, day);

  const owned = new Map<string, BrokerOrder | null>();
  for (const row of rows) {
    const orderId = ownerOf(draft, broker, day, row.brokerOrderId);
    if (orderId !== null) owned.set(orderId, row);
  }
  const touched = takeFills(draft, observation, day);
  for (const orderId of touched) {
    if (!owned.has(orderId)) owned.set(orderId, null);
  }
  for (const [orderId, row] of owned) {
    if (touched.has(orderId) || !sameRow(draft.order(orderId)!.row, row)) {
      reduceOwned(draft, orderId, row);
    }
  }

  const lacked = complete
    ? verdicts.filter((verdict) => verdict.kind === 'unseen').map((verdict) => verdict.claim)
    : [];
  for (const claim of lacked) judgeAbsence(draft, claim, observation);
  return {
    changes: draft.changes,
    reply: { complete, lacked: lacked.map((claim) => claim.attempt.id) },
  };
}

/** Placings of the day whose row is still to be found: open ones, and ones called absent. */
function openClaims(
  draft: Draft,
  observation: BookObservation,
  day: string,
  reopened: ReadonlySet<string>,
): Claim[] {
  const claims: Claim[] = [];
  const { openPlaces, absentPlaces } = draft.state;
  for (const id of [...openPlaces, ...absentPlaces, ...reopened]) {
    const attempt = draft.attempt(id)!;
    // A request that is still on its way is settled by its own answer; one may be bound by now.
    const isOpen = attempt.state === 'uncertain' || attempt.state === 'absent';
    if (attempt.broker !== observation.broker || !isOpen) continue;
    const order = draft.order(attempt.orderId)!;
    if (day < attempt.day || day > lastBookDay(order)) continue;
    claims.push({ attempt, order });
  }
  return claims;
}

/** A broker that may or may not hand tags back is trusted to, for a day, once it has. */
function noteEcho(draft: Draft, observation: BookObservation, day: string): boolean {
  const { broker } = observation;
  if (observation.tagged || draft.state.echoes.get(broker)?.day === day) return true;
  const echoed = observation.rows.some((row) => {
    const orderId = ownerOf(draft, broker, day, row.brokerOrderId);
    if (orderId === null || row.tags.length === 0) return false;
    const attempts = draft.state.attemptsOf.get(orderId) ?? new Set();
    return [...attempts].some((id) => {
      const tag = draft.state.attempts.get(id)?.tag;
      return typeof tag === 'string' && row.tags.includes(tag);
    });
  });
  if (echoed) draft.changes.push({ table: 'echoes', key: broker, row: { broker, day } });
  return echoed;
}

/**
 * A new row that nobody claims, with a tag of ours: of an order that was called refused or not sent,
 * or a second one of an order that is bound. Neither can be, if everybody has told the truth.
 */
function lookForOurTag(draft: Draft, row: BrokerOrder, day: string): void {
  const attemptId = row.tags.map((tag) => draft.state.attemptByTag.get(tag)).find(Boolean);
  const attempt = attemptId === undefined ? undefined : draft.attempt(attemptId);
  if (!attempt || attempt.state === 'sending') return;
  // Sent when this read of yesterday's book had begun: today's will settle it.
  if (attempt.state === 'uncertain' && day < attempt.day) return;
  const order = draft.order(attempt.orderId)!;
  // Of another day: a book that was not cleared, or an after-market order that ended in the night.
  if (order.brokerOrderId === row.brokerOrderId) return;
  const reason =
    `row ${row.brokerOrderId} at ${attempt.broker} carries the tag of order ${order.id}, ` +
    `whose request was ${attempt.state}`;
  draft.alert('critical', order.id, reason);
  setKillSwitch(draft, true, reason);
  if (order.brokerOrderId === null && order.status !== 'disputed') {
    draft.putOrder({ ...order, status: 'disputed', reason });
  }
}

function noteSeen(draft: Draft, { broker, rows }: BookObservation, day: string): void {
  const dayBefore = istDay(istTime(day, '12:00') - 86_400_000);
  for (const row of rows) {
    const { brokerOrderId } = row;
    const seen = draft.seen(broker, day, brokerOrderId);
    if (seen && seen.orderId !== null) continue;
    const orderId = ownerOf(draft, broker, day, brokerOrderId);
    if (seen) {
      // Read before its order was known.
      if (orderId !== null) draft.putSeen({ ...seen, orderId });
      continue;
    }
    // A book that has not been cleared yet, or a clock that is ahead: it is gone from the next one.
    const earlier = draft.seen(broker, dayBefore, brokerOrderId) !== undefined;
    const leaving = earlier || isOfEarlierDay(row, day);
    draft.putSeen({ broker, day, brokerOrderId, orderId, leaving, seenAt: draft.at });
    if (orderId === null && !earlier) lookForOurTag(draft, row, day);
  }
}

/** Adds the fills that are new; returns the orders that they belong to. */
function takeFills(draft: Draft, observation: BookObservation, day: string): Set<string> {
  const touched = new Set<string>();
  if (!observation.fills) return touched;
  const { broker } = observation;
  const orderOfTrade = orderNamed(observation.rows);
  for (const fill of observation.fills) {
    const brokerOrderId = fill.brokerOrderId ?? orderOfTrade(fill);
    if (brokerOrderId === null) continue;
    const orderId = ownerOf(draft, broker, day, brokerOrderId);
    if (orderId === null) continue;
    const exchange = fill.exchange ?? exchangeOf(draft.order(orderId)!.terms.instrument);
    const key = `${broker}|${day}|${exchange}|${brokerOrderId}|${fill.fillId}`;
    // Looked at first: of a day's trades nearly all are known at each read.
    if (draft.fill(key)) continue;
    const record: FillRecord = {
      key,
      orderId,
      broker,
      day,
      exchange,
      brokerOrderId,
      fillId: fill.fillId,
      quantity: fill.quantity,
      price: fill.price,
      at: fill.at ?? draft.at,
      ...(fill.brokerOrderId === null ? { joined: true } : {}),
    };
    if (isKnownFromEarlier(draft, record)) continue;
    draft.putFill(record);
    touched.add(orderId);
  }
  return touched;
}

/** Finds the order of a trade that names none, by the exchange's id; null where no row has that. */
function orderNamed(rows: readonly BrokerOrder[]): (fill: BrokerFill) => string | null {
  let byExchangeId: Map<string, string> | null = null;
  return ({ exchangeOrderId }) => {
    if (exchangeOrderId === null) return null;
    byExchangeId ??= new Map(
      rows.flatMap((row) =>
        row.exchangeOrderId === null ? [] : [[row.exchangeOrderId, row.brokerOrderId]],
      ),
    );
    return byExchangeId.get(exchangeOrderId) ?? null;
  };
}

/** Trades of an after-market order in a book of another of its days are the same trades. */
function isKnownFromEarlier(draft: Draft, fill: FillRecord): boolean {
  if (!draft.order(fill.orderId)!.terms.amo) return false;
  return draft
    .fillsOf(fill.orderId)
    .some((known) => known.fillId === fill.fillId && known.exchange === fill.exchange);
}

/** Whether a row says what it said before: then there is nothing to reduce. */
function sameRow(known: BrokerOrder | null, row: BrokerOrder | null): boolean {
  if (!known || !row) return row === null;
  if (known === row) return true;
  return (
    known.rawStatus === row.rawStatus &&
    known.status === row.status &&
    known.filledQuantity === row.filledQuantity &&
    known.averagePrice === row.averagePrice &&
    known.quantity === row.quantity &&
    known.price === row.price &&
    known.triggerPrice === row.triggerPrice &&
    known.exchangeOrderId === row.exchangeOrderId &&
    known.reason === row.reason &&
    known.updatedAt === row.updatedAt
  );
}

/** Field by field: both come from the same record, so what was not touched is the very same. */
function sameOrder(next: OrderRecord, order: OrderRecord): boolean {
  return Object.entries(next).every(([name, value]) => {
    const before: unknown = order[name as keyof OrderRecord];
    return value === before || JSON.stringify(value) === JSON.stringify(before);
  });
}

function reduceOwned(draft: Draft, orderId: string, row: BrokerOrder | null): void {
  const order = draft.order(orderId)!;
  if (order.status === 'disputed') return;
  const next = reduceOrder(order, row, draft.fillsOf(orderId), draft.at);
  if (sameOrder(next, order)) return;
  if (next.unrecognisedSince !== null && order.unrecognisedSince === null) {
    draft.alert(
      'warning',
      orderId,
      `status "${next.row?.rawStatus}" is not known; read as working`,
    );
  }
  if (next.fillPriceSource === 'estimate' && order.fillPriceSource !== 'estimate') {
    const price = String(next.averagePrice);
    draft.alert('warning', orderId, `the fill price of order ${orderId}, ${price}, is an estimate`);
  }
  draft.putOrder(next);
}
