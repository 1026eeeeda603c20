import { describe, expect, it } from 'vitest';
import type { DayReport } from '../../src/domain/day-report.ts';
import { createLog, createPino } from '../../src/platform/log.ts';
import { createDayReportMessage } from '../../src/reminder/day-report-message.ts';
import { openReminderFile } from '../../src/reminder/reminder-file.ts';
import { ACCOUNT_REPORT, DAY_REPORT } from '../routes/support/report-sample.ts';
import { AWAY, fakeMessenger } from '../support/fake-messenger.ts';
import { openVirtualCron } from '../support/virtual-cron.ts';
import { VirtualTime } from '../support/virtual-time.ts';
import { memoryFiles } from '../token-store/support/memory-files.ts';

const IDLE: DayReport = { ...DAY_REPORT, accounts: [] };

async function reportBench(start: string) {
  const time = new VirtualTime(start);
  const files = memoryFiles();
  const messenger = fakeMessenger();
  const log = createLog(createPino('silent', { write: () => undefined }));
  const cron = await openVirtualCron({ clock: time, scheduler: time, log });
  const days: string[] = [];
  const bench = {
    ...{ time, messenger, days },
    exchanges: ['NSE'] as readonly string[],
    report: DAY_REPORT,
    start: () =>
      createDayReportMessage({
        ...{ messenger, cron, clock: time, scheduler: time, log },
        file: openReminderFile({ files, log, path: 'data/day-report.json' }),
        exchanges: () => bench.exchanges,
        report: async (day) => {
          days.push(day);
          return bench.report;
        },
      }),
  };
  return bench;
}

describe('the report of the day', () => {
  it('is sent once, a quarter of an hour after the last session, also over a restart', async () => {
    const { time, messenger, days, start } = await reportBench('2026-11-06T09:00:00+05:30');
    const first = start();
    await time.advanceTo('2026-11-06T16:14:59+05:30');
    expect(messenger.texts).toEqual([]);
    await time.advanceTo('2026-11-06T16:15:00+05:30');
    expect(messenger.texts).toHaveLength(1);
    first[Symbol.dispose]();
    start();
    await time.advanceTo('2026-11-06T23:00:00+05:30');
    expect([messenger.texts.length, days]).toEqual([1, ['2026-11-06']]);
  });

  it('waits for the close of commodities, past midnight, where some were traded', async () => {
    const bench = await reportBench('2026-11-06T16:00:00+05:30');
    bench.exchanges = ['NSE', 'MCX'];
    bench.start();
    await bench.time.advanceTo('2026-11-07T00:09:59+05:30');
    expect(bench.messenger.texts).toEqual([]);
    await bench.time.advanceTo('2026-11-07T00:10:00+05:30');
    expect([bench.messenger.texts.length, bench.days]).toEqual([1, ['2026-11-06']]);
  });

  it.each([
    ['after a morning in shares', DAY_REPORT, 2],
    ['after a day on which nothing was done', IDLE, 1],
  ])(
    'is sent after the close of commodities that are first traded in the evening, %s',
    async (_, morning, texts) => {
      const bench = await reportBench('2026-11-06T16:00:00+05:30');
      bench.report = morning;
      bench.start();
      await bench.time.advanceTo('2026-11-06T18:00:00+05:30');
      [bench.exchanges, bench.report] = [['NSE', 'MCX'], DAY_REPORT];
      await bench.time.advanceTo('2026-11-07T00:09:59+05:30');
      expect(bench.messenger.texts).toHaveLength(texts - 1);
      await bench.time.advanceTo('2026-11-07T05:00:00+05:30');
      expect(bench.messenger.texts).toHaveLength(texts);
    },
  );

  it('is not sent on a day without trading', async () => {
    const { time, messenger, days, start } = await reportBench('2026-11-07T09:00:00+05:30');
    start();
    await time.advanceTo('2026-11-08T23:00:00+05:30');
    expect([messenger.texts, days]).toEqual([[], []]);
  });

  it('is sent by a gateway that was away in the evening, and no more once the next day has begun', async () => {
    const late = await reportBench('2026-11-06T22:00:00+05:30');
    late.start();
    await late.time.advance(1_000);
    expect(late.messenger.texts).toHaveLength(1);
    const tooLate = await reportBench('2026-11-09T06:00:00+05:30');
    tooLate.start();
    await tooLate.time.advance(1_000);
    expect(tooLate.messenger.texts).toEqual([]);
  });

  it('is sent as soon as the messenger is there again', async () => {
    const bench = await reportBench('2026-11-06T16:10:00+05:30');
    bench.messenger.always = AWAY;
    bench.start();
    await bench.time.advanceTo('2026-11-06T16:20:30+05:30');
    expect(bench.messenger.texts).toEqual([]);
    bench.messenger.always = null;
    await bench.time.advanceTo('2026-11-06T16:22:00+05:30');
    expect(bench.messenger.texts).toHaveLength(1);
  });

  it('tells each account at which something was done, and what is not known', async () => {
    const bench = await reportBench('2026-11-06T16:15:00+05:30');
    const orders = { ...ACCOUNT_REPORT.orders, placed: 0, filled: 0, uncertain: 0 };
    const idle = { ...ACCOUNT_REPORT, orders, uncertainOrders: [], elsewhere: 0 };
    const alt = { ...ACCOUNT_REPORT, elsewhere: 2 };
    bench.report = { ...DAY_REPORT, accounts: [alt, { ...idle, broker: 'primary' }] };
    bench.start();
    await bench.time.advance(1_000);
    expect(bench.messenger.texts).toEqual([
      'The day until Mon 23 Nov, 09:30 IST:\n' +
        'LIVE alt: profit not known (the account cannot be read), charges ₹24.31 (estimate), ' +
        'after charges not known; 3 orders: 2 filled, 1 uncertain, and 2 placed elsewhere.\n' +
        'It is not known how much has filled of ord_3.',
    ]);
  });

  it('is not sent where nothing was done, and not asked for again', async () => {
    const bench = await reportBench('2026-11-06T16:10:00+05:30');
    bench.report = IDLE;
    bench.start();
    await bench.time.advanceTo('2026-11-06T18:00:00+05:30');
    expect([bench.messenger.texts, bench.days.length]).toEqual([[], 1]);
  });
});
