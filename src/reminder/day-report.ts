import type { DayReport, WholeAccountReport } from '../domain/day-report.ts';
import { istTime, readableTime, tradingDay } from '../domain/ist.ts';
import { closeOf, isTradingDay } from '../domain/market-hours.ts';
import { accountLine } from '../domain/report-words.ts';
import { type EpochMs, plus, type TradingDay } from '../units/branded.ts';
import { isSettled, type SlotRecord } from './policy.ts';

/** The post-close session of shares ends then (docs/spec/market-hours.md). */
const SHARES_OVER = '16:00';
/** What fills in the last moment is read by then. */
const AFTER_MS = 15 * 60_000;

/** When a report can be due, `HH:MM` IST: after shares and their derivatives, currencies, and commodities. */
export const REPORT_TIMES: readonly string[] = ['16:15', '17:15', '00:10'];

/** A day whose report is to be sent now. */
export interface DueReport {
  readonly day: TradingDay;
  /** Its slot (slots.ts). */
  readonly key: string;
  /** A message for it may have been sent before the process ended. */
  readonly again: boolean;
}

/**
 * Pure. The report of a trading day is due from a quarter of an hour after its last session, of the exchanges that were
 * traded and of the shares', until the next day begins at 06:00 IST. Where an exchange that closes later was first
 * traded after that, the day has another report after its close.
 */
export function dueReport(given: {
  readonly now: EpochMs;
  /** As in instruments' names: NSE, MCX, … */
  readonly exchanges: readonly string[];
  readonly records: readonly SlotRecord[];
}): DueReport | null {
  const { now, exchanges, records } = given;
  const day = tradingDay(now);
  if (!isTradingDay(day)) return null;
  const over = exchanges.map(closeOf).reduce(laterOf, SHARES_OVER);
  if (now < plus(istTime(day, over), AFTER_MS)) return null;
  const key = over === SHARES_OVER ? day : `${day} ${over}`;
  const record = records.find((each) => each.key === key);
  return isSettled(record) ? null : { day, key, again: record?.state === 'sending' };
}

/** The later of two times of day, `HH:MM`. */
const laterOf = (one: string, other: string): string => (one > other ? one : other);

/** What is sent; null where nothing was done at any account: then there is nothing to tell. */
export function dayReportText(
  report: DayReport,
  { again }: Pick<DueReport, 'again'>,
): string | null {
  const told = (report.accounts ?? []).filter(isWorthTelling);
  if (told.length === 0) return null;
  const unread = report.unreadOrders.length;
  return [
    `The day until ${readableTime(report.asOf)}:`,
    ...told.map(accountLine),
    ...(unread === 0
      ? []
      : [`${unread} orders of the journal cannot be read: they are in no figure.`]),
    ...(again ? ['This may come twice: the gateway stopped while it was being sent.'] : []),
  ].join('\n');
}

const isWorthTelling = ({
  orders,
  elsewhere,
  profit,
  uncertainOrders,
}: WholeAccountReport): boolean =>
  orders.placed > 0 ||
  (elsewhere ?? 0) > 0 ||
  uncertainOrders.length > 0 ||
  (profit.rupees ?? 0) !== 0;
