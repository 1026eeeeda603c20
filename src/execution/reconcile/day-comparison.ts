import { istDay, istTime, tradingDay } from '../../domain/ist.ts';
import type { BrokerId } from '../../domain/broker.ts';
import { isFinalRow } from '../../domain/order.ts';
import type { Clock } from '../../platform/clock.ts';
import { type EpochMs, plus } from '../../units/branded.ts';
import type { ExecutionState } from '../journal/state.ts';
import type { UnitOfWork } from '../journal/unit-of-work.ts';
import { haveTriggersTraded } from '../triggers/decide-trigger-orders.ts';
import { dayBefore } from '../order/order-day.ts';
import { bindingOf, fillOf, isOver, type OrderRecord, statusOf } from '../order/order.ts';

/**
 * After the close of shares and derivatives, after all sessions (docs/spec/market-hours.md), and before
 * the day's book is gone.
 */
const TIMES = ['05:40', '15:50', '20:10'];
const DAY_MS = 86_400_000;

/**
 * When the whole book and the trades of the day are compared with every order of the day, those that
 * are over included: brokers have reported fills of orders that were said to have ended without any.
 */
export interface DayComparison {
  /** Milliseconds until the next one is due, 0 where it is; null where there is nothing to compare. */
  dueIn(): number | null;
  /** A read that began at `begunAt` was compared, with its trades. */
  done(begunAt: EpochMs): void;
}

export function createDayComparison(
  state: ExecutionState,
  broker: BrokerId,
  /** The broker's. */
  clock: Pick<Clock, 'now'>,
): DayComparison {
  /** Of the last days: a clock that is a day ahead does not end the comparisons of today. */
  function hasOrders(): boolean {
    const since = dayBefore(dayBefore(tradingDay(clock.now())));
    const isOfDay = [...state.ordersOfDay].some(
      ([day, orders]) =>
        day >= since && [...orders.values()].some((order) => order.broker === broker),
    );
    return isOfDay || haveTriggersTraded(state, broker, since);
  }

  // A process that starts on orders of the day cannot know whether the last one compared them.
  let last: EpochMs | null = hasOrders() ? null : clock.now();
  return {
    dueIn() {
      // The clock was ahead then, and has been set back: what has been compared is not known.
      if (last !== null && last > clock.now()) last = null;
      const left = last === null ? 0 : nextTime(last) - clock.now();
      if (left > 0) return left;
      return hasOrders() ? 0 : null;
    },
    done(begunAt) {
      last = begunAt;
    },
  };
}

/** The first time of comparison after an instant. */
export function nextTime(after: EpochMs): EpochMs {
  const today = istDay(after);
  const tomorrow = istDay(plus(istTime(today, '12:00'), DAY_MS));
  const times = [today, tomorrow].flatMap((day) => TIMES.map((time) => istTime(day, time)));
  return times.find((at) => at > after) ?? plus(after, DAY_MS);
}

/** Tells a person that an order which was over is something else: it was told differently before. */
export function alertCorrection(unit: UnitOfWork, before: OrderRecord, now: OrderRecord): void {
  if (!isOver(before)) return;
  const known = fillOf(before).filledQuantity;
  const row = bindingOf(now)?.row;
  if (!isOver(now) && row && !isFinalRow(row.status)) {
    const message = `order ${now.id} was ${statusOf(before)}, and its broker shows it working again`;
    unit.alert('critical', now.id, `${message}: cancel it if it is not wanted`);
    return;
  }
  if (known === null) return;
  const filled = fillOf(now).filledQuantity;
  if (known === filled && statusOf(before) === statusOf(now)) return;
  const was = `${statusOf(before)} with ${known} filled`;
  const is = `${statusOf(now)} with ${filled ?? 'an unknown quantity'} filled`;
  unit.alert('warning', now.id, `order ${now.id} was ${was}; its broker now shows ${is}`);
}
