import { cpSync, rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { startGateway } from '../support/gateway-process.ts';
import { createStage } from '../support/served.ts';
import { until } from '../support/until.ts';

const RESTING = {
  ...{ instrument: 'NSE:INFY', side: 'BUY', quantity: 1, orderType: 'LIMIT', product: 'CNC' },
  price: 1_450,
};

it('on a copy of the directory of a killed gateway, reads and sends nothing until it is armed, then goes on', async () => {
  await using stage = await createStage();
  const { kite } = stage.served.sandbox;
  const token = { APP_ALT_BROKER_ACCESS_TOKEN: kite.loginDirect() };
  const changes = (): number => kite.requests().filter(({ method }) => method !== 'GET').length;
  const copy = `${stage.dataDirectory}-copy`;
  using stack = new DisposableStack();
  stack.defer(() => rmSync(copy, { recursive: true, force: true }));
  let id = '';
  {
    await using original = await startGateway(stage, token);
    const { status, body } = await original.client.place(RESTING, 'resting');
    expect(status).toBe(201);
    ({ id } = body.data);
    original.kill('SIGKILL');
    await original.exited;
  }
  cpSync(stage.dataDirectory, copy, { recursive: true, preserveTimestamps: true });
  const before = changes();

  await using gateway = await startGateway(stage, { ...token, APP_DATA_DIR: copy });
  const { client } = gateway;
  const statusOf = async (): Promise<string> =>
    (await client.get(`/api/v1/orders/${id}`)).body.data.status;
  await until('the order works', async () => (await statusOf()) === 'working');
  const refused = [
    await client.place(RESTING, 'other'),
    await client.delete(`/api/v1/orders/${id}`),
  ];
  expect(refused.map(({ status, body }) => [status, body.code])).toEqual([
    [409, 'disarmed'],
    [409, 'disarmed'],
  ]);
  expect(changes()).toBe(before);

  expect((await client.post('/api/v1/arm', { oldGatewayIsStopped: true })).status).toBe(200);
  // The key is that of the order which the original placed: nothing is sent for it.
  expect((await client.place(RESTING, 'resting')).body.data.id).toBe(id);
  expect(changes()).toBe(before);
  await client.delete(`/api/v1/orders/${id}`);
  await until('the order is cancelled', async () => (await statusOf()) === 'cancelled');
  expect(kite.orders()).toHaveLength(1);
});
