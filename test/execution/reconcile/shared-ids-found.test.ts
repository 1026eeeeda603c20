import { describe, expect, it } from 'vitest';
import { uncertain } from '../../../src/domain/outcome.ts';
import { orderResponse } from '../../../src/execution/order/order-response.ts';
import { lyingBroker, midday, rowAt, tradingWith } from '../support/lying-broker.ts';
import { trade } from '../support/makers.ts';

const THEIRS = { instrument: 'NSE:TCS', side: 'SELL', quantity: 65 } as const;
const LOST = () => uncertain({ kind: 'transport', message: 'no answer' });

/** A broker that counts ids in each segment of an exchange can give one id to two orders of ours. */
describe('two orders whose answers were lost, and whose rows of one read share an id', () => {
  it('are told apart, and the read counts for all other orders', async () => {
    const time = midday();
    const broker = lyingBroker(time);
    const gateway = await tradingWith(time, [broker]);
    const seen = (id: string) => orderResponse(gateway.order(id));
    broker.place = () => ({ kind: 'acknowledged', brokerOrderId: 'c1' });
    const { id: other } = await gateway.place({ instrument: 'NSE:SBIN' });
    const row = rowAt(time, {
      ...{ brokerOrderId: 'c1', instrument: 'NSE:SBIN', tags: [broker.placed[0]!.tag] },
    });
    broker.rows = [row];
    await time.advance(2_000);
    expect(seen(other)).toMatchObject({ status: 'working', filledQuantity: 0 });

    broker.place = LOST;
    const { id: one } = await gateway.place();
    const { id: two } = await gateway.place(THEIRS);
    const [, first, second] = broker.placed.map(({ tag }) => tag);
    broker.rows = [
      { ...row, status: 'filled', rawStatus: 'COMPLETE', filledQuantity: 10, averagePrice: 800 },
      rowAt(time, { brokerOrderId: 'd1', tags: [first!] }),
      rowAt(time, { brokerOrderId: 'd1', ...THEIRS, tags: [second!] }),
    ];
    broker.fills = [trade({ brokerOrderId: 'c1', quantity: 10, price: 800 })];
    await time.advance(30_000);
    expect(seen(other)).toMatchObject({ status: 'filled', filledQuantity: 10 });
    // The journal gives an id to one order.
    expect(seen(one)).toMatchObject({ status: 'working', brokerOrderId: 'd1', filledQuantity: 0 });
    expect(seen(two)).toMatchObject({
      ...{ status: 'disputed', brokerOrderId: null, filledQuantity: null },
      reason: expect.stringContaining(`its row is under d1, which is that of order ${one}`),
    });
    await gateway.cancel(one);
    expect(broker.cancels).toEqual(['d1']);
  });
});
