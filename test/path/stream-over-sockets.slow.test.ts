import { describe, expect, it } from 'vitest';
import { createStage, serveGateway } from '../support/served.ts';
import { logInOverSockets } from '../support/socket-client.ts';
import { openStream, type Message } from '../support/stream-client.ts';
import { until } from '../support/until.ts';

describe('a stream of prices, over sockets', () => {
  it('has ticks, is polled while the ticker is away, and has ticks again', async () => {
    await using stage = await createStage();
    await using gateway = await serveGateway(stage, {
      APP_ALT_BROKER_TICKER_URL: stage.served.tickerUrl,
    });
    const { kite, exchange, faults } = stage.served.sandbox;
    expect((await logInOverSockets(gateway.url)).status).toBe(200);
    await until('the ticker is connected', () => kite.tickerConnections() > 0);
    const issued = await gateway.client.post('/api/v1/stream/tickets', undefined);
    const { ticket } = issued.body.data;
    const client = await openStream(
      `${gateway.url}/api/v1/stream?ticket=${ticket}&instruments=INFY&mode=full`,
    );
    const prices = (): Message[] => client.told.flatMap((message) => message.prices ?? []);
    const feeds = (): string[] =>
      client.told.filter(({ type }) => type === 'feed').map(({ source }) => source);
    await until('there are ticks', () => feeds().at(-1) === 'ticks');
    exchange.setPrice('NSE:INFY', 143_200);
    await until('the tick is there', () => prices().at(-1)?.lastPrice === 1_432);
    expect(prices().at(-1)).toMatchObject({ broker: 'alt', source: 'ticks', stale: false });
    expect(prices().at(-1)?.exchangeAt).toMatch(/^\d{4}-.*\+05:30$/);

    faults.add({ broker: 'kite', kind: 'ticker_cut', times: 1 });
    await until('it is polled', () => feeds().at(-1) === 'polling');
    await until('there are ticks again', () => feeds().at(-1) === 'ticks');
    exchange.setPrice('NSE:INFY', 143_300);
    await until('the price is there', () => prices().at(-1)?.lastPrice === 1_433);

    await gateway[Symbol.asyncDispose]();
    await until('it is told of the stop', () => client.closeCode !== null);
    expect(client.told.at(-1)).toMatchObject({ type: 'error', code: 'stopping' });
  });
});
