import { describe, expect, it } from 'vitest';
import { execute, type Executable } from '../../../src/adapters/paper/engine.ts';
import { levels, quoteAt } from './paper-bench.ts';

function order(fields: Partial<Executable>): Executable {
  return {
    side: 'BUY',
    orderType: 'MARKET',
    price: null,
    triggerPrice: null,
    triggered: false,
    remaining: 10,
    ...fields,
  };
}

const book = quoteAt(100, {
  bid: 99.9,
  ask: 100.1,
  depth: { buy: levels([99.9, 4], [99.8, 100]), sell: levels([100.1, 4], [100.2, 3]) },
});

describe('a MARKET order', () => {
  it('takes one level after the other, and the rest at the price of the last', () => {
    expect(execute(order({}), book, 'book').fills).toEqual([
      { price: 100.1, quantity: 4 },
      { price: 100.2, quantity: 6 },
    ]);
  });

  it('sells to the bids', () => {
    expect(execute(order({ side: 'SELL' }), book, 'book').fills).toEqual([
      { price: 99.9, quantity: 4 },
      { price: 99.8, quantity: 6 },
    ]);
  });

  it('fills whole at the ask, or the bid, when there is no depth', () => {
    const quote = quoteAt(100, { bid: 99, ask: 101 });
    expect(execute(order({}), quote, 'book').fills).toEqual([{ price: 101, quantity: 10 }]);
    expect(execute(order({ side: 'SELL' }), quote, 'book').fills).toEqual([
      { price: 99, quantity: 10 },
    ]);
  });

  it('fills at the last price when there is nothing else, or when told to', () => {
    const last = [{ price: 100, quantity: 10 }];
    expect(execute(order({}), quoteAt(100), 'book').fills).toEqual(last);
    expect(execute(order({}), book, 'last').fills).toEqual(last);
  });

  it('ignores levels of zeros', () => {
    const quote = quoteAt(100, { ask: 0, depth: { buy: [], sell: levels([0, 0], [0, 0]) } });
    expect(execute(order({}), quote, 'book').fills).toEqual([{ price: 100, quantity: 10 }]);
  });

  it('does not fill when no price is above 0', () => {
    expect(execute(order({}), quoteAt(0), 'book').fills).toEqual([]);
  });
});

describe('a LIMIT order', () => {
  it('takes what is at its limit or better, each at its own price, and leaves the rest', () => {
    const limit = order({ orderType: 'LIMIT', price: 100.15 });
    expect(execute(limit, book, 'book').fills).toEqual([{ price: 100.1, quantity: 4 }]);
  });

  it('takes the better price where the whole is had at it', () => {
    const limit = order({ orderType: 'LIMIT', side: 'SELL', price: 98 });
    expect(execute(limit, quoteAt(100, { bid: 99 }), 'book').fills).toEqual([
      { price: 99, quantity: 10 },
    ]);
  });

  it('leaves what is worse than its limit', () => {
    const buy = order({ orderType: 'LIMIT', price: 100.05 });
    const sell = order({ orderType: 'LIMIT', side: 'SELL', price: 99.95 });
    expect(execute(buy, book, 'book').fills).toEqual([]);
    expect(execute(sell, book, 'book').fills).toEqual([]);
  });
});

describe('a stop', () => {
  const stop = order({ orderType: 'SL-M', side: 'SELL', triggerPrice: 95 });

  it('waits while the last price has not reached the trigger', () => {
    expect(execute(stop, quoteAt(95.05), 'last')).toEqual({ triggered: false, fills: [] });
  });

  it('is a MARKET order once the last price reaches the trigger', () => {
    expect(execute(stop, quoteAt(95), 'last')).toEqual({
      triggered: true,
      fills: [{ price: 95, quantity: 10 }],
    });
  });

  it('stays triggered when the price comes back', () => {
    const again = execute({ ...stop, triggered: true }, quoteAt(97), 'last');
    expect(again.fills).toEqual([{ price: 97, quantity: 10 }]);
  });

  it('with a limit, is a LIMIT order once triggered', () => {
    const limited = order({ orderType: 'SL', price: 101, triggerPrice: 100 });
    expect(execute(limited, quoteAt(99.95), 'last').triggered).toBe(false);
    expect(execute(limited, quoteAt(102), 'last')).toEqual({ triggered: true, fills: [] });
    expect(execute(limited, quoteAt(101), 'last').fills).toHaveLength(1);
  });

  it('is not triggered by a quote that has no last price', () => {
    expect(execute(stop, quoteAt(0), 'book').triggered).toBe(false);
  });
});
