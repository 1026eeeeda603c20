import { describe, expect, it } from 'vitest';
import { createStage, serveGateway, type ServedGateway, type Stage } from '../support/served.ts';
import { logInOverSockets } from '../support/socket-client.ts';
import { until } from '../support/until.ts';
import { BUY } from './walk.ts';

/** The book is read by itself once a minute: what comes sooner was told by the ticker. */
async function serveTicking(stage: Stage): Promise<ServedGateway> {
  const gateway = await serveGateway(stage, {
    APP_ALT_BROKER_TICKER_URL: stage.served.tickerUrl,
    APP_ORDER_POLL_SECONDS: '60',
  });
  stage.forwardPostbacksTo(null);
  expect((await logInOverSockets(gateway.url)).status).toBe(200);
  await until('the ticker is connected', () => stage.served.sandbox.kite.tickerConnections() > 0);
  return gateway;
}

const INFY = 408_065;

/** Asks twice, so that it is subscribed to; from then on no price can be asked for. */
async function subscribed({ client }: ServedGateway, stage: Stage): Promise<void> {
  for (let asked = 0; asked < 2; asked += 1) {
    await client.get('/api/v1/ltp?instruments=NSE:INFY&maxAgeMs=60000');
  }
  await until('the instrument is subscribed to', () => isSubscribed(stage));
  stage.served.sandbox.faults.add({
    broker: 'kite',
    kind: 'error_before',
    match: { path: '/quote' },
  });
}

const isSubscribed = ({ served }: Stage): boolean =>
  served.sandbox.kite.tickerClients().some((modes) => modes.get(INFY) === 'ltp');

const priceIs = async ({ client }: ServedGateway, rupees: number): Promise<boolean> => {
  const { body } = await client.get('/api/v1/ltp?instruments=NSE:INFY&maxAgeMs=2000');
  return body.meta?.broker === 'alt' && body.data['NSE:INFY'].lastPrice === rupees;
};

describe('the ticker, over sockets', () => {
  it('sends prices, and goes on with them after the line was cut', async () => {
    await using stage = await createStage();
    await using gateway = await serveTicking(stage);
    const { kite, exchange, faults } = stage.served.sandbox;
    await subscribed(gateway, stage);
    exchange.setPrice('NSE:INFY', 143_200);
    await until('the price has come', () => priceIs(gateway, 1_432));

    faults.add({ broker: 'kite', kind: 'ticker_cut', times: 1 });
    await until('the line was cut', () => faults.hits().ticker_cut === 1);
    await until('there is another line', () => kite.tickerConnections() === 2);
    await until('it sends what the first one did', () => isSubscribed(stage));
    exchange.setPrice('NSE:INFY', 143_300);
    await until('the price has come', () => priceIs(gateway, 1_433));
  });

  it('has a fill seen at once', async () => {
    await using stage = await createStage();
    await using gateway = await serveTicking(stage);
    const { client } = gateway;
    stage.served.sandbox.exchange.setPrice('NSE:INFY', 150_000);
    const placed = await client.place({ ...BUY, orderType: 'LIMIT', price: 1_450 }, 'waits');
    expect(placed.body.data.status).toBe('working');
    stage.served.sandbox.exchange.setPrice('NSE:INFY', 144_000);
    await until('the fill is seen', async () => {
      const { body } = await client.get(`/api/v1/orders/${placed.body.data.id}`);
      return body.data.status === 'filled';
    });
  });

  it('stops with the gateway', async () => {
    await using stage = await createStage();
    const gateway = await serveTicking(stage);
    const { kite } = stage.served.sandbox;
    expect(kite.tickerClients()).toHaveLength(1);
    await gateway[Symbol.asyncDispose]();
    await until('it is gone', () => kite.tickerClients().length === 0);
  });
});
