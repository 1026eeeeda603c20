import { describe, expect, it } from 'vitest';
import { BreakerOpen, createBreaker, guard, isShut } from '../../src/platform/breaker.ts';
import { VirtualTime } from '../support/virtual-time.ts';

const down = (): Promise<never> => Promise.reject(new Error('down'));
const isDown = (error: unknown): boolean => (error as Error).message === 'down';

describe('a guarded call', () => {
  it('is not made while the breaker is open', async () => {
    const time = new VirtualTime(0);
    const breaker = createBreaker(time, 1);
    await expect(guard(breaker, down, isDown)).rejects.toThrow('down');
    expect(isShut(breaker, time)).toBe(true);
    let tried = false;
    const call = guard(breaker, () => Promise.resolve((tried = true)), isDown);
    await expect(call).rejects.toThrow(BreakerOpen);
    expect(tried).toBe(false);
  });

  it('closes a half-open breaker when it fails for another reason', async () => {
    const time = new VirtualTime(0);
    const breaker = createBreaker(time, 1);
    await expect(guard(breaker, down, isDown)).rejects.toThrow('down');
    await time.advance(10_000);
    expect(isShut(breaker, time)).toBe(false);
    const refused = guard(breaker, () => Promise.reject(new Error('refused')), isDown);
    expect(isShut(breaker, time)).toBe(true);
    await expect(refused).rejects.toThrow('refused');
    expect(breaker.state().kind).toBe('closed');
  });
});
