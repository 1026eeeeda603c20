import { describe, expect, it } from 'vitest';
import { startGateway } from '../support/gateway-process.ts';
import { createStage } from '../support/served.ts';
import { canMount, mountSmallDisk } from '../support/small-disk.ts';
import { until } from '../support/until.ts';

const BUY = {
  instrument: 'NSE:ITC',
  side: 'BUY',
  quantity: 1,
  orderType: 'MARKET',
  product: 'CNC',
} as const;
const HELD = { ...BUY, quantity: 60 };
const SELL = { ...BUY, side: 'SELL' } as const;
const EXITS = 25;
const RESTING = 15;

describe.skipIf(!canMount())('a gateway whose disk is filled to the last block', () => {
  it('takes exits and cancels, keeps them over a kill, and takes all orders when there is space', async () => {
    await using stage = await createStage({ sandbox: { seed: 'full-disk' } });
    await using disk = await mountSmallDisk(stage.dataDirectory, 48);
    const { kite } = stage.served.sandbox;
    const environment = { APP_ALT_BROKER_ACCESS_TOKEN: kite.loginDirect() };
    const orderOf = async (id: string) =>
      (await gateway.client.get(`/api/v1/orders/${id}`)).body.data;
    await using gateway = await startGateway(stage, environment, disk.within);

    const held = await gateway.client.place(HELD, 'held');
    await until(
      'the first order is filled',
      async () => (await orderOf(held.body.data.id)).status === 'filled',
    );
    const price = Math.round((await orderOf(held.body.data.id)).averagePrice * 0.95);
    const resting: string[] = [];
    for (let count = 0; count < RESTING; count += 1) {
      const order = { ...BUY, orderType: 'LIMIT', price };
      resting.push((await gateway.client.place(order, `resting-${count}`)).body.data.id);
    }
    await until(
      'the last one rests',
      async () => (await orderOf(resting.at(-1)!)).filledQuantity === 0,
    );
    disk.fill();

    expect((await gateway.client.place(BUY, 'opens')).body.code).toBe('disk_full');
    for (const id of resting) {
      const { status, body } = await gateway.client.delete(`/api/v1/orders/${id}`);
      expect([status < 300, body.meta.onDisk]).toEqual([true, undefined]);
    }
    for (let count = 0; count < EXITS; count += 1) {
      expect((await gateway.client.place(SELL, `exit-${count}`)).status).toBe(201);
    }
    const engaged = await gateway.client.post('/api/v1/kill-switch', {
      engaged: true,
      reason: 'x',
    });
    expect(engaged.body.data).toMatchObject({ engaged: true, onDisk: true });
    const sold = () => kite.orders().filter(({ side }) => side === 'SELL').length;
    expect(sold()).toBe(EXITS);

    gateway.kill('SIGKILL');
    await gateway.exited;
    await using second = await startGateway(stage, environment, disk.within);
    const again = await second.client.place(SELL, 'exit-0');
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    expect(sold()).toBe(EXITS);
    expect((await second.client.get('/api/v1/kill-switch')).body.data.engaged).toBe(true);

    disk.empty();
    await second.client.post('/api/v1/kill-switch', { engaged: false, reason: 'space again' });
    await until(
      'all orders are taken',
      async () => (await second.client.place(BUY, `after-${Date.now()}`)).status === 201,
    );
  });
});
