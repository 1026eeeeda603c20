import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { playOut, steps, stepsOf, twoStates } from '../support/book-twice.ts';
import { orderRecord, uncertainOrder } from '../support/makers.ts';

describe('a book that is remembered', () => {
  it.each([true, false])('is taken in as if it were not: tags always come back %s', (tagged) => {
    fc.assert(
      fc.property(steps, (all) => {
        playOut(tagged, all);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is looked at again when tags come back for the first time', () => {
    const before =
      'arrive 0 0, send 2 0, arrive 2 0, send 0 0 x6, external 0 0, spoil 0 0, send 0 0';
    const after = 'answer 2 5, send 0 0 x10, answer 0 9, send 0 0 x3, read 0 0, send 0 0 x4';
    playOut(false, stepsOf(`${before}, ${after}`));
  });

  it('is looked at again when a row that could not be read is gone', () => {
    const before =
      'send 0 0, arrive 1 0, send 0 0, arrive 0 0, send 0 0 x2, spoil 0 3, send 0 0 x3';
    const then =
      'arrive 3 10, send 3 0, send 0 0 x2, answer 3 9, send 0 0 x5, read 0 0, send 0 0 x2';
    playOut(false, stepsOf(`${before}, ${then}, read 0 0, drop 2 0, read 0 0, send 0 0 x4`));
  });

  it('is looked at no more, row by row, once its orders are over', () => {
    const states = twoStates(true);
    for (const who of [0, 1, 2, 3, 4]) {
      states.step({ kind: 'send', who, what: 0 });
      states.step({ kind: 'answer', who, what: 0 });
      states.step({ kind: 'arrive', who, what: 0 });
    }
    states.step({ kind: 'external', who: 0, what: 0 });
    states.step({ kind: 'progress', who: 0, what: 2 });
    states.read();
    states.read();
    states.rowsLookedAt = 0;
    states.read();
    // Four work; the one that is filled and the one that was placed elsewhere say nothing more.
    expect(states.rowsLookedAt).toBe(4);
  });

  it('is looked at again where the order of a row changes, though nothing else does', () => {
    const states = twoStates(true);
    states.step({ kind: 'send', who: 0, what: 0 });
    states.step({ kind: 'answer', who: 0, what: 0 });
    states.step({ kind: 'arrive', who: 0, what: 0 });
    states.step({ kind: 'progress', who: 0, what: 2 });
    states.read();
    states.read();
    const row = orderRecord({ ...states.commandOf(0), id: 'ord_0', brokerOrderId: 'b0' });
    states.apply([{ table: 'orders', key: 'ord_0', row }]);
    states.read();
  });

  /**
   * The broker acknowledges ord_0 as b0, but a mistake of the gateway has made it uncertain before:
   * it becomes disputed, and is bound to no row, although b0 is observed as its row.
   */
  function acknowledgedWithoutBinding(states: ReturnType<typeof twoStates>): void {
    states.step({ kind: 'send', who: 0, what: 0 });
    states.step({ kind: 'external', who: 0, what: 0 });
    states.read();
    const row = uncertainOrder({ ...states.commandOf(0), id: 'ord_0' });
    states.apply([{ table: 'orders', key: 'ord_0', row }]);
    states.step({ kind: 'answer', who: 0, what: 0 });
  }

  it('is not complete without an id that was acknowledged, even where no order is bound to it', () => {
    const states = twoStates(true, 'dispute');
    acknowledgedWithoutBinding(states);
    states.read();
  });

  it('shows an order with two rows as the later one says, when only the earlier changes', () => {
    const states = twoStates(true, 'dispute');
    acknowledgedWithoutBinding(states);
    states.step({ kind: 'arrive', who: 0, what: 10 });
    // A person says that the order placed elsewhere, the later row, is ord_0.
    states.step({ kind: 'resolve', who: 0, what: 1 });
    states.step({ kind: 'progress', who: 1, what: 2 });
    states.read();
    states.read();
    states.step({ kind: 'progress', who: 1, what: 3 });
    states.read();
  });
});
