import { z } from 'zod';
import { allows } from '../callers/caller.ts';
import type { AccountReport, DayReport } from '../domain/day-report.ts';
import { istIso } from '../domain/ist.ts';
import type { Gateway } from '../router/gateway.ts';
import {
  type BrokerInputs,
  day,
  defineRoute,
  enveloped,
  json,
  type Route,
  success,
} from './define-route.ts';
import type { KeyRegistry } from './keys.ts';
import { dayReportSchema } from './report-schemas.ts';

const dayOrToday = z
  .string()
  .refine(
    (text) => text === 'today' || day.safeParse(text).success,
    'takes a day, YYYY-MM-DD, or today',
  )
  .meta({
    description: 'A trading day, YYYY-MM-DD, from 06:00 IST to 06:00; or `today`',
    example: '2026-11-23',
    override: { type: 'string', pattern: '^(today|[0-9]{4}-[0-9]{2}-[0-9]{2})$' },
  });

/** What was done on a day: orders, fills, charges and profit (docs/reports.md). */
export function reportRoutes(
  gateway: Pick<Gateway, 'getDayReport'>,
  keys: Pick<KeyRegistry, 'list'>,
  { brokerQuery }: Pick<BrokerInputs, 'brokerQuery'>,
): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/v1/reports/{day}',
      scope: 'read',
      operationId: 'getDayReport',
      tag: 'Account',
      summary: 'Orders, fills, charges and profit of a day: of each account and key, or of one key',
      params: z.strictObject({ day: dayOrToday }),
      query: brokerQuery,
      problems: ['unknown_day', 'journal_unavailable'],
      replies: { 200: { description: 'The report', schema: enveloped(dayReportSchema) } },
      handler: async ({ params, query: { broker }, caller }) => {
        const report = await gateway.getDayReport({
          day: params.day === 'today' ? undefined : params.day,
          caller: allows(caller.scope, 'admin') ? undefined : caller.id,
          broker,
        });
        return json(200, success(reportView(report, keys)));
      },
    }),
  ];
}

function reportView(
  report: DayReport,
  keys: Pick<KeyRegistry, 'list'>,
): z.output<typeof dayReportSchema> {
  const names = new Map(keys.list().map(({ id, name }) => [id, name]));
  return {
    ...report,
    asOf: istIso(report.asOf),
    accounts:
      report.accounts &&
      report.accounts.map(({ elsewhere, ...each }) => ({ ...accountView(each), elsewhere })),
    keys: report.keys.map(({ key, accounts }) => ({
      ...{ key, name: names.get(key) ?? null },
      accounts: accounts.map(accountView),
    })),
    unreadOrders: [...report.unreadOrders],
  };
}

const accountView = ({ uncertainOrders, ...account }: AccountReport) => ({
  ...account,
  uncertainOrders: [...uncertainOrders],
});
