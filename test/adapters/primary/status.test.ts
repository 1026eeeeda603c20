import { describe, expect, it } from 'vitest';
import type { RowStatus } from '../../../src/domain/order.ts';
import { readStatus } from '../../../src/adapters/primary/status.ts';

const status = (raw: string): RowStatus => readStatus(raw, 10, null, []).status;

describe('a word that nobody has declared', () => {
  it('is working on the row of a smart order, and unrecognised on any other', () => {
    expect(readStatus('ACTIVE', 10, 0, [], true).status).toBe('working');
    expect(readStatus('ACTIVE', 10, 0, []).status).toBe('unrecognised');
  });
});

describe('a status of the primary brokerage', () => {
  const declared: readonly (readonly [string, RowStatus])[] = [
    ['QUEUED', 'working'],
    ['O-PENDING', 'working'],
    ['SL-PENDING', 'working'],
    ['PROCESSING', 'working'],
    ['INITIATED', 'working'],
    ['MODIFIED', 'working'],
    ['PENDING', 'working'],
    ['PARTIALLY FILLED', 'working'],
    ['SUCCESS', 'filled'],
    ['PARTIALLY FILLED - CANCELLED', 'partial'],
    ['PARTIALLY FILLED - EXPIRED', 'partial'],
    ['CANCELLED', 'cancelled'],
    ['EXPIRED', 'cancelled'],
    ['FAILED', 'rejected'],
    ['ABORTED', 'rejected'],
  ];
  it.each(declared)('%s is %s', (raw, expected) => {
    expect(status(raw)).toBe(expected);
  });

  const aliases: readonly (readonly [string, RowStatus])[] = [
    ['REJECTED', 'rejected'],
    ['RJ', 'rejected'],
    ['COMPLETE', 'filled'],
    ['OPEN', 'working'],
    ['PARTIALLY_EXECUTED', 'working'],
    ['PF-CANCELLED', 'partial'],
    ['PFC', 'partial'],
    ['PF-EXPIRED', 'partial'],
  ];
  it.each(aliases)('alias %s is %s', (raw, expected) => {
    expect(status(raw)).toBe(expected);
  });

  const spellings: readonly (readonly [string, RowStatus])[] = [
    ['success', 'filled'],
    ['Partially Filled', 'working'],
    ['PARTIALLY_FILLED', 'working'],
    ['PARTIALLY FILLED-CANCELLED', 'partial'],
    ['partially_filled -expired', 'partial'],
    ['PARTIALLY  FILLED –  CANCELLED', 'partial'],
    ['O - PENDING', 'working'],
    ['sl_pending', 'working'],
    [' pfc ', 'partial'],
  ];
  it.each(spellings)('%j is read as %s', (raw, expected) => {
    expect(status(raw)).toBe(expected);
  });

  it.each(['TRIGGER PENDING', 'CANCELED', 'PF', 'S', ''])('%j is unrecognised', (raw) => {
    expect(status(raw)).toBe('unrecognised');
  });
});

describe('quantities beside a status', () => {
  it.each<[string, RowStatus]>([
    ['SUCCESS', 'filled'],
    ['PENDING', 'working'],
    ['PARTIALLY FILLED', 'working'],
    ['CANCELLED', 'partial'],
    ['FAILED', 'partial'],
    ['PARTIALLY FILLED - CANCELLED', 'partial'],
    ['NEVER SEEN', 'unrecognised'],
  ])('are told when all is traded under %s, which stays %s', (raw, expected) => {
    expect(readStatus(raw, 10, 10, [])).toEqual({ status: expected, filledQuantity: 10 });
  });

  it('count no more than the order’s quantity', () => {
    expect(readStatus('SUCCESS', 10, 12, []).filledQuantity).toBe(10);
  });

  it.each<[string, RowStatus]>([
    ['O-PENDING', 'working'],
    ['PARTIALLY FILLED', 'working'],
    ['CANCELLED', 'partial'],
    ['NEVER SEEN', 'unrecognised'],
  ])('are unknown when more has traded than was requested under %s', (raw, expected) => {
    expect(readStatus(raw, 4, 6, [])).toEqual({ status: expected, filledQuantity: null });
  });

  it.each(['CANCELLED', 'EXPIRED', 'FAILED', 'ABORTED', 'REJECTED'])(
    'make an order partial when something traded under %s',
    (raw) => {
      expect(readStatus(raw, 10, 4, [])).toEqual({ status: 'partial', filledQuantity: 4 });
    },
  );

  it.each(['PENDING', 'QUEUED', 'PARTIALLY FILLED', 'PARTIALLY FILLED - EXPIRED', 'NEVER SEEN'])(
    'leave the fill unknown when %s comes without them',
    (raw) => {
      expect(readStatus(raw, 10, null, []).filledQuantity).toBeNull();
    },
  );

  it.each(['CANCELLED', 'EXPIRED'])('leave the fill unknown when %s comes without them', (raw) => {
    expect(readStatus(raw, 10, null, [])).toEqual({ status: 'cancelled', filledQuantity: null });
  });

  it.each(['FAILED', 'ABORTED', 'REJECTED'])('are 0 when %s comes without them', (raw) => {
    expect(readStatus(raw, 10, null, [])).toEqual({ status: 'rejected', filledQuantity: 0 });
  });

  it.each(['PARTIALLY FILLED', 'PARTIALLY_EXECUTED', 'PARTIALLY FILLED - CANCELLED', 'PFC'])(
    'leave the fill unknown when %s comes with 0',
    (raw) => {
      expect(readStatus(raw, 10, 0, []).filledQuantity).toBeNull();
    },
  );

  it('are 0 when a working status comes with 0', () => {
    expect(readStatus('PENDING', 10, 0, [])).toEqual({ status: 'working', filledQuantity: 0 });
  });

  it('report what has traded so far while the rest works', () => {
    expect(readStatus('PARTIALLY FILLED', 10, 4, [])).toEqual({
      status: 'working',
      filledQuantity: 4,
    });
  });

  it('leave the fill unknown when SUCCESS comes with less than all', () => {
    expect(readStatus('SUCCESS', 10, 4, [])).toEqual({ status: 'filled', filledQuantity: null });
  });

  it('follow SUCCESS when they are missing', () => {
    expect(readStatus('SUCCESS', 10, null, []).filledQuantity).toBe(10);
  });

  it.each(['PENDING', 'CANCELLED', 'SUCCESS', 'PFC'])(
    'leave the fill unknown when they make no sense under %s',
    (raw) => {
      expect(readStatus(raw, 10, 'unreadable', []).filledQuantity).toBeNull();
    },
  );

  it('do not make a fill of 0 out of a trade on an order for nothing', () => {
    expect(readStatus('PENDING', 0, 5, [])).toEqual({ status: 'working', filledQuantity: null });
  });
});

describe('a status that the operator declared final', () => {
  it('ends the order, whatever its spelling', () => {
    expect(readStatus('frozen_by_rms', 10, 0, ['Frozen by RMS'])).toEqual({
      status: 'cancelled',
      filledQuantity: 0,
    });
  });

  it('leaves the fill unknown when the row does not state it', () => {
    expect(readStatus('FROZEN', 10, null, ['FROZEN'])).toEqual({
      status: 'cancelled',
      filledQuantity: null,
    });
  });

  it('is partial when something traded', () => {
    expect(readStatus('FROZEN', 10, 3, ['FROZEN']).status).toBe('partial');
  });

  it('cannot end a status that the broker documents as working', () => {
    expect(readStatus('PENDING', 10, 0, ['PENDING']).status).toBe('working');
  });

  it('does not apply to a row without a status', () => {
    expect(readStatus('', 10, 0, ['']).status).toBe('unrecognised');
  });
});
