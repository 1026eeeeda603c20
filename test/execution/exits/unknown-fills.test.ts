import { describe, expect, it } from 'vitest';
import type { ExecutionState } from '../../../src/execution/journal/state.ts';
import type { TriggerOrder } from '../../../src/execution/triggers/trigger-order.ts';
import type { TriggerRecord } from '../../../src/execution/triggers/trigger.ts';
import { triggerRecord, triggerState } from '../triggers/makers.ts';
import { exitBench } from './support/exit-bench.ts';

const STOPPED = { end: 'stopped', why: 'fill_unknown' };

/** A sale of 60 that is over, and whose row does not say how much of it has filled. */
async function overWithoutFigure(instrument = 'NSE:INFY') {
  const bench = await exitBench();
  bench.fates.push({ kind: 'fills', quantity: 0 });
  const sale = { side: 'SELL', quantity: 60, product: 'INTRADAY', price: 1_600 } as const;
  const order = await bench.trading.place({ ...sale, instrument });
  await bench.time.advance(2_000);
  bench.broker.rows = bench.broker.rows.map((row) => ({
    ...row,
    ...{ status: 'partial', rawStatus: 'PARTIALLY FILLED - CANCELLED', filledQuantity: null },
  }));
  await bench.time.advance(5_000);
  return { ...bench, order };
}

describe('an exit, beside an order that is over and of which nobody knows how much has filled', () => {
  it('stops and sells nothing where the order is of the same shares', async () => {
    const { begin, after, order, broker } = await overWithoutFigure();
    const exit = await after((await begin()).id, 45_000);
    expect(exit.over).toMatchObject(STOPPED);
    expect(exit.over?.detail).toContain(order.id);
    expect(broker.placed).toHaveLength(1);
  });

  it('goes on where the order is of other shares', async () => {
    const { begin, after, broker } = await overWithoutFigure('NSE:TCS');
    expect((await after((await begin()).id, 45_000)).over?.end).toBe('flat');
    expect(broker.placed).toHaveLength(2);
  });

  it('stops and sells nothing where a trigger has placed the order', async () => {
    const { begin, after, broker, trading } = await exitBench();
    const order: TriggerOrder = {
      ...{ brokerOrderId: 'of a trigger', side: 'SELL', day: '2026-11-06', state: 'over' },
      ...{ isFinal: true, filledQuantity: null, averagePrice: null, fills: [] },
    };
    const { terms } = triggerRecord();
    const legs = terms.legs.map((leg) => ({ ...leg, product: 'INTRADAY' as const }));
    withTrigger(trading.execution.state, {
      ...triggerRecord({ state: triggerState('triggered'), orders: [order] }),
      terms: { ...terms, legs: [legs[0]!] },
    });
    const exit = await after((await begin()).id, 45_000);
    expect(exit.over).toMatchObject(STOPPED);
    expect(exit.over?.detail).toContain('alt:of a trigger');
    expect(broker.placed).toEqual([]);
  });
});

/** As if the journal had it. */
const withTrigger = ({ triggers }: ExecutionState, trigger: TriggerRecord): void =>
  void (triggers as Map<string, TriggerRecord>).set(trigger.id, trigger);
