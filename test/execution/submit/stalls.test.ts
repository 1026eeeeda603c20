import { describe, expect, it } from 'vitest';
import { lyingBroker, midday, rowAt, tradingWith } from '../support/lying-broker.ts';

const CHANGE = {
  ...{ orderType: null, quantity: null, triggerPrice: null, validity: null },
  price: 1_499,
};

async function standing() {
  const time = midday();
  const broker = lyingBroker(time);
  const gateway = await tradingWith(time, [broker]);
  gateway.execution.wake('alt');
  await time.advance(10_000);
  const tried = () => gateway.place().then(({ state }) => state.kind, String);
  return { time, broker, gateway, tried };
}

describe('a request that is read after the process stood still', () => {
  it('is not sent where the process was stopped: it may have waited in its socket', async () => {
    const { time, broker, tried } = await standing();
    time.standStill(30_000);
    expect(await tried()).toContain('stood still');
    expect(broker.placed).toEqual([]);
  });

  it('is not sent where the computer slept: its running clock stood still as well', async () => {
    const { time, broker, tried } = await standing();
    time.stepWall(3_600_000);
    expect(await tried()).toContain('stood still');
    expect(broker.placed).toEqual([]);
  });

  it('is sent a moment later, and after a short pause', async () => {
    const { time, broker, tried } = await standing();
    time.standStill(30_000);
    await tried();
    await time.advance(1_100);
    expect(await tried()).toBe('working');
    time.standStill(4_000);
    broker.rows = [rowAt(time, { tags: [broker.placed[0]!.tag] })];
    broker.place = () => ({ kind: 'acknowledged', brokerOrderId: 'b2' });
    expect(await tried()).toBe('working');
  });

  it('is not sent as a modification, and is as a cancel', async () => {
    const { time, broker, gateway } = await standing();
    const order = await gateway.place();
    broker.rows = [rowAt(time, { tags: [broker.placed[0]!.tag] })];
    await time.advance(2_000);
    time.standStill(30_000);
    await time.settle(gateway.execution.amend(order.id, CHANGE, null)).catch(() => undefined);
    expect(broker.modified).toEqual([]);
    await gateway.cancel(order.id);
    expect(broker.cancels).toEqual(['b1']);
  });
});
