import { describe, expect, it } from 'vitest';
import type { BrokerOrder } from '../../../src/domain/broker-order.ts';
import { createExternalResting } from '../../../src/execution/exits/external-resting.ts';
import type { ExitParts } from '../../../src/execution/exits/exit-parts.ts';
import type { ExitRecord } from '../../../src/execution/exits/exit.ts';
import { AT, bookRow, ist, stateOf } from '../support/makers.ts';

/** What rests for an exit of NSE:INFY that cancels orders placed elsewhere, by a book with one row. */
function restingOf(row: Partial<BrokerOrder>): readonly unknown[] {
  const rows = [bookRow({ side: 'SELL', ...row })];
  const parts = {
    clock: {},
    writer: { state: stateOf() },
    poller: () => ({ lastRead: () => ({ rows, unread: [], begunAt: AT }) }),
  } as unknown as ExitParts;
  const exit = {
    ...{ id: 'exit_1', broker: 'primary', instrument: 'NSE:INFY', product: 'CNC', side: 'SELL' },
    ...{ quantity: null, orderId: null, cancelExternal: true },
  } as unknown as ExitRecord;
  return createExternalResting(parts, () => null).resting(exit);
}

describe('an order placed elsewhere that an exit is to cancel', () => {
  it('is one of today, and one that was placed last evening for today', () => {
    expect(restingOf({})).toHaveLength(1);
    const evening = ist('2026-11-05T17:00:00');
    expect(restingOf({ createdAt: evening, updatedAt: evening })).toHaveLength(1);
  });

  it('is none of the session before, whose book the broker has not cleared yet', () => {
    const before = ist('2026-11-05T11:00:00');
    expect(restingOf({ createdAt: before, updatedAt: before })).toEqual([]);
  });
});
