import { describe, expect, it } from 'vitest';
import type { OrderModification } from '../../../src/domain/order.ts';
import { attemptsOfOrder } from '../../../src/execution/journal/state.ts';
import { asShown } from '../../../src/execution/order/accepted-terms.ts';
import { ofThisTrigger } from '../../../src/execution/triggers/send-trigger.ts';
import { lyingBroker, midday, rowAt, tradingWith } from '../support/lying-broker.ts';

const NOTHING: OrderModification = {
  ...{ quantity: null, price: null, triggerPrice: null, orderType: null, validity: null },
};
const CHEAPER = { ...NOTHING, price: 1_490 };

describe('a modification whose answer names another order', () => {
  async function answered(brokerOrderId: string) {
    const time = midday();
    const broker = lyingBroker(time);
    const gateway = await tradingWith(time, [broker]);
    const { id } = await gateway.place();
    broker.rows = [rowAt(time)];
    await time.advance(2_000);
    broker.modify = () => ({ kind: 'acknowledged', brokerOrderId });
    const { settled } = await time.settle(gateway.execution.amend(id, CHEAPER, null));
    const attempts = attemptsOfOrder(gateway.execution.state, id);
    const { price } = asShown(gateway.order(id), attempts, time.now()).terms;
    return { time, broker, gateway, id, settled, price, state: attempts.at(-1)?.state.kind };
  }

  it('is not said to be taken, and its terms are not shown before the row shows them', async () => {
    const { settled, price, state, broker, time, gateway, id } = await answered('b9');
    expect({ settled, price, state }).toEqual({ settled: false, price: 1_500, state: 'uncertain' });
    broker.rows = [rowAt(time, { price: 1_490 })];
    await time.advance(2_000);
    expect(gateway.order(id).terms.price).toBe(1_490);
    expect(broker.modified).toHaveLength(1);
  });

  it('is said to be taken where it names the order', async () => {
    const { settled, price, state } = await answered('b1');
    expect({ settled, price, state }).toEqual({
      ...{ settled: true, price: 1_490, state: 'acknowledged' },
    });
  });
});

describe('an answer about a trigger', () => {
  it('says nothing of it where it names another one', () => {
    const answer = { kind: 'acknowledged', triggerId: '7' } as const;
    expect(ofThisTrigger(answer, '7')).toBe(answer);
    expect(ofThisTrigger(answer, '8')).toMatchObject({
      ...{ kind: 'uncertain', reason: expect.stringContaining('another trigger, 7') },
    });
  });
});
