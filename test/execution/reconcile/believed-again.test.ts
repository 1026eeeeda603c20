import { expect, it } from 'vitest';
import { isBelieved } from '../../../src/execution/reconcile/ended-orders.ts';
import { plus } from '../../../src/units/branded.ts';
import { AT, bookRow, orderRecord } from '../support/makers.ts';

const ENDED = bookRow({ status: 'cancelled', rawStatus: 'CANCELLED', updatedAt: AT });
const order = orderRecord({ kind: 'cancelled', brokerOrderId: 'b1', row: ENDED });

it.each([
  ['is younger than the end', 1_000, 5_000],
  ['tells no time', null, 5_000],
  ['is older than the end', -1_000, 60_000],
])(
  'a row that works after the end and %s is believed once reads have shown it for long',
  (...row) => {
    const [, ms, wait] = row;
    const working = bookRow({ updatedAt: ms === null ? null : plus(AT, ms) });
    const believed = [undefined, wait - 1, wait].map((shownFor) =>
      isBelieved(order, working, shownFor),
    );
    expect(believed).toEqual([false, false, true]);
  },
);
