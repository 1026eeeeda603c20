import { describe, expect, it } from 'vitest';
import { createStage, serveGateway, type ServedGateway, type Stage } from '../support/served.ts';
import { logInOverSockets } from '../support/socket-client.ts';
import { until } from '../support/until.ts';

const PATIENCE_MS = 30_000;

async function serveTicking(stage: Stage): Promise<ServedGateway> {
  const gateway = await serveGateway(stage, { APP_ALT_BROKER_TICKER_URL: stage.served.tickerUrl });
  await logInOverSockets(gateway.url);
  await until('it is connected', () => stage.served.sandbox.kite.tickerConnections() === 1);
  return gateway;
}

/** What becomes of the ticker is no matter of the session. */
async function isLoggedIn({ client }: ServedGateway): Promise<void> {
  expect((await client.get('/api/altbroker/status')).body.data.state).toBe('valid');
}

describe('the ticker, over sockets', () => {
  it('leaves a line on which nothing is heard, and makes another', async () => {
    await using stage = await createStage();
    await using gateway = await serveTicking(stage);
    const { kite, faults } = stage.served.sandbox;
    const silence = faults.add({ broker: 'kite', kind: 'ticker_silent' });
    await until('the line is left', () => kite.tickerClients().length === 0, PATIENCE_MS);
    faults.remove(silence);
    await until('there is another', () => kite.tickerClients().length === 1, PATIENCE_MS);
    await isLoggedIn(gateway);
  });

  it('comes back when the broker does', async () => {
    await using stage = await createStage();
    await using gateway = await serveTicking(stage);
    const { kite } = stage.served.sandbox;
    await stage.served.stopListening('kite');
    await until('the line is gone', () => kite.tickerClients().length === 0, PATIENCE_MS);
    await stage.served.resume('kite');
    await until('there is another', () => kite.tickerClients().length === 1, PATIENCE_MS);
    await isLoggedIn(gateway);
  });

  it('bears messages without sense', async () => {
    await using stage = await createStage();
    await using gateway = await serveTicking(stage);
    const { kite, faults } = stage.served.sandbox;
    faults.add({ broker: 'kite', kind: 'ticker_garbled' });
    await until('some have come', () => (faults.hits().ticker_garbled ?? 0) >= 3);
    expect([kite.tickerConnections(), kite.tickerClients().length]).toEqual([1, 1]);
    await isLoggedIn(gateway);
  });
});
