import { describe, expect, it } from 'vitest';
import type { GatewayEvent } from '../../../src/events/event-log.ts';
import { EVENTS_KEPT, removeOldEvents } from '../../../src/execution/journal/event-retention.ts';
import { createSqliteJournal } from '../../../src/execution/journal/journal.ts';
import type { Change } from '../../../src/execution/journal/records.ts';
import { openDatabase } from '../../../src/platform/database.ts';
import { createLog, createPino } from '../../../src/platform/log.ts';
import { epochMs, plus } from '../../../src/units/branded.ts';
import { VirtualTime } from '../../support/virtual-time.ts';

const DAY_MS = 86_400_000;
const AT = epochMs(100 * DAY_MS);

const change = (sequence: number, at: GatewayEvent['at']): Change => ({
  table: 'events',
  key: String(sequence),
  row: { sequence, at, type: 'alert', orderId: null, data: {} },
});

/** A journal with an event for each day since the epoch. */
async function journalOfDays(count: number) {
  const database = openDatabase(':memory:');
  const journal = createSqliteJournal(database, null, 'a');
  const events = Array.from({ length: count }, (_, day) => change(day + 1, epochMs(day * DAY_MS)));
  await journal.commit([events]);
  const sequences = async (): Promise<number[]> =>
    (await journal.eventsAfter(0, 1_000_000)).map(({ sequence }) => sequence);
  return { database, journal, sequences };
}

describe('the rows of events', () => {
  it('have the epoch of the gateway that wrote them', async () => {
    const { database, journal } = await journalOfDays(1);
    const later = createSqliteJournal(database, null, 'b');
    await later.commit([[change(2, AT)]]);
    expect([await journal.epochOf(1), await journal.epochOf(2), await journal.epochOf(3)]).toEqual([
      'a',
      'b',
      undefined,
    ]);
    expect((await later.eventsAfter(0, 9)).map(({ epoch }) => epoch)).toEqual(['a', 'b']);
  });

  it('go oldest first, and never the newest one', async () => {
    const { database, journal, sequences } = await journalOfDays(5);
    expect(() => database.exec('DELETE FROM events WHERE sequence = 3')).toThrow(/oldest/);
    expect(() => database.exec('DELETE FROM events')).toThrow(/oldest/);
    const all = { before: AT, atLeast: 0, atMost: 100 };
    expect(() => journal.removeEvents(all, 100)).toThrow(/oldest/);
    expect(await sequences()).toEqual([1, 2, 3, 4, 5]);
    expect(journal.removeEvents({ ...all, atLeast: 1 }, 2)).toBe(2);
    expect(await sequences()).toEqual([3, 4, 5]);
    expect(await journal.beforeFirstEvent()).toBe(2);
  });

  it('stay by age and by number', async () => {
    const { journal, sequences } = await journalOfDays(10);
    const before = epochMs(4 * DAY_MS);
    expect(journal.removeEvents({ before, atLeast: 8, atMost: 100 }, 100)).toBe(2);
    expect(journal.removeEvents({ before, atLeast: 1, atMost: 100 }, 100)).toBe(2);
    expect(journal.removeEvents({ before, atLeast: 1, atMost: 100 }, 100)).toBe(0);
    expect(journal.removeEvents({ before, atLeast: 1, atMost: 4 }, 100)).toBe(2);
    expect(await sequences()).toEqual([7, 8, 9, 10]);
  });

  it('take the next sequence after old ones went', async () => {
    const { journal, sequences } = await journalOfDays(3);
    journal.removeEvents({ before: AT, atLeast: 1, atMost: 100 }, 100);
    expect((await journal.commit([[change(4, AT)]])).error).toBeNull();
    expect(await sequences()).toEqual([3, 4]);
  });
});

describe('old events', () => {
  it('go by themselves, a few at a time, and not where a wrong clock calls all of them old', async () => {
    const { atLeast, days } = EVENTS_KEPT;
    const time = new VirtualTime('2026-11-06T11:00:00+05:30');
    const journal = createSqliteJournal(openDatabase(':memory:'), null, 'a');
    const old = plus(time.now(), -(days + 1) * DAY_MS);
    const events = Array.from({ length: atLeast + 700 }, (_, place) => change(place + 1, old));
    await journal.commit([events]);
    const log = createLog(createPino('silent', { write: () => undefined }));
    const stop = removeOldEvents({ journal, clock: time, scheduler: time, log });
    await time.advance(1_000);
    expect(await journal.beforeFirstEvent()).toBe(500);
    await time.advance(2 * 3_600_000);
    expect(await journal.beforeFirstEvent()).toBe(700);
    stop();
  });

  it('stay until the next time where the database takes nothing', async () => {
    const time = new VirtualTime('2026-11-06T11:00:00+05:30');
    const lines: string[] = [];
    const log = createLog(createPino('info', { write: (line: string) => void lines.push(line) }));
    let asked = 0;
    const journal = {
      removeEvents(): number {
        asked += 1;
        throw new Error('disk I/O error');
      },
    };
    const stop = removeOldEvents({ journal, clock: time, scheduler: time, log });
    await time.advance(2 * 3_600_000);
    expect([asked, lines.length]).toEqual([2, 2]);
    stop();
    await time.advance(4 * 3_600_000);
    expect(asked).toBe(2);
  });
});
