import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OWN_TRIGGER_STATUSES } from '../../../src/domain/trigger.ts';
import { createSqliteJournal } from '../../../src/execution/journal/journal.ts';
import type { Change } from '../../../src/execution/journal/records.ts';
import { JOURNAL_VERSION } from '../../../src/execution/journal/schema.ts';
import type { TriggerChangeRecord } from '../../../src/execution/triggers/trigger.ts';
import { triggerChangeKey } from '../../../src/execution/triggers/trigger.ts';
import { openDatabase } from '../../../src/platform/database.ts';
import { OLD_DIRECTORIES, openOldDataDirectory } from '../../data-directories/open.ts';
import { AT, triggerRecord, triggerState } from './makers.ts';

const put = (row: ReturnType<typeof triggerRecord>): Change => ({
  ...{ table: 'triggers', key: row.id, row },
});

const change = (changes: Partial<TriggerChangeRecord> = {}): TriggerChangeRecord => ({
  ...{ triggerId: 'trg_1', kind: 'modify', caller: 'admin', idempotencyKey: 'k' },
  ...{ requestHash: 'hash', terms: triggerRecord().terms, state: 'sending', reason: null },
  ...{ at: AT, settledAt: null },
  ...changes,
});

const putChange = (row: TriggerChangeRecord): Change => ({
  ...{ table: 'triggerChanges', key: triggerChangeKey(row), row },
});

const opened = () => {
  const database = openDatabase(':memory:');
  return { database, journal: createSqliteJournal(database) };
};

describe('the table of triggers', () => {
  it('gives every state back as it was written', async () => {
    const { journal } = opened();
    const rows = OWN_TRIGGER_STATUSES.map((kind, place) => {
      const found = triggerState(kind);
      const state =
        'binding' in found
          ? { ...found, binding: { ...found.binding, triggerId: `${place}` } }
          : found;
      return triggerRecord({ id: `trg_${kind}`, idempotencyKey: kind, state });
    });
    expect((await journal.commit(rows.map((row) => [put(row)]))).error).toBeNull();
    const read = await Promise.all(rows.map(({ id }) => journal.trigger(id)));
    expect(read).toEqual(rows);
  });

  it('gives back the terms that changes have replaced', async () => {
    const { journal } = opened();
    const { terms } = triggerRecord();
    const row = triggerRecord({ state: triggerState('waiting'), replacedTerms: [terms, terms] });
    expect((await journal.commit([[put(row)]])).error).toBeNull();
    expect(await journal.trigger(row.id)).toEqual(row);
  });

  it.each([
    ['two under one key', triggerRecord({ id: 'trg_2', state: triggerState('sending') })],
    [
      "one of the broker's for two of ours",
      triggerRecord({ id: 'trg_2', idempotencyKey: 'other', state: triggerState('waiting') }),
    ],
  ])('does not take %s', async (_what, second) => {
    const { journal } = opened();
    const first = triggerRecord({ state: triggerState('waiting') });
    const { committed } = await journal.commit([[put(first)], [put(second)]]);
    expect(committed).toBe(1);
  });

  it('takes one open modification of a trigger, and a deletion beside it', async () => {
    const { journal } = opened();
    const rows = [
      putChange(change()),
      putChange(change({ kind: 'delete', terms: null })),
      putChange(change({ idempotencyKey: 'other' })),
    ];
    const { committed } = await journal.commit([
      [put(triggerRecord())],
      ...rows.map((row) => [row]),
    ]);
    expect(committed).toBe(3);
  });

  it('loads those that may still place an order, however old, and their changes', async () => {
    const { journal } = opened();
    const old = { day: '2026-01-05', idempotencyKey: 'old' };
    const rows = [
      triggerRecord({ ...old, id: 'trg_1', state: triggerState('waiting') }),
      triggerRecord({ ...old, id: 'trg_2', idempotencyKey: 'over', state: triggerState('ended') }),
    ].map((row, place) =>
      'binding' in row.state
        ? {
            ...row,
            state: { ...row.state, binding: { ...row.state.binding, triggerId: `${place}` } },
          }
        : row,
    );
    await journal.commit([rows.map(put), [putChange(change())]]);
    const { changes } = await journal.load('2026-11-01');
    expect(changes.map(({ table, key }) => [table, key])).toEqual([
      ['triggers', 'trg_1'],
      ['triggerChanges', triggerChangeKey(change())],
    ]);
  });

  it('quarantines a row that does not fit, and loads the others', async () => {
    const { database, journal } = opened();
    await journal.commit([[put(triggerRecord({ state: triggerState('sending') }))]]);
    database.exec(`UPDATE triggers SET record = '{"id":"trg_1"}'`);
    const { changes, quarantine } = await journal.load('2026-11-01');
    expect(changes).toEqual([]);
    expect(quarantine.rows).toMatchObject([{ table: 'triggers', key: 'trg_1' }]);
    await expect(journal.trigger('trg_1')).rejects.toMatchObject({ code: 'journal_unavailable' });
  });

  it.each(OLD_DIRECTORIES)('is there after an older journal (%s) was migrated', async (name) => {
    using old = openOldDataDirectory(name);
    const database = openDatabase(join(old.directory, 'journal.db'));
    const journal = createSqliteJournal(database);
    const { error } = await journal.commit([[put(triggerRecord())], [putChange(change())]]);
    const version = database.prepare('PRAGMA user_version').get()?.['user_version'];
    expect([error, version]).toEqual([null, JOURNAL_VERSION]);
    database.close();
  });
});
