import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ADMIN_KEY, createStage } from '../support/served.ts';
import { createSocketClient } from '../support/socket-client.ts';
import { until } from '../support/until.ts';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const FULL = '/dev/full';
const RESTING = {
  instrument: 'NSE:ITC',
  side: 'BUY',
  quantity: 1,
  orderType: 'LIMIT',
  price: 380,
  product: 'CNC',
} as const;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe.skipIf(!existsSync(FULL))('a gateway whose outputs take nothing', () => {
  it.each(['json', 'text'])('places, cancels and stops: %s', async (format) => {
    await using stage = await createStage({ sandbox: { seed: 'full-log' } });
    const { kite } = stage.served.sandbox;
    const port = await freePort();
    const output = openSync(FULL, 'w');
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN], {
      cwd: stage.dataDirectory,
      env: {
        ...stage.environment,
        APP_PORT: String(port),
        APP_LOG_FORMAT: format,
        APP_ALT_BROKER_ACCESS_TOKEN: kite.loginDirect(),
      },
      stdio: ['ignore', output, output],
    });
    closeSync(output);
    const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
    try {
      const client = createSocketClient(`http://127.0.0.1:${port}`, ADMIN_KEY);
      await until('it answers', async () => {
        const answer = await client.get('/health/live').catch(() => null);
        return answer?.status === 200;
      });
      const placed = await client.place(RESTING, 'rests');
      expect(placed.status).toBe(201);
      // Many lines, so that a failure of the output has come by now.
      for (let count = 0; count < 20; count += 1) await client.get('/api/v1/orders/none');
      const { status } = await client.delete(`/api/v1/orders/${placed.body.data.id}`);
      expect(status).toBeLessThan(300);
      await until('it is cancelled', () =>
        kite.orders().some((order) => order.status === 'CANCELLED'),
      );
      child.kill('SIGTERM');
      expect(await exited).toBe(0);
    } finally {
      child.kill('SIGKILL');
      await exited;
    }
  });
});
