import type { BrokerOrder } from '../../domain/broker-order.ts';
import { istTime } from '../../domain/ist.ts';
import { plus, type EpochMs, type TradingDay } from '../../units/branded.ts';
import { CLOCK_SKEW_MS, type PlaceAttemptRecord } from '../order/attempt.ts';
import { calledAbsentOf, type OrderRecord } from '../order/order.ts';
import { lastBookDay } from '../order/order-day.ts';

/**
 * A broker has made the row of a request by then: the request itself takes 8 seconds at most, brokers have
 * been 90 seconds late, and two clocks that agree differ by a minute at most (docs/decisions/0027).
 */
export const MADE_WITHIN_MS = 180_000;

/** From then on brokers release after-market orders to the exchange: its pre-open session begins. */
export const releasedFrom = (session: TradingDay): EpochMs => istTime(session, '09:00');

/** The exchanges have taken all after-market orders by then, and rows may be late besides. */
export const releasedBy = (session: TradingDay): EpochMs =>
  plus(istTime(session, '09:15'), MADE_WITHIN_MS);

/**
 * Whether a row was made after the send of a placing and before its refusal arrived, by the broker's clock
 * where that is known. What somebody places by hand later never is.
 */
export function isBeforeRefusal(attempt: PlaceAttemptRecord, row: BrokerOrder): boolean {
  const { sentAt, state } = attempt;
  const { createdAt } = row;
  if (state.kind !== 'refused' || createdAt === null) return false;
  const { settledAt, toldAt } = state;
  if (toldAt === undefined) {
    const ahead = sentByBroker(attempt) - sentAt;
    return isBetween(createdAt, plus(sentAt, ahead), plus(settledAt, ahead));
  }
  // What the refusal told is to the second: a row of that second counts as earlier.
  return isBetween(createdAt, plus(sentAt, toldAt - settledAt), plus(toldAt, 999));
}

const isBetween = (createdAt: EpochMs, sentAt: EpochMs, refusedAt: EpochMs): boolean =>
  createdAt >= sentAt - CLOCK_SKEW_MS && createdAt <= refusedAt;

/** When a placing was sent, by the broker's clock where it had told the time; else by this computer's. */
export const sentByBroker = ({ brokerAt, sentAt }: PlaceAttemptRecord): EpochMs =>
  brokerAt ?? sentAt;

/**
 * When a row was made, compared with the send of a placing. An after-market order may get another time
 * when the exchange opens. A row that tells no time may be of any.
 */
export function whenMade(
  { attempt, order }: { readonly attempt: PlaceAttemptRecord; readonly order: OrderRecord },
  { createdAt }: BrokerOrder,
): 'before' | 'with it' | 'later' {
  if (createdAt === null) return 'with it';
  const sentAt = sentByBroker(attempt);
  if (createdAt < sentAt - CLOCK_SKEW_MS) return 'before';
  if (createdAt <= sentAt + MADE_WITHIN_MS) return 'with it';
  const session = lastBookDay(order);
  // Before that, a row of the morning is one that somebody has made that morning.
  const isReleased =
    order.terms.amo && createdAt >= releasedFrom(session) && createdAt <= releasedBy(session);
  return isReleased ? 'with it' : 'later';
}

/**
 * Whether a row was made after its like was called absent: somebody may well place the order again then. A
 * clock by which that was before the send was wrong, and tells nothing but that it was called absent.
 */
export function isMadeAfterAbsent(
  placing: { readonly attempt: PlaceAttemptRecord; readonly order: OrderRecord },
  row: BrokerOrder,
): boolean {
  const called = calledAbsentOf(placing.order);
  if (called === null || row.createdAt === null) return false;
  if (called.at < sentByBroker(placing.attempt)) return whenMade(placing, row) === 'later';
  return row.createdAt > called.at + CLOCK_SKEW_MS;
}
