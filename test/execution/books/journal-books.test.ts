import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { keyPositions } from '../../../src/execution/books/books-of-state.ts';
import { KeyBooks } from '../../../src/execution/books/key-books.ts';
import { createSqliteJournal } from '../../../src/execution/journal/journal.ts';
import { applyChange, createState } from '../../../src/execution/journal/state.ts';
import { openDatabase } from '../../../src/platform/database.ts';
import type { TradingDay } from '../../../src/units/branded.ts';
import { openOldDataDirectory } from '../../data-directories/open.ts';
import { BookWorld } from './book-world.ts';

const SEEDS = Array.from({ length: 12 }, (_, number) => `books ${number}`);

describe.each(SEEDS)('the books of all keys over days of orders (%s)', (seed) => {
  it('hold what each key has filled, after corrections, restarts and days that have left memory', async () => {
    const world = new BookWorld(seed);
    const wrong: string[] = [];
    const happened = new Set<string>();
    for (let step = 0; step < 250 && wrong.length === 0; step += 1) {
      const what = await world.step();
      happened.add(what);
      wrong.push(...world.wrong().map((each) => `step ${step}, ${what}: ${each}`));
    }
    expect(wrong).toEqual([]);
    expect([...happened].sort()).toEqual([
      ...['cancel', 'correct', 'day', 'fill', 'look', 'place', 'restart', 'trigger'],
    ]);
    world.database.close();
  });
});

describe('the totals of days that have left memory', () => {
  it('are computed anew from the orders where a row of them cannot be read', async () => {
    const world = new BookWorld('books 3');
    const wrong: string[] = [];
    for (let step = 0; step < 250; step += 1) {
      await world.step();
      if (step % 50 === 49) world.database.exec(`UPDATE key_totals SET record = '{"line":'`);
      wrong.push(...world.wrong().map((each) => `step ${step}: ${each}`));
    }
    expect(wrong).toEqual([]);
    const rows = world.database.prepare('SELECT count(*) AS rows FROM key_totals').get();
    expect(Number(rows?.['rows'])).toBeGreaterThan(0);
    world.database.close();
  });
});

describe('the books of orders that an older version wrote', () => {
  it('are the same in memory and once they have left it', async () => {
    using old = openOldDataDirectory('afternoon');
    const database = openDatabase(join(old.directory, 'journal.db'));
    const linesOn = async (sinceDay: TradingDay): Promise<readonly string[]> => {
      const { changes, totals } = await createSqliteJournal(database).load(sinceDay);
      const state = createState('throw', undefined, new KeyBooks(totals));
      for (const change of changes) applyChange(state, change);
      return keyPositions(state, '2099-01-05', () => true)
        .map(({ line, quantity }) => `${JSON.stringify(line)} ${quantity}`)
        .sort();
    };
    const inMemory = await linesOn('2026-01-01');
    expect(inMemory.length).toBeGreaterThan(0);
    expect(await linesOn('2099-01-01')).toEqual(inMemory);
    expect(await linesOn('2026-01-01')).toEqual(inMemory);
    database.close();
  });
});
