import { describe, expect, it } from 'vitest';
import { rowStatus } from '../../../src/adapters/alt/status.ts';

describe('the status of a row', () => {
  it.each([
    ['COMPLETE', 10, 'filled'],
    ['COMPLETE', null, 'filled'],
    ['CANCELLED', 0, 'cancelled'],
    ['CANCELLED', null, 'cancelled'],
    ['CANCELLED', 4, 'partial'],
    ['CANCELLED AMO', 0, 'cancelled'],
    ['LAPSED', 0, 'cancelled'],
    ['LAPSED', 4, 'partial'],
    ['REJECTED', 0, 'rejected'],
    ['REJECTED', 4, 'partial'],
    ['PUT ORDER REQ RECEIVED', 0, 'working'],
    ['VALIDATION PENDING', 0, 'working'],
    ['OPEN PENDING', 0, 'working'],
    ['OPEN', 0, 'working'],
    ['OPEN', 4, 'working'],
    ['MODIFY VALIDATION PENDING', 0, 'working'],
    ['MODIFY PENDING', 0, 'working'],
    ['MODIFIED', 0, 'working'],
    ['NOT MODIFIED', 0, 'working'],
    ['TRIGGER PENDING', 0, 'working'],
    ['CANCEL PENDING', 0, 'working'],
    ['AMO REQ RECEIVED', 0, 'working'],
    ['MODIFY AMO REQ RECEIVED', 0, 'working'],
    ['open ', 0, 'working'],
    ['EXPIRED', 0, 'unrecognised'],
    ['', 0, 'unrecognised'],
  ] as const)('%j with %j filled is %s', (raw, filled, status) => {
    expect(rowStatus(raw, filled)).toBe(status);
  });
});
