import { describe, expect, it } from 'vitest';
import { createSqliteJournal } from '../../../src/execution/journal/journal.ts';
import type { Change } from '../../../src/execution/journal/records.ts';
import type { AttemptRecord } from '../../../src/execution/order/attempt.ts';
import type { OrderRecord } from '../../../src/execution/order/order.ts';
import { openDatabase } from '../../../src/platform/database.ts';
import { attemptRecord, attemptState, cancelAttempt } from '../support/attempts.ts';
import { bookRow, DAY, orderRecord } from '../support/makers.ts';

const order = (row: OrderRecord): Change => ({ table: 'orders', key: row.id, row });
const attempt = (row: AttemptRecord): Change => ({ table: 'attempts', key: row.id, row });

describe('the class of a refusal', () => {
  it('is read back with its attempt and its row, and is not needed in those of older versions', async () => {
    const journal = createSqliteJournal(openDatabase(':memory:'));
    const row = bookRow({ status: 'rejected', filledQuantity: 0, rejection: 'price' });
    const rows = [
      order(orderRecord({ kind: 'rejected', filledQuantity: 0, row })),
      order(orderRecord({ id: 'ord_2' })),
      attempt(attemptRecord({ state: { ...attemptState('refused'), rejection: 'address' } })),
      attempt(
        attemptRecord({
          ...{ id: 'att_2', orderId: 'ord_2', tag: 'tag2' },
          state: { ...attemptState('not_sent'), cause: 'no_permit' },
        }),
      ),
      attempt(cancelAttempt({ id: 'att_3', orderId: 'ord_2', state: attemptState('refused') })),
    ];
    expect((await journal.commit([rows])).committed).toBe(1);
    const loaded = await journal.load(DAY);
    expect(loaded.quarantine.rows).toEqual([]);
    for (const { table, key, row: written } of rows) {
      expect(loaded.changes.find((each) => each.table === table && each.key === key)?.row).toEqual(
        written,
      );
    }
  });
});
