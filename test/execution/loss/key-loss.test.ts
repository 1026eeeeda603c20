import { describe, expect, it } from 'vitest';
import type { Mode } from '../../../src/domain/broker.ts';
import { NO_LIMITS } from '../../support/no-limits.ts';
import { createKeyLosses } from '../../../src/execution/loss/key-loss.ts';
import { silentLog } from '../../../src/platform/log.ts';
import { VirtualTime } from '../../support/virtual-time.ts';
import { AT, orderRecord, stateOf, terms } from '../support/makers.ts';

/** A hundred shares bought at ₹1,500, and sold at a price. */
const roundTrip = (mode: Mode, price: number) =>
  (['BUY', 'SELL'] as const).map((side) =>
    orderRecord({
      ...{ id: `${mode}_${side}`, caller: 'key_1', kind: 'filled', mode },
      ...{ broker: mode === 'paper' ? 'paper' : 'alt', fillPriceSource: 'order_row' },
      ...{ filledQuantity: 100, averagePrice: side === 'BUY' ? 1_500 : price },
      terms: terms({ side, quantity: 100, product: 'INTRADAY' }),
    }),
  );

/** Whether a limit of ₹5,000 stops a key with these orders. */
async function isStopped(...orders: ReturnType<typeof roundTrip>): Promise<boolean> {
  const time = new VirtualTime(AT);
  const state = stateOf({ orders });
  state.keys.set('key_1', {
    name: 'momentum',
    stopped: null,
    limits: NO_LIMITS,
    maxDailyLoss: 5_000,
  });
  const losses = createKeyLosses({
    ...{ state, clock: time, scheduler: time, log: silentLog, marketHours: 'exchange' },
    ...{ instruments: { byName: () => null }, quotes: () => Promise.resolve(new Map()) },
    commitRetry: { commit: () => Promise.reject(new Error('no disk')), stop: () => undefined },
  });
  const stopped: string[] = [];
  losses.start((caller) => stopped.push(caller));
  await time.advance(60_000);
  losses.stop();
  return stopped.includes('key_1');
}

describe('the daily loss limit of a key', () => {
  it.each([
    [5_000, 1_450, true],
    [4_995, 1_450.05, false],
  ])('counts a loss of %s rupees: stops it %s', async (_loss, price, stops) => {
    expect(await isStopped(...roundTrip('live', price))).toBe(stops);
  });

  it('counts paper for a key that has traded nothing else, and for no other', async () => {
    const paper = roundTrip('paper', 1_400);
    expect(await isStopped(...paper)).toBe(true);
    expect(await isStopped(...paper, ...roundTrip('live', 1_500))).toBe(false);
    expect(await isStopped(...roundTrip('paper', 1_600), ...roundTrip('live', 1_400))).toBe(true);
  });
});
