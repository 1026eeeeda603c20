import { describe, expect, it } from 'vitest';
import type { OrderRequest } from '../../../src/domain/order.ts';
import type { Signal } from '../../../src/domain/signal.ts';
import { createSqliteJournal } from '../../../src/execution/journal/journal.ts';
import { removeOldSignals, SIGNALS_KEPT } from '../../../src/execution/journal/signal-retention.ts';
import { openDatabase } from '../../../src/platform/database.ts';
import { createLog, createPino } from '../../../src/platform/log.ts';
import { type EpochMs, epochMs, plus } from '../../../src/units/branded.ts';
import { VirtualTime } from '../../support/virtual-time.ts';

const DAY_MS = 86_400_000;
const ALL = { caller: null, state: null, before: null, limit: 100_000 };

/** A signal whose order was refused, or is still open. */
function signal(number: number, receivedAt: EpochMs, isOpen = false): Signal {
  const request: OrderRequest = {
    ...{ instrument: 'NSE:INFY', side: 'BUY', quantity: 1, orderType: 'MARKET', product: 'CNC' },
    ...{ validity: 'DAY', price: null, triggerPrice: null, amo: false, tag: null, broker: null },
    mode: null,
  };
  const problem = isOpen ? null : { code: 'kill_switch', detail: 'a pause' };
  return {
    ...{ id: `sig_${String(number).padStart(6, '0')}`, hookId: 'hook_1', hookName: 'a hook' },
    ...{ caller: 'key_1', mode: 'paper', alertId: `alert ${number}`, alertAt: null, receivedAt },
    orders: [{ idempotencyKey: `sig-${number}`, request, orderId: null, problem }],
    problem: null,
  };
}

/** A journal with these signals. */
async function journalWith(signals: readonly Signal[]) {
  const database = openDatabase(':memory:');
  const journal = createSqliteJournal(database);
  await journal.commit([signals.map((row) => ({ table: 'signals', key: row.id, row }))]);
  const numbers = async () =>
    (await journal.newestSignals(ALL)).map(({ id }) => Number(id.slice(4))).reverse();
  return { journal, numbers, database };
}

const daily = (count: number, isOpen: (number: number) => boolean = () => false) =>
  Array.from({ length: count }, (_, day) =>
    signal(day + 1, epochMs(day * DAY_MS), isOpen(day + 1)),
  );

describe('the rows of signals', () => {
  it('that do not fit hold up neither the list, page by page, nor what is removed', async () => {
    const { journal, database } = await journalWith(daily(10));
    database.exec(
      `UPDATE signals SET record = iif(id = 'sig_000003', '{', '{}') WHERE id IN ('sig_000003', 'sig_000009')`,
    );
    const page = async (before: string | null) =>
      (await journal.newestSignals({ ...ALL, limit: 4, before })).map(({ id }) =>
        Number(id.slice(4)),
      );
    expect(await page(null)).toEqual([10, 8, 7, 6]);
    expect(await page('sig_000006')).toEqual([5, 4, 2, 1]);
    const before = epochMs(5 * DAY_MS);
    expect(journal.removeSignals({ before, atLeast: 1, atMost: 100 }, 100)).toBe(5);
  });

  it('go oldest first by age, and the newest stay where a clock is wrong', async () => {
    const { journal, numbers } = await journalWith(daily(10));
    const before = epochMs(4 * DAY_MS);
    expect(journal.removeSignals({ before, atLeast: 8, atMost: 100 }, 100)).toBe(2);
    expect(await numbers()).toEqual([3, 4, 5, 6, 7, 8, 9, 10]);
    expect(journal.removeSignals({ before, atLeast: 1, atMost: 100 }, 1)).toBe(1);
    expect(journal.removeSignals({ before, atLeast: 1, atMost: 100 }, 100)).toBe(1);
    expect(journal.removeSignals({ before, atLeast: 1, atMost: 100 }, 100)).toBe(0);
    expect(await numbers()).toEqual([5, 6, 7, 8, 9, 10]);
  });

  it('go by number, but for those whose orders are open', async () => {
    const { journal, numbers } = await journalWith(daily(10, (number) => number < 3));
    const none = { before: epochMs(0), atLeast: 1, atMost: 6 };
    expect(journal.removeSignals(none, 100)).toBe(4);
    expect(await numbers()).toEqual([1, 2, 7, 8, 9, 10]);
    expect(journal.removeSignals({ ...none, before: epochMs(99 * DAY_MS) }, 100)).toBe(4);
    expect(await numbers()).toEqual([1, 2]);
    expect((await journal.openSignals()).signals).toHaveLength(2);
  });

  it('go by themselves, a few at a time', async () => {
    const { atLeast, days } = SIGNALS_KEPT;
    const time = new VirtualTime('2026-11-06T11:00:00+05:30');
    const old = plus(time.now(), -(days + 1) * DAY_MS);
    const all = Array.from({ length: atLeast + 700 }, (_, place) => signal(place, old));
    const { journal } = await journalWith(all);
    const isKept = async (number: number) =>
      (await journal.signalOfAlert('hook_1', `alert ${number}`)) !== null;
    const log = createLog(createPino('silent', { write: () => undefined }));
    const stop = removeOldSignals({ journal, clock: time, scheduler: time, log });
    await time.advance(1_000);
    expect([await isKept(499), await isKept(500)]).toEqual([false, true]);
    await time.advance(2 * 3_600_000);
    expect([await isKept(699), await isKept(700)]).toEqual([false, true]);
    stop();
  });
});
