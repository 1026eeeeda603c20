import type { BrokerId } from '../domain/broker.ts';
import { exchangeOf } from '../domain/instrument.ts';
import { istDay, istTime, readableTime } from '../domain/ist.ts';
import { closeOf, isTradingDay } from '../domain/market-hours.ts';
import type { Position } from '../domain/portfolio.ts';
import { plus, type EpochMs } from '../units/branded.ts';
import { isSettled, type SlotRecord } from './policy.ts';

export interface SquareOffSettings {
  /**
   * When the broker closes intraday positions, `HH:MM` IST, by exchange as in instruments' names: NSE,
   * NFO, …; an exchange that is not in it has no reminder.
   */
  readonly times: ReadonlyMap<string, string>;
  readonly minutesBefore: number;
}

/** What one broker's account holds, as far as it could be read. */
export interface AccountPositions {
  readonly broker: BrokerId;
  readonly positions: readonly Pick<Position, 'instrument' | 'product' | 'quantity'>[];
  /** Why they could not be read now; null where they were. */
  readonly problem: string | null;
  /** When they were read (epoch ms); null where they never were today. */
  readonly asOf: EpochMs | null;
}

/** A time at which the broker closes intraday positions, of which a reminder is due now. */
export interface DueSquareOff {
  /** `2026-11-06T15:10`: identifies it. */
  readonly key: string;
  /** `HH:MM` IST. */
  readonly time: string;
  readonly exchanges: readonly string[];
  /** A message for it may have been sent before the process ended. */
  readonly again: boolean;
}

const MINUTE_MS = 60_000;

/** The times of day at which a reminder can be due, `HH:MM` IST. */
export function squareOffTimes({ times, minutesBefore }: SquareOffSettings): readonly string[] {
  const anyDay = '2026-11-06';
  return [...new Set(times.values())].map((time) => {
    const at = plus(istTime(anyDay, time), -minutesBefore * MINUTE_MS);
    const minutes = Math.round((at - istTime(anyDay, '00:00')) / MINUTE_MS);
    return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
  });
}

const two = (count: number): string => String(count).padStart(2, '0');

/** Pure. A reminder is due from some minutes before until that time, on trading days. */
export function dueSquareOffs(given: {
  readonly now: EpochMs;
  readonly settings: SquareOffSettings;
  readonly records: readonly SlotRecord[];
}): readonly DueSquareOff[] {
  const { now, settings, records } = given;
  const day = istDay(now);
  if (!isTradingDay(day)) return [];
  return [...new Set(settings.times.values())].flatMap((time) => {
    const at = istTime(day, time);
    if (now < plus(at, -settings.minutesBefore * MINUTE_MS) || now >= at) return [];
    const key = `${day}T${time}`;
    const record = records.find((each) => each.key === key);
    if (isSettled(record)) return [];
    const exchanges = [...settings.times].filter(([, its]) => its === time).map(([name]) => name);
    return [{ key, time, exchanges, again: record?.state === 'sending' }];
  });
}

/**
 * What the reminder says; null where every account was read and holds no intraday position at these
 * exchanges. An account that could not be read is told: it may hold some.
 */
export function squareOffText(
  due: DueSquareOff,
  accounts: readonly AccountPositions[],
  now: EpochMs,
): string | null {
  const lines = accounts.flatMap((account) => accountLines(account, due.exchanges));
  if (lines.length === 0) return null;
  return [
    `${readableTime(now)}: the broker closes intraday positions in ${due.exchanges.join(', ')} at about ${due.time}.`,
    ...lines,
    ...new Set(due.exchanges.map(hoursOf)),
    'To close one yourself: POST /api/v1/exits with its instrument, product INTRADAY and broker; or Exit, ' +
      "under Positions in the broker's app. Brokers charge for the positions that they close.",
    ...(due.again ? ['This may come twice: the gateway stopped while it was being sent.'] : []),
  ].join('\n');
}

/** So many positions of an account are named. */
const LISTED = 15;

function accountLines(
  { broker, positions, problem, asOf }: AccountPositions,
  exchanges: readonly string[],
): readonly string[] {
  const held = positions.filter(
    ({ instrument, product, quantity }) =>
      product === 'INTRADAY' && quantity !== 0 && exchanges.includes(exchangeOf(instrument)),
  );
  const seen = asOf === null ? '' : `; as of ${readableTime(asOf)}:`;
  const unread =
    problem === null
      ? []
      : [`${broker}: its positions cannot be read (${problem}), look in its app${seen || '.'}`];
  const named = held
    .slice(0, LISTED)
    .map(({ instrument, quantity }) =>
      quantity > 0
        ? `${broker}: ${instrument}, ${quantity} bought`
        : `${broker}: ${instrument}, ${-quantity} sold`,
    );
  const more = held.length > LISTED ? [`${broker}: ${held.length - LISTED} more`] : [];
  return [...unread, ...named, ...more];
}

/** How long an exchange still trades (docs/spec/market-hours.md). */
function hoursOf(exchange: string): string {
  return exchange === 'NSE' || exchange === 'BSE'
    ? 'Shares trade until 15:15; then those that are eligible have a closing auction, with orders from 15:20 to 15:30.'
    : `${exchange} trades until ${closeOf(exchange)}.`;
}
