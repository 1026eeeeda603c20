import { expect, it } from 'vitest';
import { createSqliteJournal } from '../../../src/execution/journal/journal.ts';
import type { Change } from '../../../src/execution/journal/records.ts';
import { openDatabase } from '../../../src/platform/database.ts';
import { attemptRecord, attemptState } from '../support/attempts.ts';
import { DAY, orderRecord, OTHER_TAG, TAG } from '../support/makers.ts';

it('quarantines the order with its slice where the placing of the slice does not fit', async () => {
  const parent = orderRecord({ id: 'ord_1', kind: 'sliced' });
  const slices = [
    orderRecord({ id: 'ord_2', parentId: 'ord_1', brokerOrderId: 'b1' }),
    orderRecord({ id: 'ord_3', parentId: 'ord_1', brokerOrderId: 'b2' }),
  ];
  const placing = (id: string, orderId: string, tag: string): Change => ({
    table: 'attempts',
    key: id,
    row: attemptRecord({ id, orderId, tag, state: attemptState('acknowledged') }),
  });
  const rows: Change[] = [
    ...[parent, ...slices].map((row): Change => ({ table: 'orders', key: row.id, row })),
    placing('att_2', 'ord_2', TAG),
    placing('att_3', 'ord_3', OTHER_TAG),
  ];
  const database = openDatabase(':memory:');
  const journal = createSqliteJournal(database);
  expect((await journal.commit([rows])).committed).toBe(1);
  database.exec(`UPDATE attempts SET record = '{}' WHERE id = 'att_2'`);
  const { changes, quarantine } = await journal.load(DAY);
  expect(quarantine.hasOrder('ord_2')).toBe(true);
  // docs/orders.md, "Rows that do not fit": the parent of a slice is quarantined with it.
  expect(quarantine.hasOrder('ord_1')).toBe(true);
  const loaded = changes.flatMap(({ table, key }) => (table === 'orders' ? key : []));
  expect(loaded).toEqual(['ord_3']);
});
