import { describe, expect, it } from 'vitest';
import { startGateway, StartFailed } from '../support/gateway-process.ts';
import { createStage } from '../support/served.ts';
import { until } from '../support/until.ts';

const BUY = {
  instrument: 'NSE:INFY',
  side: 'BUY',
  quantity: 1,
  orderType: 'MARKET',
  product: 'CNC',
};

describe.each(['SIGTERM', 'SIGINT'] as const)('%s', (signal) => {
  it('ends the process with 0, and what is on its way is answered first', async () => {
    await using stage = await createStage({ sandbox: { latencyMs: [1_000, 1_000] } });
    const { kite } = stage.served.sandbox;
    const token = { APP_ALT_BROKER_ACCESS_TOKEN: kite.loginDirect() };
    await using gateway = await startGateway(stage, token);
    // The lists are loaded and the book is read: what follows is one request.
    await until('the first order is taken', async () => {
      const { status } = await gateway.client.place(BUY, `warm-up-${kite.orders().length}`);
      return status === 201;
    });
    const taken = kite.orders().length;
    const answer = gateway.client.place(BUY, 'under-way');
    await until('the broker has the second order', () => kite.orders().length === taken + 1);
    gateway.kill(signal);
    const { status, body } = await answer;
    expect([status, body.data.broker, body.data.boundBy]).toEqual([201, 'alt', 'id']);
    expect(await gateway.exited).toEqual({ code: 0, signal: null });
    expect(gateway.errors()).toBe('');
  });

  it('ends a process that has nothing to do with 0', async () => {
    await using stage = await createStage();
    await using gateway = await startGateway(stage);
    gateway.kill(signal);
    expect(await gateway.exited).toEqual({ code: 0, signal: null });
    // Its log is a pipe: lines of JSON, which say what was started and why it ended.
    const lines = gateway.log().trim().split('\n');
    const told = lines.map((line): { msg: string; reason?: string } => JSON.parse(line));
    const messages = told.map(({ msg }) => msg);
    expect(messages).toContainEqual(`Data directory: ${stage.dataDirectory}`);
    expect(messages).toContainEqual(expect.stringContaining(`Dashboard: ${gateway.url}/ (`));
    // Reads that were under way may still tell that they were cut off.
    const end = told.find(({ msg }) => msg === 'stopped');
    expect(end).toMatchObject({ reason: signal });
  });
});

describe('an error that nobody foresaw', () => {
  it('ends the process, and the log says so without quoting it', async () => {
    await using stage = await createStage();
    const throws = "process.on('SIGUSR2',()=>{throw new TypeError('canary')})";
    const planted = `--import=data:text/javascript,${encodeURIComponent(throws)}`;
    await using gateway = await startGateway(stage, { NODE_OPTIONS: planted });
    process.kill(gateway.pid, 'SIGUSR2');
    expect((await gateway.exited).code).not.toBe(0);
    // Lines that were still queued may follow it.
    const told = gateway
      .log()
      .split('\n')
      .filter((line) => line.includes('the gateway ends now'));
    expect(told).toHaveLength(1);
    expect(JSON.parse(told[0] ?? '')).toMatchObject({ level: 50, kind: 'TypeError' });
    expect(gateway.log()).not.toContain('canary');
  });
});

describe('a second process on the same data directory', () => {
  it('is refused with who holds it, and gets it the moment the holder is killed', async () => {
    await using stage = await createStage();
    await using holder = await startGateway(stage);
    const refused = await startGateway(stage).then(
      () => null,
      (error: unknown) => error,
    );
    expect(refused).toBeInstanceOf(StartFailed);
    const { exit, errors } = refused as StartFailed;
    expect(exit).toEqual({ code: 1, signal: null });
    expect(errors).toBe(
      `altbroker-gateway: The gateway did not start: the data directory ${stage.dataDirectory} ` +
        `is in use by process ${holder.pid}: stop it, or set APP_DATA_DIR to another one\n`,
    );
    // The holder has noticed nothing.
    expect((await holder.client.get('/health/live')).status).toBe(200);
    holder.kill('SIGKILL');
    await holder.exited;
    await using next = await startGateway(stage);
    expect((await next.client.get('/health/live')).status).toBe(200);
  });

  it('of two that start at once, one gets it', async () => {
    await using stage = await createStage();
    const starts = await Promise.allSettled([startGateway(stage), startGateway(stage)]);
    const started = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
    for (const gateway of started) {
      gateway.kill('SIGTERM');
      await gateway.exited;
    }
    expect(started).toHaveLength(1);
  });
});
