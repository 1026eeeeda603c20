import { describe, expect, it } from 'vitest';
import type { BrokerOrder } from '../../../src/domain/broker-order.ts';
import { rowAt } from '../support/lying-broker.ts';
import { exitBench } from './support/exit-bench.ts';

/** An exit during whose first round something begins to rest: after its book, and before its account is read. */
async function restsBetween(appear: (bench: Awaited<ReturnType<typeof exitBench>>) => void) {
  const both = await exitBench();
  const { broker } = both;
  let positions = broker.positions;
  // Two reads of the book never begin at the same time.
  broker.readMs = 50;
  let booksBefore = Infinity;
  Object.defineProperty(broker, 'positions', {
    get() {
      if (broker.reads > booksBefore) {
        booksBefore = Infinity;
        appear(both);
      }
      return positions;
    },
    set(next: typeof positions) {
      positions = next;
    },
  });
  return {
    ...both,
    begin: (parts: Parameters<typeof both.begin>[0] = {}) => {
      booksBefore = broker.reads;
      return both.begin(parts);
    },
  };
}

const sale = (parts: Partial<BrokerOrder> = {}): Partial<BrokerOrder> => ({
  ...{ brokerOrderId: 'hand', side: 'SELL', quantity: 100, product: 'INTRADAY' },
  ...parts,
});

describe('an order that begins to rest while an exit looks at the account', () => {
  it('is cancelled where it was placed elsewhere and the exit may', async () => {
    const { begin, after, broker, legs } = await restsBetween(({ broker: at, time }) => {
      at.rows = [rowAt(time, sale())];
    });
    const exit = await after((await begin({ cancelExternal: true })).id, 20_000);
    expect(broker.cancels).toEqual(['hand']);
    expect(legs().map(([, quantity]) => quantity)).toEqual([100]);
    expect(exit.over?.end).toBe('flat');
  });

  it('is cancelled where another key has placed it', async () => {
    const { begin, after, fates, broker, legs } = await restsBetween(({ trading }) => {
      const stop = { side: 'SELL', quantity: 100, product: 'INTRADAY', price: 1_600 } as const;
      void trading.execution.place({ ...trading.commandOf(stop), caller: 'another' });
    });
    fates.push({ kind: 'fills', quantity: 0 });
    const exit = await after((await begin()).id, 20_000);
    expect(broker.cancels).toEqual(['leg-1']);
    expect(legs().map(([, quantity]) => quantity)).toEqual([100, 100]);
    expect(exit.over?.end).toBe('flat');
  });

  it('is kept free where the exit may not cancel it, and the end names it', async () => {
    const { begin, after, broker } = await restsBetween(({ broker: at, time }) => {
      at.rows = [rowAt(time, sale())];
    });
    const exit = await after((await begin()).id, 20_000);
    expect(broker.cancels).toEqual([]);
    expect(exit.over).toMatchObject({ end: 'partly_flat', why: 'reserved_elsewhere', held: 100 });
    expect(exit.over?.detail).toContain('alt:hand, placed elsewhere (SELL 100)');
  });

  it('ends the exit in time where no cancel ends it', async () => {
    const { begin, after, broker } = await restsBetween(({ broker: at, time }) => {
      at.rows = [rowAt(time, sale())];
    });
    broker.cancel = (brokerOrderId) => ({ kind: 'acknowledged', brokerOrderId });
    const exit = await after((await begin({ cancelExternal: true })).id, 60_000);
    expect(exit.over).toMatchObject({ end: 'stopped', why: 'resting_not_cancelled' });
  });
});

describe('the end of an exit that other orders hold up', () => {
  it('names an order of which nobody knows whether the broker has it', async () => {
    const { begin, after, fates } = await exitBench();
    const failure = { kind: 'transport', message: 'no answer' } as const;
    fates.push({ kind: 'uncertain', failure, reason: 'no answer' });
    await after((await begin({ quantity: 60 })).id, 5_000);
    const { over } = await after((await begin()).id, 20_000);
    expect(over?.detail).toMatch(/order ord\S+ \(SELL 60\), which is uncertain/);
    expect(over?.detail).not.toContain('placed elsewhere');
  });
});
