import type { DayReport, DayReportQuery, DayReportRead } from '../domain/day-report.ts';
import { tradingDay } from '../domain/ist.ts';
import { isTradingDay } from '../domain/market-hours.ts';
import { GatewayProblem } from '../domain/problem.ts';
import { multiplierOf } from '../execution/books/position-row.ts';
import type { Execution } from '../execution/execution.ts';
import type { Clock } from '../platform/clock.ts';
import type { TradingDay } from '../units/branded.ts';
import { asProblems } from './problems.ts';
import { accountOfKey, type ReportContext, rowsOf, wholeAccount } from './report-accounts.ts';
import { callersOf, groupsOf, ofKey } from './report-groups.ts';
import { createReportReads, type ReadAccount, type ReportReadsParts } from './report-reads.ts';

export function createDayReportRead(parts: ReportReadsParts): DayReportRead {
  const { execution, clock } = parts;
  const reads = createReportReads(parts);
  const multiplier: ReportContext['multiplier'] = (line) => multiplierOf(execution.state, line);

  async function quotesOf(accounts: readonly ReadAccount[]) {
    const rows = accounts.flatMap(({ group, positions }) => [
      ...(rowsOf(group, multiplier) ?? []),
      ...(positions !== null && !('reason' in positions) ? positions : []),
    ]);
    return reads.quotes(rows);
  }

  async function getDayReport({ caller, broker, ...asked }: DayReportQuery): Promise<DayReport> {
    const now = tradingDay(clock.now());
    const day = asked.day ?? now;
    await checkDay(execution, clock, day);
    const isToday = day === now;
    const book = await execution.dayBook(day);
    const groups = groupsOf(book, isToday ? await reads.accounts() : [])
      .filter((group) => broker === undefined || group.broker === broker)
      .filter((group) => caller === undefined || callersOf(group).includes(caller));
    const accounts = await Promise.all(groups.map((group) => reads.read(group, isToday)));
    const quotes = isToday ? await quotesOf(accounts) : new Map();
    const context: ReportContext = { isToday, quotes, multiplier };
    const callers = caller === undefined ? new Set(groups.flatMap(callersOf)) : [caller];
    return {
      ...{ day, isToday, isTradingDay: isTradingDay(day), asOf: clock.now() },
      accounts: caller === undefined ? accounts.map((each) => wholeAccount(each, context)) : null,
      keys: [...callers].map((key) => ({
        key,
        accounts: accounts
          .map((each) => ({ ...each, group: ofKey(each.group, key) }))
          .filter(({ group }) => callersOf(group).length > 0)
          .map((each) => accountOfKey(each, key, context)),
      })),
      unreadOrders: book.unread
        .filter((each) => caller === undefined || each.caller === caller)
        .map(({ id }) => id),
    };
  }

  return { getDayReport: (query = {}) => asProblems(() => getDayReport(query)) };
}

/** Throws where there is nothing to tell of a day. */
async function checkDay(
  execution: Pick<Execution, 'firstDay'>,
  clock: Clock,
  day: TradingDay,
): Promise<void> {
  const now = tradingDay(clock.now());
  if (day === now) return;
  if (day > now) {
    const detail = `the day ${day} has not begun: a day begins at 06:00 IST, and today is ${now}`;
    throw new GatewayProblem({ code: 'invalid_request', detail, mayHaveExecuted: false });
  }
  const first = await execution.firstDay();
  if (first !== null && day >= first) return;
  const since = first === null ? 'has no order yet' : `begins on ${first}`;
  const detail = `the journal ${since}, so that nothing is known of ${day}: ask for a later day`;
  throw new GatewayProblem({ code: 'unknown_day', detail, mayHaveExecuted: false });
}
