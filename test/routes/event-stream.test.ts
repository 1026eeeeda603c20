import { afterEach, describe, expect, it } from 'vitest';
import { HEARTBEAT_MS, SLOW_MS, streamEvents } from '../../src/routes/event-stream.ts';
import type { StreamOut } from '../../src/routes/define-route.ts';
import { eventBench } from '../support/event-bench.ts';
import { openEvents, type EventClient } from '../support/event-client.ts';
import { until } from '../support/until.ts';
import { drain, VirtualTime } from '../support/virtual-time.ts';
import { type Harness, KEYS, startApp } from './support/harness.ts';

let app: Harness;
const open: EventClient[] = [];

const authorization = KEYS.read;

async function stream(query = '', headers: Record<string, string> = {}): Promise<EventClient> {
  const url = `${app.url}/api/v1/events${query}`;
  const client = await openEvents(url, { authorization, ...headers });
  open.push(client);
  return client;
}

/** Lets what was written in this turn reach the clients. */
async function hears(client: EventClient, count: number): Promise<readonly string[]> {
  await until(`${count} events are there`, async () => {
    await app.time.advance(0);
    return client.told.length >= count;
  });
  return client.told.map(({ event }) => event.id);
}

describe('the stream of events', () => {
  afterEach(async () => {
    for (const client of open.splice(0)) client.cut();
    await app.close();
  });

  it('is one that proxies pass on at once, and says when to connect again', async () => {
    app = await startApp();
    const client = await stream();
    await until('the first heartbeat is there', () => client.heard.length > 0);
    expect(client.status).toBe(200);
    expect(client.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(client.retryMs).toBe(2_000);
  });

  it('tells what happens from now on, each event as the list has it', async () => {
    app = await startApp();
    await app.bench.happen('alert', { level: 'warning', message: 'before' });
    const client = await stream();
    await app.bench.happen('alert', { level: 'warning', message: 'after' });
    expect(await hears(client, 1)).toEqual(['a-2']);
    const [listed] = (await app.http.get('/api/v1/events?after=a-1').set({ authorization })).body
      .data;
    expect(client.told[0]).toEqual({ lastEventId: 'a-2', event: listed });
  });

  it('goes on after the last event that a client has seen, whatever address it has', async () => {
    app = await startApp();
    for (let count = 0; count < 120; count += 1) await app.bench.happen('alert', { message: 'x' });
    const first = await stream('?after=a-100');
    expect((await hears(first, 20)).at(-1)).toBe('a-120');
    const again = await stream('?after=a-100', { 'Last-Event-ID': 'a-118' });
    expect(await hears(again, 2)).toEqual(['a-119', 'a-120']);
  });

  it('is refused with the problem of a list where the cursor has expired', async () => {
    app = await startApp();
    const client = await stream('', { 'Last-Event-ID': 'b-7' });
    await until('the answer is there', () => client.isOver);
    expect([client.status, JSON.parse(client.text).code]).toEqual([410, 'cursor_expired']);
  });

  it('shows that it is alive, and moves the cursor past events that are not wanted', async () => {
    app = await startApp();
    const client = await stream('?type=order.fill');
    await until('the first heartbeat is there', () => client.heard.length === 1);
    await app.bench.happen('alert', { message: 'x' });
    await app.time.advance(HEARTBEAT_MS);
    await until('the second heartbeat is there', () => client.heard.length === 2);
    expect(client.heard.map(({ lastEventId, event }) => [lastEventId, event.type])).toEqual([
      ['0-0', 'heartbeat'],
      ['a-1', 'heartbeat'],
    ]);
  });

  it('ends at once when its key is revoked, before anything else is told', async () => {
    let isValid = true;
    const caller = {
      id: 'key_read',
      name: 'read',
      scope: 'read',
      broker: null,
      mode: null,
    } as const;
    app = await startApp({ callers: { authenticate: () => (isValid ? caller : null) } });
    const client = await stream();
    await until('the first heartbeat is there', () => client.heard.length === 1);
    isValid = false;
    await app.bench.happen('alert', { message: 'secret' });
    await app.time.advance(0);
    await until('the stream is over', () => client.isOver);
    expect(client.told).toEqual([]);
    expect(client.heard.at(-1)?.event).toMatchObject({
      ...{ type: 'stream.closing', data: { reason: 'key_revoked' } },
    });
  });

  it('does not hold up a gateway that stops', async () => {
    app = await startApp();
    const client = await stream();
    await until('the first heartbeat is there', () => client.heard.length === 1);
    app.bench.readers.stop();
    await until('the stream is over', () => client.isOver);
    expect(client.heard.at(-1)?.event.data).toEqual({ reason: 'stopping' });
    expect(app.time.elapsed()).toBe(0);
  });

  it('gives its place back when the client goes', async () => {
    app = await startApp();
    for (let count = 0; count < 40; count += 1) {
      const client = await stream();
      client.cut();
      await until('the place is free', async () => {
        await drain();
        return client.isOver;
      });
    }
    expect((await stream()).status).toBe(200);
  });
});

/** A connection that takes nothing until it is told to. */
function stuckConnection() {
  const written: string[] = [];
  const listeners = { drain: [] as (() => void)[], close: [] as (() => void)[] };
  const state = { takes: false, ended: '', isCut: false };
  const out: StreamOut = {
    write(text) {
      written.push(text);
      return state.takes;
    },
    onDrain: (listener) => void listeners.drain.push(listener),
    onClose: (listener) => void listeners.close.push(listener),
    end: (text) => void (state.ended = text),
    destroy: () => void (state.isCut = true),
  };
  const drained = (): void => {
    for (const listener of listeners.drain.splice(0)) listener();
  };
  return { out, written, state, drained };
}

describe('a reader that does not keep up', () => {
  async function slowReader() {
    const time = new VirtualTime('2026-11-06T11:00:00+05:30');
    const bench = eventBench({ clock: time, scheduler: time });
    for (let count = 0; count < 2_000; count += 1) await bench.happen('alert', { message: 'x' });
    const connection = stuckConnection();
    const place = bench.readers.enter('key_read');
    const request = {
      ...{ caller: 'key_read', after: 0, cursor: '0-0', wanted: () => true, holds: () => true },
    };
    const streaming = streamEvents(connection.out, bench.readers, place, request);
    await time.advance(0);
    return { time, streaming, ...connection };
  }

  it('is written no more than one page, however much there is', async () => {
    const { time, written, drained } = await slowReader();
    drained();
    await time.advance(SLOW_MS / 2);
    expect(written.join('').split('data: ').length - 1).toBe(50);
  });

  it('is told, and cut off, after half a minute; its cursor leaves nothing out', async () => {
    const { time, streaming, written, state, drained } = await slowReader();
    drained();
    await time.advance(SLOW_MS + 10);
    await streaming;
    const last = /^id: (\S+)/.exec(state.ended)?.[1];
    expect(written.at(-1)).toContain(`id: ${last}\n`);
    expect(state.ended).toContain('slow_reader');
    await time.advance(2_000);
    expect(state.isCut).toBe(true);
  });
});
