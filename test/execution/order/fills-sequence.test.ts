import { describe, expect, it } from 'vitest';
import type { BrokerOrder } from '../../../src/domain/broker-order.ts';
import { isFinal } from '../../../src/domain/order.ts';
import type { FillRecord } from '../../../src/execution/order/fills.ts';
import type { OrderRecord } from '../../../src/execution/order/order.ts';
import { AT, bookRow, fillRecord, orderRecord } from '../support/makers.ts';
import { reduce, type Reduced } from '../support/reduce.ts';
import { epochMs } from '../../../src/units/branded.ts';

/** One thing that is learnt of an order: a row of a book, or a fill. */
type Learnt = { readonly row: BrokerOrder } | { readonly fill: FillRecord };

const row = (second: number, parts: Partial<BrokerOrder>): Learnt => ({
  row: bookRow({ updatedAt: epochMs(AT + second * 1_000), ...parts }),
});
const fill = (fillId: string, quantity: number, price: number): Learnt => ({
  fill: fillRecord({ fillId, quantity, price }),
});

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((first, index) =>
    permutations(items.toSpliced(index, 1)).map((rest) => [first, ...rest]),
  );
}

/** The order after each thing that was learnt, in turn. */
function learn(observations: readonly Learnt[]): Reduced[] {
  const fills = new Map<string, FillRecord>();
  let order: OrderRecord = orderRecord();
  return observations.map((learnt) => {
    if ('fill' in learnt) fills.set(learnt.fill.key, learnt.fill);
    const reduced = reduce(order, 'row' in learnt ? learnt.row : null, [...fills.values()], AT);
    order = reduced;
    return reduced;
  });
}

const outcomeOf = (order: Reduced): unknown => ({
  status: order.status,
  filledQuantity: order.filledQuantity,
  averagePrice: order.averagePrice,
  source: order.fillPriceSource,
  quantity: order.terms.quantity,
  price: order.terms.price,
});

const stories: readonly {
  readonly name: string;
  readonly learnt: readonly Learnt[];
  readonly end: unknown;
}[] = [
  {
    name: 'filled in part, then cancelled',
    learnt: [
      row(1, { filledQuantity: 0 }),
      row(2, { filledQuantity: 3, averagePrice: 100 }),
      row(3, { filledQuantity: 7, averagePrice: 101 }),
      row(4, { status: 'cancelled', filledQuantity: 7, averagePrice: 101 }),
      fill('a', 3, 100),
      fill('b', 4, 102),
    ],
    end: {
      status: 'partial',
      filledQuantity: 7,
      averagePrice: 101.1429,
      source: 'trades',
      quantity: 10,
      price: 1_500,
    },
  },
  {
    name: 'filled whole, with a contradiction on the way',
    learnt: [
      row(1, { filledQuantity: 0 }),
      row(2, { filledQuantity: 4 }),
      row(3, { status: 'filled', filledQuantity: null }),
      row(3, { status: 'filled', filledQuantity: 10, averagePrice: 100.6 }),
      fill('a', 4, 100),
      fill('b', 6, 101),
    ],
    end: {
      status: 'filled',
      filledQuantity: 10,
      averagePrice: 100.6,
      source: 'trades',
      quantity: 10,
      price: 1_500,
    },
  },
  {
    name: 'enlarged when the first ten had filled',
    learnt: [
      row(1, { filledQuantity: 0 }),
      row(2, { quantity: 20, price: 1_490, filledQuantity: 2 }),
      row(3, { quantity: 20, price: 1_490, filledQuantity: 10 }),
      fill('a', 2, 100),
      fill('b', 8, 105),
    ],
    end: {
      status: 'working',
      filledQuantity: 10,
      averagePrice: 104,
      source: 'trades',
      quantity: 20,
      price: 1_490,
    },
  },
  {
    name: 'cut down to what had filled',
    learnt: [
      row(1, { filledQuantity: 0 }),
      row(2, { filledQuantity: 4 }),
      row(3, { quantity: 4, filledQuantity: 4, status: 'filled' }),
      fill('a', 1, 100),
      fill('b', 3, 104),
    ],
    end: {
      status: 'filled',
      filledQuantity: 4,
      averagePrice: 103,
      source: 'trades',
      quantity: 4,
      price: 1_500,
    },
  },
  {
    name: 'cancelled by a row that does not say how much of it had filled',
    learnt: [
      row(1, { filledQuantity: 0 }),
      row(2, { filledQuantity: 3 }),
      row(3, { filledQuantity: null, status: 'cancelled' }),
      fill('a', 3, 100),
    ],
    // Three at least: that it was no more is for the trades, or for a person, to say.
    end: {
      status: 'partial',
      filledQuantity: null,
      averagePrice: 100,
      source: 'average',
      quantity: 10,
      price: 1_500,
    },
  },
  {
    name: 'called whole by a row that says less',
    learnt: [
      row(1, { filledQuantity: 0 }),
      row(2, { filledQuantity: 3 }),
      row(3, { filledQuantity: null, status: 'filled' }),
      fill('a', 3, 100),
    ],
    end: {
      status: 'working',
      filledQuantity: 3,
      averagePrice: 100,
      source: 'trades',
      quantity: 10,
      price: 1_500,
    },
  },
  {
    name: 'rejected at the exchange',
    learnt: [
      row(1, { filledQuantity: 0 }),
      row(2, { filledQuantity: 0, status: 'unrecognised' }),
      row(3, { filledQuantity: 0, status: 'rejected' }),
    ],
    end: {
      status: 'rejected',
      filledQuantity: 0,
      averagePrice: null,
      source: null,
      quantity: 10,
      price: 1_500,
    },
  },
];

describe.each(stories)('an order that was $name', ({ learnt, end }) => {
  const sequences = permutations(learnt);

  it('is the same in whichever order that is learnt', () => {
    const ends = sequences.map((sequence) => outcomeOf(learn(sequence).at(-1)!));
    expect(new Set(ends.map((each) => JSON.stringify(each)))).toEqual(
      new Set([JSON.stringify(end)]),
    );
  });

  it('is the same when all of it is learnt again, late', () => {
    for (const late of sequences) {
      expect(outcomeOf(learn([...learnt, ...late]).at(-1)!)).toEqual(end);
    }
  });

  it('never has fewer shares filled than it had', () => {
    for (const sequence of sequences) {
      let most = 0;
      for (const { filledQuantity } of learn(sequence)) {
        expect(filledQuantity ?? Infinity).toBeGreaterThanOrEqual(most);
        most = filledQuantity ?? most;
      }
    }
  });
});

describe('an order that its row has ended', () => {
  it('stays ended, whatever is learnt after', () => {
    for (const { learnt } of stories) {
      const end = learnt.findLast((each) => 'row' in each && isFinal(outcomeStatus(each)));
      if (!end) continue;
      for (const sequence of permutations(learnt)) {
        for (const order of learn([end, ...sequence])) expect(isFinal(order.status)).toBe(true);
      }
    }
  });
});

const outcomeStatus = (learnt: Learnt): Reduced['status'] => learn([learnt]).at(-1)!.status;
