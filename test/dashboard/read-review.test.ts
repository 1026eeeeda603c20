import { describe, expect, it } from 'vitest';
import { ProblemError } from '../../client/index.ts';
import { readReview } from '../../dashboard/src/read-review.ts';

const ORDER = {
  ...{ instrument: 'NSE:INFY', side: 'BUY', quantity: 10, orderType: 'LIMIT', product: 'CNC' },
  ...{ price: 1400, broker: 'paper' },
} as never;

describe('an order before it is sent', () => {
  it('asks what it blocks with the very order that is sent, broker included', async () => {
    const asked: unknown[] = [];
    const problem = { code: 'recovering', detail: 'the gateway is away', status: 503 };
    const away = Object.assign(Object.create(ProblemError.prototype), { problem });
    const read = await readReview(
      {
        getInstrument: async () => ({ data: { tickSize: 0.05 } }),
        getMargins: async (input: unknown) => (asked.push(input), { data: { required: 1 } }),
        getLimits: () => Promise.reject(away),
        getKey: async ({ id }: { id: string }) => ({ data: { id } }),
      } as never,
      ORDER,
    );
    expect(asked).toEqual([{ body: { orders: [ORDER] } }]);
    expect(read.margin).toEqual({ required: 1 });
    expect(read.brakes).toBe('the gateway is away');
    expect(read.key).toEqual({ id: 'me' });
  });
});
