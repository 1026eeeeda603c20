import type { DayReport, WholeAccountReport } from '../domain/day-report.ts';
import { istTime, readableTime, tradingDay } from '../domain/ist.ts';
import { closeOf, isTradingDay } from '../domain/market-hours.ts';
import { accountLine } from '../domain/report-words.ts';
import { type EpochMs, later, plus, type TradingDay } from '../units/branded.ts';
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
  /** A message for it may have been sent before the process ended. */
  readonly again: boolean;
}

/**
 * Pure. The report of a trading day is due from a quarter of an hour after its last session, of the exchanges that were
 * traded and of the shares', until the next day begins at 06:00 IST.
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
  const over = exchanges.reduce(
    (last, exchange) => later(last, istTime(day, closeOf(exchange))),
    istTime(day, SHARES_OVER),
  );
  if (now < plus(over, AFTER_MS)) return null;
  const record = records.find(({ key }) => key === day);
  return isSettled(record) ? null : { day, again: record?.state === 'sending' };
}

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
