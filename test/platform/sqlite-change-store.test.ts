import { describe, expect, it } from 'vitest';
import {
  createSqliteChangeStore,
  type Database,
  openDatabase,
} from '../../src/platform/database.ts';
import { failingDatabase } from '../support/failing-database.ts';

/** A table whose numbers are unique. */
function bench(wrap: (real: Database) => Database = (real) => real) {
  const real = openDatabase(':memory:');
  real.exec('CREATE TABLE numbers (n INTEGER PRIMARY KEY) STRICT');
  const calls: string[] = [];
  const database = wrap(real);
  const insert = database.prepare('INSERT INTO numbers (n) VALUES (?)');
  const store = createSqliteChangeStore<number>(
    { ...database, begin: () => (calls.push('begin'), database.begin()) },
    (n) => void insert.run(n),
  );
  const numbers = () =>
    real
      .prepare('SELECT n FROM numbers ORDER BY n')
      .all()
      .map(({ n }) => n);
  return { store, numbers, calls, real };
}

describe('units of changes', () => {
  it('are written in one transaction', async () => {
    const { store, numbers, calls } = bench();
    expect(await store.commit([[1], [2, 3], [4]])).toEqual({ committed: 3, error: null });
    expect(numbers()).toEqual([1, 2, 3, 4]);
    expect(calls).toEqual(['begin']);
  });

  it('before a refused one are kept; that one and those after it are not', async () => {
    const { store, numbers } = bench();
    const { committed, error } = await store.commit([[1], [2], [3, 1], [4]]);
    expect(committed).toBe(2);
    expect(String(error)).toContain('UNIQUE');
    expect(numbers()).toEqual([1, 2]);
  });

  it('are all refused with the first', async () => {
    const { store, numbers } = bench();
    await store.commit([[1]]);
    expect(await store.commit([[1], [2]])).toMatchObject({ committed: 0 });
    expect(numbers()).toEqual([1]);
  });

  it('can be written after a refusal', async () => {
    const { store, numbers } = bench();
    await store.commit([[1], [1]]);
    expect(await store.commit([[2]])).toEqual({ committed: 1, error: null });
    expect(numbers()).toEqual([1, 2]);
  });

  it('may be empty', async () => {
    expect(await bench().store.commit([])).toEqual({ committed: 0, error: null });
  });
});

describe('a commit that fails', () => {
  it('writes nothing, gives the reason, and does not prevent the next commit', async () => {
    let disk!: ReturnType<typeof failingDatabase>;
    const { store, numbers } = bench((real) => (disk = failingDatabase(real)).database);
    disk.fail();
    const result = await store.commit([[1], [2]]);
    expect(result).toEqual({ committed: 0, error: new Error('database or disk is full') });
    expect(numbers()).toEqual([]);
    disk.heal();
    expect(await store.commit([[1], [2]])).toMatchObject({ committed: 2 });
    expect(numbers()).toEqual([1, 2]);
  });

  it('on the second attempt, without the refused unit, writes nothing either', async () => {
    let disk!: ReturnType<typeof failingDatabase>;
    const { store, numbers } = bench((real) => (disk = failingDatabase(real)).database);
    disk.fail();
    expect(await store.commit([[1], [1]])).toMatchObject({ committed: 0 });
    disk.heal();
    expect(numbers()).toEqual([]);
  });

  it('is reported also when the transaction could not begin', async () => {
    const { store } = bench((real) => ({
      ...real,
      begin() {
        throw new Error('database is locked');
      },
    }));
    expect(await store.commit([[1]])).toEqual({
      committed: 0,
      error: new Error('database is locked'),
    });
  });

  it('is reported also when the transaction cannot be rolled back', async () => {
    const { store } = bench((real) => ({
      ...real,
      commit() {
        throw new Error('disk I/O error');
      },
      rollback() {
        throw new Error('no transaction is active');
      },
    }));
    expect(await store.commit([[1]])).toEqual({
      committed: 0,
      error: new Error('disk I/O error'),
    });
  });
});
