import { describe, expect, it } from 'vitest';
import {
  unknownOfTriggers,
  unseenOfTriggers,
} from '../../../src/execution/exits/orders-of-triggers.ts';
import type { TriggerOrder } from '../../../src/execution/triggers/trigger-order.ts';
import { position } from '../support/makers.ts';
import { triggerRecord, triggerState } from '../triggers/makers.ts';
import { exitBench } from './support/exit-bench.ts';

/** A SELL of 10 of NSE:INFY, delivery, that no book has shown. */
const order = (changes: Partial<TriggerOrder> = {}): TriggerOrder => ({
  ...{ brokerOrderId: '261106000000001', side: 'SELL', day: '2026-11-06', state: 'open' },
  ...{ isFinal: false, filledQuantity: null, averagePrice: null, fills: [] },
  ...changes,
});

const stateWith = (...orders: readonly TriggerOrder[]) => ({
  triggers: new Map([['trg_1', triggerRecord({ state: triggerState('triggered'), orders })]]),
});

const LONG = { broker: 'alt', instrument: 'NSE:INFY', product: 'CNC', side: 'SELL' } as const;
const isinOf = () => null;
const OTHERS = [
  { broker: 'primary' },
  { instrument: 'NSE:TCS' },
  { product: 'INTRADAY' },
  { side: 'BUY' },
] as const;

describe('what orders of triggers may take that no book has shown', () => {
  const unseen = (changes: Partial<TriggerOrder> = {}, of: object = {}) =>
    unseenOfTriggers(stateWith(order(changes)), { ...LONG, ...of }, isinOf);

  it('is all that they are for', () => {
    expect(unseen()).toBe(10);
    const two = stateWith(order(), order({ brokerOrderId: '261106000000002' }));
    expect(unseenOfTriggers(two, LONG, isinOf)).toBe(20);
  });

  it.each<Partial<TriggerOrder>>([
    { filledQuantity: 0 },
    { fills: [{ key: 'a', quantity: 4, price: 1_450 }] },
    { isFinal: true },
    { state: 'lost' },
    { state: 'over' },
    { state: 'told' },
  ])('is nothing once a book has told of it, or it is over: %j', (changes) => {
    expect(unseen(changes)).toBe(0);
  });

  it.each(OTHERS)('is nothing for another position: %j', (of) => {
    expect(unseen({}, of)).toBe(0);
  });
});

describe('an order of a trigger that has ended, of which nobody knows how much has filled', () => {
  const unknown = (changes: Partial<TriggerOrder> = {}, of: object = {}) =>
    unknownOfTriggers(
      stateWith(order({ isFinal: true, ...changes })),
      { ...LONG, ...of },
      { isinOf, today: '2026-11-06' },
    );

  it('is named, so that an exit stops', () => {
    expect(unknown()).toBe('alt:261106000000001');
  });

  it('is none where the fill is known, while it is open, and on a later day', () => {
    expect([unknown({ filledQuantity: 0 }), unknown({ isFinal: false })]).toEqual([null, null]);
    expect(unknown({ day: '2026-11-05' })).toBeNull();
  });

  it.each(OTHERS)('is none for another position: %j', (of) => {
    expect(unknown({}, of)).toBeNull();
  });
});

describe('an exit beside the order of a trigger that no book has shown', () => {
  it('keeps free what that order may take', async () => {
    const { begin, after, legs, bench, broker, trading } = await exitBench();
    broker.positions = [position({ quantity: 100 })];
    bench.showsFills = false;
    const triggers = trading.execution.state.triggers as Map<string, unknown>;
    for (const [id, trigger] of stateWith(order()).triggers) triggers.set(id, trigger);
    await after((await begin({ product: 'CNC' })).id, 5_000);
    expect(legs().map(([, quantity]) => quantity)).toEqual([90]);
  });
});
