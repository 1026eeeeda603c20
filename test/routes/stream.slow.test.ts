import { afterEach, describe, expect, it } from 'vitest';
import { PRICE_HEARTBEAT_MS } from '../../src/routes/price-session.ts';
import { MOST_STREAMS_OF_KEY } from '../../src/routes/price-readers.ts';
import { openEvents } from '../support/event-client.ts';
import { openStream, type Message, type StreamClient } from '../support/stream-client.ts';
import { until } from '../support/until.ts';
import { type Harness, KEYS, startApp } from './support/harness.ts';

let app: Harness;
const open: { cut(): void }[] = [];
afterEach(async () => {
  for (const client of open.splice(0)) client.cut();
  await app.close();
});

async function stream(
  query = '',
  headers: Record<string, string> = { authorization: KEYS.read },
): Promise<StreamClient> {
  const client = await openStream(`${app.url}/api/v1/stream${query}`, headers);
  open.push(client);
  return client;
}

/** The first message of this kind, from the one at `from` on. */
function heard(client: StreamClient, type: string, from = 0): Promise<Message> {
  return until(`a message ${type} is there`, async () => {
    await app.time.advance(0);
    return client.messages.slice(from).find((message) => message.type === type) ?? null;
  });
}

describe('a WebSocket of prices', () => {
  it('says hello, and answers each subscription with what is refused', async () => {
    app = await startApp();
    const client = await stream();
    expect(await heard(client, 'hello')).toEqual({
      ...{ type: 'hello', heartbeatMs: PRICE_HEARTBEAT_MS },
      ...{ modes: ['ltp', 'quote', 'full'], mostInstruments: 3_000 },
    });
    client.send({ action: 'subscribe', id: '7', mode: 'quote', instruments: ['INFY', 'GHOST'] });
    expect(await heard(client, 'subscribed')).toEqual({
      ...{ type: 'subscribed', id: '7', mode: 'quote', instruments: { INFY: 'NSE:INFY' } },
      refused: { GHOST: 'no instrument is named GHOST; names read NSE:INFY, NSE_1594 or INFY' },
    });
    client.send({ action: 'unsubscribe', instruments: ['NSE:INFY', 'NSE:TCS'] });
    expect(await heard(client, 'unsubscribed')).toEqual({
      ...{ type: 'unsubscribed', id: null, instruments: { 'NSE:INFY': 'NSE:INFY' } },
      refused: { 'NSE:TCS': 'this stream was not subscribed to it' },
    });
    expect([...app.prices.feed.wanted]).toEqual([]);
  });

  it('tells a snapshot first, and then what changes, with the source and the age of each price', async () => {
    app = await startApp();
    const client = await stream('?instruments=NSE:INFY&mode=ltp');
    await heard(client, 'subscribed');
    app.prices.feed.send('NSE:INFY', 1_500);
    const snapshot = await heard(client, 'snapshot');
    app.prices.feed.send('NSE:INFY', 1_501.5);
    const ticks = await heard(client, 'ticks');
    expect(client.told.map(({ type, seq }) => [type, seq])).toEqual([
      ...[
        ['hello', undefined],
        ['subscribed', undefined],
      ],
      ...[
        ['feed', 1],
        ['snapshot', 2],
        ['ticks', 3],
      ],
    ]);
    expect(client.told[2]).toMatchObject({
      ...{ source: 'ticks', broker: 'alt', instruments: ['NSE:INFY'] },
    });
    expect(snapshot.prices).toHaveLength(1);
    expect(ticks.prices).toEqual([
      {
        ...{ instrument: 'NSE:INFY', mode: 'ltp', lastPrice: 1_501.5, exchangeAt: null },
        ...{ receivedAt: '2026-11-23T09:30:00.000+05:30', broker: 'alt' },
        ...{ source: 'ticks', stale: false },
      },
    ]);
  });

  it('has the figures of the mode that was asked for', async () => {
    app = await startApp();
    const client = await stream('?instruments=INFY&mode=full');
    const other = await stream('?instruments=INFY&mode=quote');
    await heard(client, 'subscribed');
    await heard(other, 'subscribed');
    app.prices.feed.send('NSE:INFY', 1_500);
    const [full] = (await heard(client, 'snapshot')).prices;
    const [quote] = (await heard(other, 'snapshot')).prices;
    expect(Object.keys(full)).toEqual(
      expect.arrayContaining(['open', 'volume', 'depth', 'openInterest', 'upperCircuit', 'bid']),
    );
    expect(Object.keys(quote)).toEqual(expect.arrayContaining(['open', 'volume', 'averagePrice']));
    expect(Object.keys(quote)).not.toContain('depth');
  });

  it('answers a wrong message with what is wrong with it, and changes nothing', async () => {
    app = await startApp();
    const client = await stream('?instruments=NSE:INFY');
    await heard(client, 'subscribed');
    const wrong: [unknown, string | null, RegExp][] = [
      ['{', null, /not JSON/],
      [Buffer.from([1, 2]), null, /not JSON/],
      ['[]', null, /takes subscribe or unsubscribe/],
      ['{"action":"buy","id":"x"}', 'x', /takes subscribe or unsubscribe/],
      ['{"action":"unsubscribe"}', null, /message\.instruments: is required/],
      [
        '{"action":"subscribe","id":"y","instruments":[],"mode":"all","speed":1}',
        'y',
        /is required: name at least one.*takes ltp, quote or full.*speed, which is not known/,
      ],
    ];
    for (const [sent, id, told] of wrong) {
      const before = client.messages.length;
      client.sendText(sent as string);
      const error = await heard(client, 'error', before);
      expect(error).toMatchObject({ code: 'invalid_message', id });
      expect(error.message).toMatch(told);
    }
    expect([...app.prices.feed.wanted]).toEqual([['NSE:INFY', 'ltp']]);
    expect(client.closeCode).toBeNull();
  });

  it('answers many messages at once in their order', async () => {
    app = await startApp();
    const client = await stream();
    for (let at = 0; at < 50; at += 1) {
      client.send({ action: 'subscribe', id: String(at), instruments: [`NSE:S${at}`] });
    }
    await until('all are answered', async () => {
      await app.time.advance(0);
      return client.told.length > 50;
    });
    expect(client.told.slice(1).map(({ id }) => Number(id))).toEqual([...Array(50).keys()]);
  });

  it('shows that it is alive', async () => {
    app = await startApp();
    const client = await stream();
    await heard(client, 'hello');
    await app.time.advance(PRICE_HEARTBEAT_MS);
    expect(await heard(client, 'heartbeat')).toMatchObject({
      at: '2026-11-23T09:30:05.000+05:30',
    });
  });

  it('ends what it was subscribed to when the program goes, and frees its place', async () => {
    app = await startApp();
    for (let count = 0; count < MOST_STREAMS_OF_KEY + 5; count += 1) {
      const client = await stream('?instruments=NSE:INFY');
      await heard(client, 'subscribed');
      client.cut();
      await until('nothing is wanted', () => app.prices.feed.wanted.size === 0);
    }
  });

  it('is refused where a key has as many as it may have', async () => {
    app = await startApp();
    for (let count = 0; count < MOST_STREAMS_OF_KEY; count += 1) await stream();
    const one = await stream();
    expect(one.refusal?.status).toBe(429);
    expect(one.refusal?.text).toContain('32 streams of prices of this key are open already');
    expect((await stream('', { authorization: KEYS.trade })).refusal).toBeNull();
  });

  it('is told why before the gateway stops, and holds nothing up', async () => {
    app = await startApp();
    const client = await stream();
    await heard(client, 'hello');
    app.prices.readers.stop();
    expect(await heard(client, 'error')).toMatchObject({ code: 'stopping' });
    await until('it is closed', () => client.closeCode !== null);
    expect(client.closeCode).toBe(1001);
  });
});

describe('the same as server-sent events', () => {
  it('has the same messages', async () => {
    app = await startApp();
    const client = await openEvents(`${app.url}/api/v1/stream?instruments=NSE:INFY,GHOST`, {
      authorization: KEYS.read,
    });
    open.push(client);
    app.prices.feed.send('NSE:INFY', 1_500);
    await until('the snapshot is there', async () => {
      await app.time.advance(0);
      app.prices.feed.send('NSE:INFY', 1_500);
      return client.heard.some(({ event }) => event.type === 'snapshot');
    });
    expect(client.headers).toMatchObject({ 'content-type': 'text/event-stream; charset=utf-8' });
    expect(client.retryMs).toBe(2_000);
    const types = client.heard.map(({ event }) => event.type).filter((type) => type !== 'ticks');
    expect(types).toEqual(['hello', 'subscribed', 'feed', 'snapshot']);
    client.cut();
    await until('nothing is wanted', () => app.prices.feed.wanted.size === 0);
  });

  it('needs Accept and instruments', async () => {
    app = await startApp();
    const get = (path: string, accept: string) =>
      app.http.get(path).set({ Authorization: KEYS.read, Accept: accept });
    const plain = await get('/api/v1/stream?instruments=NSE:INFY', 'application/json');
    expect([plain.status, plain.body.detail]).toEqual([
      400,
      'This address is a stream: open a WebSocket, or send the header Accept: text/event-stream.',
    ]);
    const empty = await get('/api/v1/stream', 'text/event-stream');
    expect(empty.status).toBe(400);
    expect(empty.body.detail).toContain('query.instruments: is required');
  });
});
