import { describe, expect, it } from 'vitest';
import { decimal } from '../../../src/domain/money.ts';
import { bookTrade, flatPosition, settleDelivery } from '../../../src/adapters/paper/position.ts';
import type { PaperPosition } from '../../../src/adapters/paper/state.ts';

type Trade = readonly ['BUY' | 'SELL', price: number, quantity: number];

function after(...trades: readonly Trade[]): PaperPosition {
  return trades.reduce<PaperPosition>(
    (position, [side, price, quantity]) => bookTrade(position, side, price, quantity),
    flatPosition('NSE:INFY', 'INTRADAY'),
  );
}

const shape = ({ quantity, cost, realised }: PaperPosition) => [
  quantity,
  cost.toFixed(),
  realised.toFixed(),
];

describe('a position', () => {
  it('adds up what it cost', () => {
    expect(shape(after(['BUY', 100, 10], ['BUY', 110.05, 10]))).toEqual([20, '2100.5', '0']);
  });

  it('realises at its average cost', () => {
    const position = after(['BUY', 100, 10], ['BUY', 110, 10], ['SELL', 120, 10]);
    expect(shape(position)).toEqual([10, '1050', '150']);
  });

  it('realises a short the other way round', () => {
    expect(shape(after(['SELL', 100, 10], ['BUY', 90, 4]))).toEqual([-6, '600', '40']);
  });

  it('turns from long to short in one trade', () => {
    expect(shape(after(['BUY', 100, 10], ['SELL', 110, 15]))).toEqual([-5, '550', '100']);
  });

  it('loses nothing to rounding where the average is a repeating decimal', () => {
    const position = after(['BUY', 100, 1], ['BUY', 100.05, 2], ['SELL', 100, 1]);
    expect(shape(position)).toEqual([2, '200.07', '-0.03']);
    expect(shape(bookTrade(position, 'SELL', 100, 2))).toEqual([0, '0', '-0.1']);
  });

  it('has no errors of binary fractions', () => {
    expect(shape(after(['BUY', 0.1, 1], ['BUY', 0.2, 1]))).toEqual([2, '0.3', '0']);
  });
});

describe('a settlement of delivery', () => {
  const bought = { ...after(['BUY', 100, 10]), product: 'CNC' as const };

  it('makes what was bought a holding, at its cost', () => {
    const { holding } = settleDelivery(undefined, bought);
    expect(holding).toEqual({ instrument: 'NSE:INFY', quantity: 10, cost: decimal(1000) });
  });

  it('takes sales from the holding, and returns their profit', () => {
    const { holding } = settleDelivery(undefined, bought);
    const sold = settleDelivery(holding!, after(['SELL', 130, 4]));
    expect(sold.holding).toMatchObject({ quantity: 6, cost: decimal(600) });
    expect(sold.realised.toFixed()).toBe('120');
  });

  it('leaves no holding when all is sold', () => {
    const { holding } = settleDelivery(undefined, bought);
    expect(settleDelivery(holding!, after(['SELL', 130, 10])).holding).toBeNull();
  });
});
