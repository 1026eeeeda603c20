import { describe, expect, it } from 'vitest';
import { fieldOf } from '../../src/platform/values.ts';
import { loggedInRig } from '../path/walk.ts';
import { createRig, type Rig, type RigOptions } from '../support/rig.ts';
import { type Assistant, connect, keyOf } from './assistant.ts';
import { callEveryTool } from './every-tool.ts';

const TRADING: RigOptions = { environment: { APP_MCP_TRADING: 'true' } };

const listOf = async (rig: Rig, { client }: Assistant) =>
  (await rig.time.settle(client.listTools())).tools;

describe('the tools of assistants', () => {
  it('are all called by the official client, before and after a restart, with the same client', async () => {
    await using rig = await loggedInRig(TRADING);
    const assistant = await connect(rig);
    const names = await assistant.tools();
    const before = await callEveryTool(rig, assistant, 1_470);
    await rig.restart();
    await rig.time.advance(5_000);
    const after = await callEveryTool(rig, assistant, 1_460);
    for (const results of [before, after]) {
      const wrong = [...results].filter(([, { isError }]) => isError === true);
      expect(wrong).toEqual([]);
      expect([...results.keys()].toSorted()).toEqual(names.toSorted());
    }
  });

  it('go on after a new login at the broker', async () => {
    await using rig = await loggedInRig(TRADING);
    const assistant = await connect(rig);
    await assistant.tools();
    await rig.time.advanceTo('2026-11-09T09:00:00+05:30');
    const expired = await assistant.call('get_login_link');
    expect(fieldOf(fieldOf(expired.structuredContent, 'data'), 'state')).toBe('expired');
    expect(expired.structuredContent).toMatchObject({
      loginUrl: 'http://127.0.0.1:8420/api/altbroker/login',
    });
    await rig.logIn();
    await rig.time.advance(2_000);
    const funds = await assistant.call('get_funds', { broker: 'alt' });
    expect(funds.structuredContent).toMatchObject({ meta: { broker: 'alt', mode: 'live' } });
  });

  it('say of themselves what their routes do', async () => {
    await using rig = await createRig(TRADING);
    const tools = await listOf(rig, await connect(rig));
    const documented = (await rig.get('/openapi.json')).body;
    expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
    const read = await keyOf(rig, { scope: 'read' });
    const readable = await (await connect(rig, read)).tools();
    for (const { name, annotations, description, inputSchema, outputSchema } of tools) {
      const reads = readable.includes(name);
      expect(annotations, name).toMatchObject({ readOnlyHint: reads, destructiveHint: !reads });
      expect([typeof annotations?.idempotentHint, typeof annotations?.openWorldHint]).toEqual([
        'boolean',
        'boolean',
      ]);
      expect(description?.length, name).toBeGreaterThan(20);
      expect([inputSchema.type, outputSchema?.type], name).toEqual(['object', 'object']);
      expect(JSON.stringify([inputSchema, outputSchema]), name).not.toMatch(/\$ref|\$defs/);
    }
    expect(documented.paths['/mcp'].post['x-scope']).toBe('read');
  });

  it('have one schema for every success of a route, as its answer may have either status', async () => {
    await using rig = await createRig();
    const { paths } = (await rig.get('/openapi.json')).body;
    for (const path of ['/api/v1/orders', '/api/v1/orders/{id}', '/api/v1/orders/cancel-all']) {
      for (const { responses } of Object.values(paths[path]) as { responses: object }[]) {
        const schemas = Object.entries(responses).flatMap(([status, { content }]) =>
          status.startsWith('2') ? [JSON.stringify(content)] : [],
        );
        expect(new Set(schemas).size, path).toBe(1);
      }
    }
  });
});

describe('the tools that trade', () => {
  it('are not listed, and cannot be called, while APP_MCP_TRADING is unset', async () => {
    await using rig = await loggedInRig();
    const assistant = await connect(rig);
    const tools = await listOf(rig, assistant);
    expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([]);
    expect(tools.length).toBeGreaterThan(20);
    const before = rig.sent.length;
    await expect(assistant.call('engage_kill_switch', { reason: 'x' })).rejects.toThrow(
      /APP_MCP_TRADING is not true/,
    );
    expect((await rig.get('/api/v1/kill-switch')).body.data.engaged).toBe(false);
    expect(rig.sent.length).toBe(before);
  });

  it('are not listed for a read key, and cannot be called with one', async () => {
    await using rig = await loggedInRig(TRADING);
    const assistant = await connect(rig, await keyOf(rig, { scope: 'read' }));
    const tools = await listOf(rig, assistant);
    expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([]);
    await expect(assistant.call('cancel_all_orders')).rejects.toThrow(/needs a key of scope trade/);
    const trader = await connect(rig, await keyOf(rig, { name: 'trader', scope: 'trade' }));
    expect(await trader.tools()).toContain('cancel_all_orders');
  });

  it('leave force, the whole account and the release of the kill switch to the person', async () => {
    await using rig = await loggedInRig(TRADING);
    const assistant = await connect(rig);
    for (const [name, args, wrong] of [
      ['place_order', { force: true }, 'force'],
      ['cancel_all_orders', { scope: 'account' }, 'scope'],
      ['close_all_positions', { scope: 'account' }, 'scope'],
      ['engage_kill_switch', { engaged: false, reason: 'x' }, 'engaged'],
      ['engage_kill_switch', { thrown: false, reason: 'x' }, 'thrown'],
    ] as const) {
      const { isError, content } = await assistant.call(name, args);
      expect(isError, name).toBe(true);
      expect(JSON.stringify(content)).toContain(`arguments.${wrong}: is no argument of ${name}`);
    }
  });

  it('are refused as tasks, before anything is sent', async () => {
    await using rig = await loggedInRig(TRADING);
    const { client } = await connect(rig);
    const params = { name: 'engage_kill_switch', arguments: { reason: 'x' }, task: { ttl: 1_000 } };
    await expect(rig.time.settle(client.callTool(params))).rejects.toThrow(
      /does not support task creation/,
    );
    expect((await rig.get('/api/v1/kill-switch')).body.data.engaged).toBe(false);
  });
});

describe('arguments that are wrong', () => {
  it('are told of by name, with what they take, and change nothing', async () => {
    await using rig = await loggedInRig(TRADING);
    const assistant = await connect(rig);
    const before = rig.sent.length;
    for (const [name, args, words] of [
      ['place_order', { instrument: 'NSE:INFY' }, 'arguments.side: '],
      ['get_candles', { instrument: 'NSE:INFY', interval: '7minute' }, 'arguments.interval: '],
      ['get_quotes', {}, 'arguments.instruments: '],
      ['get_order', { id: '../x' }, 'arguments.id: is not an order id'],
      ['get_orders', { limit: 'ten' }, 'arguments.limit: takes a whole number'],
    ] as const) {
      const { isError, content } = await assistant.call(name, args);
      expect(isError, name).toBe(true);
      expect(JSON.stringify(content), name).toContain(words);
    }
    expect(rig.sent.length).toBe(before);
  });

  it('count as absent where they are null', async () => {
    await using rig = await loggedInRig(TRADING);
    const assistant = await connect(rig);
    const args = { instruments: ['NSE:INFY'], broker: null, maxAgeMs: null };
    expect((await assistant.call('get_quotes', args)).isError).toBeUndefined();
  });
});
