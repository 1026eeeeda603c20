import { describe, expect, it } from 'vitest';
import { createClient } from '../../../src/adapters/primary/client.ts';
import { createConnection } from '../../../src/adapters/primary/connection.ts';
import { createRateLimitQueues } from '../../../src/adapters/primary/rate-limits.ts';
import { silentLog } from '../../../src/platform/log.ts';
import type { HttpReply } from '../../../src/platform/http.ts';
import { VirtualTime } from '../../support/virtual-time.ts';
import { answered, failureOf, ScriptedTransport, success } from './support.ts';

function setUp(respond: (url: URL) => HttpReply) {
  const time = new VirtualTime(0);
  const transport = new ScriptedTransport((_, url) => respond(url));
  const connection = createConnection({
    transport,
    clock: time,
    log: silentLog,
    accessToken: () => 'secret-token-1',
    hidden: (token) => ({ secrets: [token] }),
    baseUrl: 'https://broker.test',
  });
  return { transport, client: createClient(connection, createRateLimitQueues(time, time)) };
}

describe('one order', () => {
  it('is requested by a GET with a body and with parameters', async () => {
    const { client, transport } = setUp(() => success({ id: 'EQ-1' }));
    expect(await client.order('EQ-1', 'EQUITY')).toEqual({ id: 'EQ-1' });
    const [request] = transport.requests;
    expect(request).toMatchObject({
      method: 'GET',
      url: 'https://broker.test/order?order_id=EQ-1&segment=EQUITY',
    });
    expect(JSON.parse(request!.body!)).toEqual({ order_id: 'EQ-1', segment: 'EQUITY' });
  });
});

describe('the trades of one order', () => {
  it.each([404, 405])('fall back to the older path after %s', async (status) => {
    const { client, transport } = setUp((url) =>
      url.pathname === '/order/trades' ? answered(status, '') : success([1]),
    );
    expect(await client.orderTrades('EQ-1', 'EQUITY')).toEqual([1]);
    expect(transport.urls[1]!.pathname).toBe('/trades/EQ-1');
  });

  it.each([400, 401, 403, 429, 500, 503])('do not fall back after %s', async (status) => {
    const { client, transport } = setUp((url) =>
      url.pathname === '/order/trades' ? answered(status, '') : success([1]),
    );
    expect(await failureOf(client.orderTrades('EQ-1', 'EQUITY'))).toMatchObject({ status });
    expect(transport.requests).toHaveLength(1);
  });
});
