import { describe, expect, it } from 'vitest';
import { ordersText } from '../../dashboard/src/pure/day-report.ts';

const NONE = {
  ...{ placed: 0, filled: 0, partial: 0, cancelled: 0, rejected: 0, notSent: 0 },
  ...{ open: 0, uncertain: 0, disputed: 0 },
};

describe('the orders of a report', () => {
  it('are told by how they stand, without what there is none of', () => {
    expect(ordersText({ ...NONE, placed: 1_204, filled: 1_202, uncertain: 1, notSent: 1 })).toBe(
      '1,204: 1,202 filled, 1 not sent, 1 uncertain',
    );
    expect(ordersText(NONE)).toBe('none');
  });
});
