import { describe, expect, it } from 'vitest';
import type { Trading } from '../../../src/domain/ports.ts';
import { madeUntil } from '../../../src/execution/cancel-all/made-until.ts';
import { epochMs } from '../../../src/units/branded.ts';
import { VirtualTime } from '../../support/virtual-time.ts';

describe('until when a row may have been made that a cancel of many is about', () => {
  /** A clock that is so many hours off, and a broker whose reply has just told the time. */
  async function after(ms: number, hours: number) {
    const broker = Date.parse('2026-11-06T11:00:00+05:30');
    const time = new VirtualTime(broker + hours * 3_600_000);
    const at = time.now();
    await time.advance(ms);
    const told = { at: epochMs(broker + ms), localAt: time.now(), receivedAt: time.elapsed() };
    const trading = { brokerTime: () => told } as unknown as Trading;
    const until = madeUntil(trading, time, at);
    return until === null ? null : until - broker;
  }

  it.each([-5, 0, 5])(
    'is when it began, by the broker’s clock (ours is %i h off)',
    async (hours) => {
      expect(await after(12_000, hours)).toBe(0);
    },
  );

  it('is any time where the book was read at once', async () => {
    expect(await after(2_000, -5)).toBeNull();
  });
});
