import { describe, expect, it } from 'vitest';
import { createLogLineLimit } from '../../src/routes/log-line-limit.ts';
import { VirtualTime } from '../support/virtual-time.ts';

/** As docs/security.md promises them: 660 lines a minute of each listener that a tunnel may reach. */
const MOST = { refused: 60, others: 600 };

describe('lines about requests that come through a tunnel', () => {
  it.each([
    ['refused', 401, MOST.refused],
    ['others', 200, MOST.others],
    ['others', 500, MOST.others],
  ] as const)('are bounded for those that are %s (%i): %i a minute', async (_, status, most) => {
    const time = new VirtualTime('2026-11-23T10:00:00+05:30');
    const limit = createLogLineLimit(time);
    const written = (count: number): number =>
      Array.from({ length: count }, () => limit.mayWrite(status)).filter(Boolean).length;
    expect(written(most)).toBe(most);
    expect(written(7)).toBe(0);
    expect([limit.takeUnwritten(), limit.takeUnwritten()]).toEqual([7, 0]);
    await time.advance(59_999);
    expect(written(1)).toBe(0);
    await time.advance(1);
    expect(written(most + 1)).toBe(most);
  });

  it('of one kind leave those of the other theirs', () => {
    const limit = createLogLineLimit(new VirtualTime('2026-11-23T10:00:00+05:30'));
    for (let count = 0; count < MOST.others + 5; count += 1) limit.mayWrite(200);
    expect([limit.mayWrite(200), limit.mayWrite(401)]).toEqual([false, true]);
    for (let count = 0; count < MOST.refused; count += 1) limit.mayWrite(401);
    expect(limit.mayWrite(401)).toBe(false);
  });
});
