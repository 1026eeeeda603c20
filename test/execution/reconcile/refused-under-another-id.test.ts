import { describe, expect, it } from 'vitest';
import { refused } from '../../../src/domain/outcome.ts';
import { bindingOf, statusOf } from '../../../src/execution/order/order.ts';
import { lyingBroker, midday, rowAt, tradingWith } from '../support/lying-broker.ts';

const NO = refused('other', 'RMS: no');
const THEIRS = { instrument: 'NSE:TCS', side: 'SELL', quantity: 65 } as const;

async function setUp() {
  const time = midday();
  const broker = lyingBroker(time);
  const gateway = await tradingWith(time, [broker]);
  return { time, broker, gateway };
}

describe('an order that was refused, and whose row stands under the id of another order of ours', () => {
  it('is that row where the answers of two requests were crossed, and can be cancelled', async () => {
    const { time, broker, gateway } = await setUp();
    // The broker has the first order as b1, and has refused the second: each got the other's answer.
    broker.place = () => NO;
    const { id } = await gateway.place();
    broker.place = () => ({ kind: 'acknowledged', brokerOrderId: 'b1' });
    await gateway.place(THEIRS);
    broker.rows = [rowAt(time, { tags: [broker.placed[0]!.tag] })];
    await time.advance(10_000);
    expect(statusOf(gateway.order(id))).not.toBe('rejected');
    expect(gateway.execution.killSwitch()?.engaged).toBe(true);
    // The way out: today neither of the two orders can be cancelled or resolved.
    expect(bindingOf(gateway.order(id))?.brokerOrderId).toBe('b1');
    await gateway.cancel(id);
    expect(broker.cancels).toEqual(['b1']);
  });

  it('does not stay rejected where a broker counts ids in each segment, and its tag is on its row', async () => {
    const { time, broker, gateway } = await setUp();
    broker.place = () => NO;
    const { id } = await gateway.place();
    broker.place = () => ({ kind: 'acknowledged', brokerOrderId: 'b1' });
    await gateway.place(THEIRS);
    const [first, second] = broker.placed.map(({ tag }) => tag);
    broker.rows = [rowAt(time, { ...THEIRS, tags: [second!] }), rowAt(time, { tags: [first!] })];
    await time.advance(10_000);
    expect(statusOf(gateway.order(id))).not.toBe('rejected');
  });
});
