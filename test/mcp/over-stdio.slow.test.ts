import { PassThrough } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { describe, expect, it } from 'vitest';
import { composeBridge } from '../../src/compose/bridge.ts';
import { memoryEnvironment } from '../../src/platform/environment.ts';
import { systemFiles } from '../../src/platform/files.ts';
import type { HttpReply, HttpRequest, HttpTransport } from '../../src/platform/http.ts';
import { BUY, loggedInRig, placings } from '../path/walk.ts';
import { ADMIN_KEY, type Rig, type RigOptions } from '../support/rig.ts';
import { assistantOver } from './assistant.ts';
import { callEveryTool, idOf } from './every-tool.ts';

const TRADING: RigOptions = { environment: { APP_MCP_TRADING: 'true' } };
type Fate = (request: HttpRequest, pass: () => Promise<HttpReply>) => Promise<HttpReply>;

/** The bridge, with the gateway of a rig behind it; `fate` may spoil what passes. */
function bridgeTo(rig: Rig, options: { readonly fate?: Fate; readonly key?: string } = {}) {
  const { fate = (_request, pass) => pass(), key = ADMIN_KEY } = options;
  const [input, output] = [new PassThrough(), new PassThrough()];
  const told: string[] = [];
  const asked: HttpRequest[] = [];
  const written: string[] = [];
  output.on('data', (chunk: Buffer) => written.push(chunk.toString('utf8')));
  const pass = async ({ url, headers, body = '' }: HttpRequest): Promise<HttpReply> => {
    const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
    const path = new URL(url).pathname;
    const begun = { method: 'POST', path, text: body, headers: Object.fromEntries(lower) };
    const { status, text } = await rig.begin(begun);
    return { kind: 'answered', status, statusText: '', headers: {}, body: text };
  };
  const transport: HttpTransport = {
    send(request) {
      asked.push(request);
      return fate(request, () => pass(request));
    },
    connectAhead: () => undefined,
    close: () => Promise.resolve(),
  };
  const ended = composeBridge({
    environment: memoryEnvironment({ APP_MCP_KEY: key }),
    ...{ files: systemFiles, transport },
    streams: { input, output, tell: (line) => void told.push(line) },
  });
  return {
    ...{ input, ended, told, asked, written },
    connect: () => assistantOver(rig, new StdioServerTransport(output, input)),
  };
}

const isCall = ({ body = '' }: HttpRequest): boolean => body.includes('"tools/call"');

describe('an assistant by its standard streams', () => {
  it('calls every tool, before and after a restart of the gateway', async () => {
    await using rig = await loggedInRig(TRADING);
    const bridge = bridgeTo(rig);
    const assistant = await bridge.connect();
    const names = await assistant.tools();
    const before = await callEveryTool(rig, assistant, 1_470);
    await rig.restart();
    await rig.time.advance(5_000);
    const after = await callEveryTool(rig, assistant, 1_460);
    for (const results of [before, after]) {
      expect([...results].filter(([, { isError }]) => isError === true)).toEqual([]);
      expect([...results.keys()].toSorted()).toEqual(names.toSorted());
    }
    bridge.input.end();
    await bridge.ended;
    expect(bridge.told).toEqual([]);
    const lines = bridge.written.join('').trimEnd().split('\n');
    expect(lines.filter((line) => JSON.parse(line).jsonrpc !== '2.0')).toEqual([]);
    expect(bridge.written.join('')).not.toContain(ADMIN_KEY);
  });

  it('says the version that was agreed on, and sends each message on a connection of its own', async () => {
    await using rig = await loggedInRig();
    const bridge = bridgeTo(rig);
    await (await bridge.connect()).call('get_brokers');
    const [first, ...others] = bridge.asked;
    expect(first?.headers['MCP-Protocol-Version']).toBeUndefined();
    const call = others.find(isCall);
    expect(call?.headers['MCP-Protocol-Version']).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(bridge.asked.every(({ fresh }) => fresh)).toBe(true);
  });

  it('ends with its input, after what is under way is answered', async () => {
    await using rig = await loggedInRig();
    const bridge = bridgeTo(rig);
    const list = { jsonrpc: '2.0', id: 7, method: 'tools/list' };
    bridge.input.end(`${JSON.stringify(list)}\n`);
    await rig.time.settle(bridge.ended);
    expect(JSON.parse(bridge.written.join(''))).toMatchObject({ id: 7, result: {} });
  });

  it('ignores lines that are no messages, and says so beside the output', async () => {
    await using rig = await loggedInRig();
    const bridge = bridgeTo(rig);
    bridge.input.write('hello\n{"jsonrpc":"1.0"}\n');
    expect((await (await bridge.connect()).tools()).length).toBeGreaterThan(20);
    expect(bridge.told).toHaveLength(2);
  });
});

describe('a gateway that does not answer', () => {
  it('that is away is told as such, and the next call gets there', async () => {
    await using rig = await loggedInRig(TRADING);
    let isAway = false;
    const bridge = bridgeTo(rig, {
      fate: (_request, pass) =>
        isAway ? Promise.resolve({ kind: 'not_sent', cause: 'ECONNREFUSED', message: '' }) : pass(),
    });
    const assistant = await bridge.connect();
    isAway = true;
    const { isError, content } = await assistant.call('place_order', BUY);
    expect(isError).toBe(true);
    expect(JSON.stringify(content)).toContain('this call did not get there');
    await expect(assistant.tools()).rejects.toThrow(/cannot be reached/);
    isAway = false;
    expect((await assistant.call('place_order', BUY)).isError).toBeUndefined();
    expect(placings(rig)).toHaveLength(1);
  });

  it('whose answer is lost is told as not known, and a repeat places nothing twice', async () => {
    await using rig = await loggedInRig(TRADING);
    let loses = true;
    const bridge = bridgeTo(rig, {
      async fate(request, pass) {
        const reply = await pass();
        if (!loses || !isCall(request)) return reply;
        loses = false;
        return { kind: 'broken', cause: 'reset', message: '', status: null };
      },
    });
    const assistant = await bridge.connect();
    const lost = await assistant.call('place_order', BUY);
    expect(lost.isError).toBe(true);
    expect(JSON.stringify(lost.content)).toMatch(/IT IS NOT KNOWN.*DO NOT PLACE IT AGAIN/);
    const again = await assistant.call('place_order', BUY);
    expect(again.structuredContent).toMatchObject({ call: { repeated: true } });
    expect(idOf(again)).toMatch(/^ord_/);
    expect(placings(rig)).toHaveLength(1);
  });

  it('says what is wrong with the key, or with what answers in its place', async () => {
    await using rig = await loggedInRig();
    const wrong = bridgeTo(rig, { key: 'a-wrong-key' });
    await expect(wrong.connect()).rejects.toThrow(/The key is not valid/);
    const page: HttpReply = {
      ...{ kind: 'answered', status: 200, statusText: '', headers: {}, body: '<html>' },
    };
    const elsewhere = bridgeTo(rig, { fate: () => Promise.resolve(page) });
    await expect(elsewhere.connect()).rejects.toThrow(/correct APP_MCP_URL/);
    const unnamed = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: 1, message: 'no' } });
    const refusing = bridgeTo(rig, { fate: () => Promise.resolve({ ...page, body: unnamed }) });
    await expect(refusing.connect()).rejects.toThrow(/refused the message: no/);
  });
});

describe('the settings of the bridge', () => {
  const streams = { input: new PassThrough(), output: new PassThrough(), tell: () => undefined };
  const start = (environment: Record<string, string>) =>
    composeBridge({ environment: memoryEnvironment(environment), files: systemFiles, streams });

  it('are refused by name', async () => {
    await expect(start({})).rejects.toThrow(/^APP_MCP_KEY: got nothing/);
    const url = start({ APP_MCP_KEY: 'a-key-of-some-length', APP_MCP_URL: 'ftp://x' });
    await expect(url).rejects.toThrow(/^APP_MCP_URL: got "ftp:/);
  });
});
