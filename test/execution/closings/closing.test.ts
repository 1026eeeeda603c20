import { describe, expect, it } from 'vitest';
import type { ClosingPosition } from '../../../src/domain/closing.ts';
import { closingResponse, type ClosingRecord } from '../../../src/execution/closings/closing.ts';
import { ist } from '../support/makers.ts';

const AT = ist('2026-11-06T11:00:00');

const position = (broker: string, status: ClosingPosition['status']): ClosingPosition => ({
  ...{ broker, mode: 'live', instrument: 'NSE:INFY', underlying: 'NSE:INFY', product: 'INTRADAY' },
  ...{ net: 10, quantity: null, phase: 2, status, exitId: null, reason: null },
});

function secondsOf(positions: readonly ClosingPosition[]): number {
  const closing: ClosingRecord = {
    ...{ id: 'cls_1', caller: 'key_1', idempotencyKey: 'k', requestHash: 'h', day: '2026-11-06' },
    ...{ positions, isCancelWanted: false, over: null, createdAt: AT, updatedAt: AT },
  };
  return closingResponse(closing).estimatedSeconds;
}

const times = (count: number, each: ClosingPosition): readonly ClosingPosition[] =>
  Array.from({ length: count }, () => each);

describe('how long a closing takes', () => {
  it('is that of the broker with the most positions, since brokers work side by side', () => {
    const waiting = [
      ...times(25, position('alt', 'waiting')),
      ...times(9, position('primary', 'waiting')),
    ];
    expect(secondsOf(waiting)).toBe(3);
  });

  it('counts what is left', () => {
    const ended = [...times(25, position('alt', 'flat')), position('alt', 'running')];
    expect(secondsOf(ended)).toBe(1);
    expect(secondsOf(times(25, position('alt', 'flat')))).toBe(0);
  });
});
