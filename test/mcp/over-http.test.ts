import { describe, expect, it } from 'vitest';
import { fieldOf } from '../../src/platform/values.ts';
import { BUY, loggedInRig, place, placings, RESTING } from '../path/walk.ts';
import { ADMIN_KEY, createRig, type Rig, type RigOptions } from '../support/rig.ts';
import { connect, keyOf } from './assistant.ts';
import { dataOf, idOf } from './every-tool.ts';

const TRADING: RigOptions = { environment: { APP_MCP_TRADING: 'true' } };
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const ACCEPT = { accept: 'application/json, text/event-stream' };

const send = (rig: Rig, json: unknown, headers: Record<string, string> = {}) =>
  rig.call({ method: 'POST', path: '/mcp', json, headers: { ...ACCEPT, ...headers } });

const kill = {
  ...LIST,
  method: 'tools/call',
  params: { name: 'engage_kill_switch', arguments: { reason: 'x' } },
};

describe('the address for assistants', () => {
  it('answers one message with one, without a session and without the messages before', async () => {
    await using rig = await createRig();
    const { status, headers, body } = await send(rig, LIST);
    expect([status, body.id]).toEqual([200, 1]);
    expect(headers['mcp-session-id']).toBeUndefined();
    expect(headers['content-type']).toContain('application/json');
    expect(body.result.tools.length).toBeGreaterThan(20);
    const note = { jsonrpc: '2.0', method: 'notifications/initialized' };
    expect(await send(rig, note)).toMatchObject({ status: 202, text: '' });
  });

  it.each([
    ['no key', { authorization: '' }, 401, 'unauthorized'],
    ['a wrong key', { authorization: 'Bearer nonsense' }, 401, 'unauthorized'],
    ['another Host', { host: 'evil.example' }, 421, 'wrong_host'],
    ['a page of another origin', { origin: 'http://evil.example' }, 403, 'foreign_origin'],
    ['another site', { 'sec-fetch-site': 'cross-site' }, 403, 'foreign_origin'],
    ['another type', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
    ['a compressed body', { 'content-encoding': 'gzip' }, 415, 'unsupported_media_type'],
  ])('refuses %s, and nothing is done', async (_what, headers, status, code) => {
    await using rig = await createRig(TRADING);
    const reply = await send(rig, kill, headers);
    expect([reply.status, reply.body.code]).toEqual([status, code]);
    expect((await rig.get('/api/v1/kill-switch')).body.data.engaged).toBe(false);
  });

  it.each([
    ['too large', { ...kill, more: 'x'.repeat(256 * 1024) }, 413],
    ['a batch', [kill], 400],
    ['no message', { method: 'tools/list' }, 400],
    ['a message without a method', { jsonrpc: '2.0', id: 1 }, 400],
  ])('refuses a body that is %s', async (_what, body, status) => {
    await using rig = await createRig(TRADING);
    expect((await send(rig, body)).status).toBe(status);
    expect((await rig.get('/api/v1/kill-switch')).body.data.engaged).toBe(false);
  });

  it.each(['GET', 'DELETE'])('has no stream and no session for %s', async (method) => {
    await using rig = await createRig();
    const reply = await rig.call({ method, path: '/mcp', headers: ACCEPT });
    expect([reply.status, reply.headers.allow]).toEqual([405, 'POST']);
  });

  it('asks for both types of answer, and for a version that it speaks, as the protocol has it', async () => {
    await using rig = await createRig();
    expect((await send(rig, LIST, { accept: 'application/json' })).status).toBe(406);
    expect((await send(rig, LIST, { 'mcp-protocol-version': '1999-01-01' })).status).toBe(400);
    expect((await send(rig, LIST, { 'mcp-protocol-version': '2025-06-18' })).status).toBe(200);
  });

  it('writes the caller into the log, and no argument', async () => {
    await using rig = await createRig(TRADING);
    await send(rig, {
      ...kill,
      params: { ...kill.params, arguments: { reason: 'a-secret-word' } },
    });
    const lines = rig.log.filter((line) => line.includes('"/mcp"'));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('"caller":"admin"');
    expect(rig.log.join('')).not.toContain('a-secret-word');
    expect(rig.log.join('')).not.toContain(ADMIN_KEY);
  });
});

describe('what a key is confined to', () => {
  it('holds for its assistant: a key for paper trades and sees paper alone', async () => {
    await using rig = await loggedInRig(TRADING);
    const live = await place(rig, RESTING, 'of the admin');
    const key = await keyOf(rig, { scope: 'trade', mode: 'paper' });
    const assistant = await connect(rig, key);
    const order = await assistant.call('place_order', BUY);
    expect(dataOf(order)).toMatchObject({ broker: 'paper', mode: 'paper' });
    const positions = await assistant.call('get_positions');
    expect(positions.structuredContent).toMatchObject({ meta: { broker: 'paper' } });
    const named = await assistant.call('place_order', { ...RESTING, broker: 'alt' });
    expect(JSON.stringify(named.content)).toContain('forbidden');
    const other = await assistant.call('cancel_order', { id: live.body.data.id });
    expect(JSON.stringify(other.content)).toContain('unknown_order');
    const quotes = await assistant.call('get_quotes', { instruments: ['NSE:INFY'] });
    expect(quotes.structuredContent).toMatchObject({ meta: { broker: 'alt' } });
    expect(placings(rig)).toHaveLength(1);
  });

  it('holds for its assistant: a key for live accounts places nothing on paper', async () => {
    await using rig = await createRig(TRADING);
    const assistant = await connect(rig, await keyOf(rig, { scope: 'trade', mode: 'live' }));
    const order = await assistant.call('place_order', BUY);
    expect(order.isError).toBe(true);
    expect((await rig.get('/api/v1/orders?broker=paper')).body.data).toEqual([]);
  });

  it('and the limits and the stop of the key, but for ways out', async () => {
    await using rig = await loggedInRig(TRADING);
    const limits = { maxOrderQuantity: 5 };
    const assistant = await connect(rig, await keyOf(rig, { scope: 'trade', limits }));
    const above = await assistant.call('place_order', BUY);
    expect(JSON.stringify(above.content)).toContain('limit_reached');
    const within = await assistant.call('place_order', { ...RESTING, quantity: 5 });
    await rig.time.advance(2_000);
    await assistant.call('engage_kill_switch', { reason: 'a test' });
    const stopped = await assistant.call('place_order', { ...RESTING, quantity: 4 });
    expect(JSON.stringify(stopped.content)).toContain('kill_switch');
    const cancelled = await assistant.call('cancel_order', { id: idOf(within) });
    expect(cancelled.isError).toBeUndefined();
    const exit = { instrument: 'NSE:INFY', product: 'CNC', broker: 'alt' };
    expect((await assistant.call('exit_position', exit)).isError).toBeUndefined();
  });
});

describe('a failed read', () => {
  it('is an error for the assistant, and never an empty list', async () => {
    await using rig = await loggedInRig();
    const assistant = await connect(rig);
    rig.sandbox.faults.add({
      ...{ broker: 'kite', kind: 'error_before' },
      match: { method: 'GET', path: '/portfolio' },
    });
    const result = await assistant.call('get_positions', { broker: 'alt', maxAgeMs: 0 });
    expect(result.isError).toBe(true);
    expect(fieldOf(result, 'structuredContent')).toBeUndefined();
    expect(JSON.stringify(result.content)).toContain('broker_unavailable');
  });
});
