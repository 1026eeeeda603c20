import type { BrokerOrder } from '../../domain/broker-order.ts';
import type { BrokerId } from '../../domain/broker.ts';
import { tradingDay } from '../../domain/ist.ts';
import type { Decision } from '../../platform/single-writer.ts';
import { once } from '../../platform/values.ts';
import type { Change } from '../journal/records.ts';
import { type ExecutionState, filledByTrades } from '../journal/state.ts';
import { isSameOrder, UnitOfWork } from '../journal/unit-of-work.ts';
import { askedQuantities } from '../order/accepted-terms.ts';
import { quantityOf } from '../order/fills.ts';
import { contradictionIn, excessOfTrades } from '../order/order-size.ts';
import { isBelievedThough, isLeftAside } from '../order/newest-row.ts';
import { bindingOf, brokerOrderIdOf, fillOf, isIn, unrecognisedSinceOf } from '../order/order.ts';
import { type OrderEvent, transition } from '../order/transitions.ts';
import { doubtAbsence, judgeAbsence } from './absence.ts';
import { applyMatch } from './apply-match.ts';
import { type BookMemory, type BookNews, idsOf } from './book-memory.ts';
import type { BookObservation } from './book-observation.ts';
import { takeFills, unjoinedTrades } from './book-trades.ts';
import { isBelieved, isWorkingAgain } from './ended-orders.ts';
import {
  awaitSecondRead,
  isSameRow,
  type Match,
  matchRows,
  type OpenPlacing,
  orderOfRow,
} from './matching.ts';
import { alertCorrection } from './day-comparison.ts';
import { isRowOld, lostOrders, noteReleased, reopenLost, tellsFill } from './lost-rows.ts';
import { correctMisacknowledged } from './misacknowledged.ts';
import { isTagOfOurs } from './orders-of-tags.ts';
import { noteObserved } from './unclaimed-rows.ts';
import { likeRefused, soughtPlacings } from './sought-placings.ts';
import {
  isDayOverWrong,
  reopenUnshownDayOver,
  reopenDayOver,
  takeBackDayOver,
} from './recovery.ts';
import { adoptFromOtherDays } from './other-days.ts';
import { matchUnread } from './match-unread.ts';
import { observeTriggerOrders } from '../triggers/decide-trigger-orders.ts';
import { isOwnRowBack, takeBackOthersRow, withoutOthersRows } from './own-rows.ts';
import { settledByTrades } from './settled-by-trades.ts';
import { lookForUnknownTags } from './unknown-tags.ts';
import { forgetMisreadIds, missingFrom, withoutGuesses } from './unread-rows.ts';
import type { BrokerOrderId, OrderId, TradingDay } from '../../units/branded.ts';

export interface BookReading {
  /** Whether the read holds every id observed at the broker earlier the same day. */
  readonly complete: boolean;
  /** Open placings that this read, being complete, lacked. */
  readonly lacked: readonly string[];
  /** Orders that have ended, and whose rows work. */
  readonly workAgain: readonly OrderId[];
  /** Open orders whose rows it should show, and does not. */
  readonly lost: readonly OrderId[];
  /** Open orders whose rows are left aside as older ones. */
  readonly leftAside: readonly OrderId[];
  /** See BookObservation: for the next read. */
  readonly elsewhere: ReadonlyMap<OrderId, BrokerOrderId>;
  /** The same. */
  readonly seenOnce: ReadonlyMap<OrderId, BrokerOrderId>;
}

/** What one read notes for the next: see BookObservation. */
interface Noted {
  readonly elsewhere: Map<OrderId, BrokerOrderId>;
  readonly seenOnce: Map<OrderId, BrokerOrderId>;
}

/**
 * Takes in one read of a book: updates the orders whose rows and trades it shows, matches rows with open
 * placings, and counts the open placings that it lacks. Rows of orders placed elsewhere are noted as
 * observed, never adopted.
 */
export function reconcileBook(
  state: ExecutionState,
  observation: BookObservation,
  memory: Pick<BookMemory, 'newsOf'> = { newsOf: wholeRead(observation.broker) },
): Decision<Change, BookReading> {
  const unit = new UnitOfWork(state, observation.at);
  const day = tradingDay(observation.begunAt);
  const { account, rows, fills, unread } = observation;
  const news = memory.newsOf(state, { day, account, rows, fills, unread });
  const { complete } = news;
  adoptFromOtherDays(unit, observation, news.rows, day);
  const own = withoutOthersRows(unit, observation, news, day);
  const noted: Noted = { elsewhere: new Map(), seenOnce: new Map() };
  const matches = matchPlacings(unit, own.observation, own.news, day, noted);
  for (const match of matches) applyMatch(unit, match, day);
  for (const { kind, placing } of matches) {
    if (kind !== 'unseen') continue;
    reopenDayOver(unit, placing);
    doubtAbsence(unit, placing, observation);
  }
  // Any row may belong to an open placing.
  const all = { ...news, rows: observation.rows, rowsWith: () => observation.rows };
  const left = matches.length > 0 ? withoutOthersRows(unit, observation, all, day) : own;
  lookForUnknownTags(unit, observation, left.news.rows, day);
  const awaited = new Set(noted.seenOnce.values());
  noteObserved(unit, observation, left.news.rows, day, awaited);
  noteReleased(unit, observation, left.news.rows, day);
  if (!complete) forgetMisreadIds(unit, observation, day);
  const told = observeOrders(unit, left.observation, left.news, day);
  reopenUnshownDayOver(unit, observation, day);
  reopenLost(unit, left.observation, told.lost, day);
  observeTriggerOrders(unit, observation, day);
  const lacked = matches
    .filter(({ kind, placing }) => complete && kind === 'unseen' && !isRefused(placing))
    // A book of the day before was begun before the placing, or a clock was a day ahead.
    .filter(({ placing }) => placing.attempt.day <= day)
    .map(({ placing }) => placing);
  for (const placing of lacked) judgeAbsence(unit, placing, observation);
  return {
    changes: unit.changes,
    reply: {
      ...{ complete, ...told, ...noted },
      lacked: lacked.map((placing) => placing.attempt.id),
    },
  };
}

/** Known not to have been taken, unless a row says otherwise: its absence is no news. */
const isRefused = ({ attempt: { state } }: OpenPlacing): boolean =>
  state.kind === 'refused' || state.kind === 'not_sent';

/** A read of which nothing is remembered. */
function wholeRead(broker: BrokerId): BookMemory['newsOf'] {
  return (state, read) => {
    const complete = missingFrom(state, broker, read).length === 0;
    const { rows, fills } = read;
    return { rows, complete, rowsWith: () => rows, fillsWith: () => fills ?? [] };
  };
}

/**
 * Which rows belong to which open placings, after rows acknowledged for the wrong order are put
 * right.
 */
function matchPlacings(
  unit: UnitOfWork,
  observation: BookObservation,
  news: BookNews,
  day: TradingDay,
  noted: Noted,
): Match[] {
  const { broker, rows, tagged, unread } = observation;
  const reopened = correctMisacknowledged(unit, observation, news, day, noted.elsewhere);
  const wereTrusted = tagged || unit.state.echoes.get(broker)?.day === day;
  const trusted = noteEcho(unit, { broker, tagged, rows: news.rows }, day);
  const placings = soughtPlacings(unit, observation, news.rows, day, reopened);
  // Rows that were compared while tags did not come back are compared anew once they do.
  const compared = trusted === wereTrusted ? news.rows : rows;
  const like = likeRefused(unit, observation, compared, day, trusted);
  if (placings.length === 0) return like;
  const free = rows.filter((row) => orderOfRow(unit, broker, day, row.brokerOrderId) === null);
  const known = { isOther: observation.isOther, isOurs: isTagOfOurs(unit.state) };
  const { isOther, isOurs } = known;
  const found = matchRows(placings, free, trusted, isOurs, isOther, observation.marketAsLimit);
  const sure = awaitSecondRead(withoutGuesses(found, unread, known), observation, noted.seenOnce);
  const matches = matchUnread(unit, observation, sure, day);
  const isSettled = ({ placing }: Match): boolean =>
    matches.some((match) => match.kind !== 'unseen' && match.placing.attempt === placing.attempt);
  return [...matches, ...like.filter((match) => !isSettled(match))];
}

/**
 * What the rows and trades of a book say of the orders that they belong to. Returns those that have ended
 * and whose rows work, and the open ones whose rows it lacks.
 */
function observeOrders(
  unit: UnitOfWork,
  observation: BookObservation,
  news: BookNews,
  day: TradingDay,
): Pick<BookReading, 'workAgain' | 'lost' | 'leftAside'> {
  const [workAgain, leftAside]: [OrderId[], OrderId[]] = [[], []];
  const { broker, at } = observation;
  const filled = takeFills(unit, observation, news.fillsWith(idsOf(unit.changes, broker)), day);
  const filledIds = [...filled].map((orderId) => brokerOrderIdOf(unit.order(orderId)) ?? '');
  const found = new Map<OrderId, BrokerOrder | null>();
  for (const row of news.rowsWith(filledIds)) {
    const orderId = orderOfRow(unit, broker, day, row.brokerOrderId);
    // An order whose record does not fit the schema owns its row, but nothing else is known of it.
    if (orderId !== null && unit.state.orders.has(orderId)) found.set(orderId, row);
  }
  for (const orderId of filled) {
    if (!found.has(orderId)) found.set(orderId, null);
  }
  const lost = lostOrders(unit, observation, day).map(({ id }) => id);
  const old = new Set(lost.filter((id) => isRowOld(observation.lostFor.get(id))));
  for (const orderId of old) found.set(orderId, null);
  const unjoined = once(() => unjoinedTrades(unit, observation, day));
  for (const [orderId, shown] of found) {
    const order = unit.order(orderId);
    const row = settledByTrades(unit, order, shown, observation, unjoined);
    if (row !== null && isDayOverWrong(order, row)) takeBackDayOver(unit, order, row);
    else if (row !== null && isOwnRowBack(order, row)) takeBackOthersRow(unit, order, row);
    else if (
      !(filled.has(orderId) || old.has(orderId) || tellsFill(order, row)) &&
      isSameRow(bindingOf(order)?.row ?? null, row)
    ) {
      continue;
    }
    const isBack = isWorkingAgain(order, row);
    if (isBack) workAgain.push(orderId);
    const isAside = isIn(order, ['working']) && isLeftAside(bindingOf(order)?.row ?? null, row, at);
    if (isAside) leftAside.push(orderId);
    const isTrue = isBack
      ? isBelieved(order, row, observation.workingFor.get(orderId))
      : isAside && isBelievedThough(observation.leftAsideFor.get(orderId));
    observeOrder(unit, orderId, row, { isBelieved: isTrue, rowIsOld: old.has(orderId) });
  }
  return { workAgain, lost, leftAside };
}

/** A broker that may or may not hand tags back is trusted to, for a day, once it has. */
function noteEcho(
  unit: UnitOfWork,
  observation: Pick<BookObservation, 'broker' | 'tagged' | 'rows'>,
  day: TradingDay,
): boolean {
  const { broker } = observation;
  if (observation.tagged || unit.state.echoes.get(broker)?.day === day) return true;
  const echoed = observation.rows.some((row) => {
    const orderId = orderOfRow(unit, broker, day, row.brokerOrderId);
    if (orderId === null || row.tags.length === 0) return false;
    const attempts = [...(unit.state.attemptsOf.get(orderId) ?? [])].map((id) => unit.attempt(id));
    return attempts.some((attempt) => attempt.kind === 'place' && row.tags.includes(attempt.tag));
  });
  if (echoed) unit.changes.push({ table: 'echoes', key: broker, row: { broker, day } });
  return echoed;
}

/** Takes in the row of an order (null: fills of it are new, or the book lacks it) and all its fills. */
export function observeOrder(
  unit: UnitOfWork,
  orderId: OrderId,
  row: BrokerOrder | null,
  { isBelieved: isTrue, rowIsOld }: { readonly isBelieved: boolean; readonly rowIsOld: boolean },
): void {
  const order = unit.order(orderId);
  if (order.state.kind === 'disputed') return;
  unit.contain(orderId, () => {
    const fills = unit.fillsOf(orderId);
    const attempts = [...(unit.state.attemptsOf.get(orderId) ?? [])].map((id) => unit.attempt(id));
    const asked = askedQuantities(attempts);
    const event: Extract<OrderEvent, { readonly type: 'observe' }> = {
      ...{ type: 'observe', row, fills, asked },
      ...(isTrue ? { isBelieved: isTrue } : {}),
      ...(rowIsOld ? { rowIsOld } : {}),
    };
    const traded = { before: filledByTrades(unit.state, orderId), now: quantityOf(fills) };
    const excess = excessOfTrades(order, row, asked, traded);
    if (excess !== null) unit.alert('critical', orderId, excess);
    const next = transition(order, event, unit.at);
    if (isSameOrder(next, order)) return order;
    alertCorrection(unit, order, next);
    const contradiction = contradictionIn(order, next, asked);
    if (contradiction !== null) unit.alert('critical', orderId, contradiction);
    if (unrecognisedSinceOf(next) !== null && unrecognisedSinceOf(order) === null) {
      const status = bindingOf(next)?.row?.rawStatus ?? '';
      unit.alert('warning', orderId, `status "${status}" is not known; read as working`);
    }
    const { averagePrice, fillPriceSource } = fillOf(next);
    if (fillPriceSource === 'estimate' && fillOf(order).fillPriceSource !== 'estimate') {
      const what = `the fill price of order ${orderId}, ${String(averagePrice)}`;
      unit.alert('warning', orderId, `${what}, is an estimate`);
    }
    return unit.move(orderId, event);
  });
}
