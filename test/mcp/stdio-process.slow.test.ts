import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, it } from 'vitest';
import { ADMIN_KEY, createStage, serveGateway, type Stage } from '../support/served.ts';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const ORDER = {
  ...{ instrument: 'NSE:INFY', side: 'BUY', quantity: 1, orderType: 'MARKET', product: 'CNC' },
  broker: 'paper',
};

/** As an assistant starts it: with its own variables, and no file of the gateway's. */
function commandOf(stage: Stage, url: string) {
  return {
    command: process.execPath,
    args: [MAIN, 'mcp'],
    cwd: stage.dataDirectory,
    env: { APP_MCP_KEY: ADMIN_KEY, APP_MCP_URL: `${url}/mcp` },
  };
}

describe('the bridge in a process of its own', () => {
  it('lists and calls tools with the official client, over a restart of the gateway', async () => {
    await using stage = await createStage();
    const gateway = await serveGateway(stage, { APP_MCP_TRADING: 'true' });
    const { port } = new URL(gateway.url);
    const client = new Client({ name: 'test', version: '1' });
    const errors: Error[] = [];
    client.onerror = (error) => void errors.push(error);
    await client.connect(new StdioClientTransport(commandOf(stage, gateway.url)));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('place_order');
    const call = (name: string, args: Record<string, unknown> = {}) =>
      client.callTool({ name, arguments: args });
    const first = await call('place_order', ORDER);
    expect(first.structuredContent).toMatchObject({ data: { mode: 'paper' } });
    await gateway[Symbol.asyncDispose]();
    const away = await call('get_brokers');
    expect(JSON.stringify(away.content)).toContain('did not get there');
    await using next = await serveGateway(stage, { APP_PORT: port, APP_MCP_TRADING: 'true' });
    expect(next.url).toBe(gateway.url);
    expect((await call('get_brokers')).isError).toBeUndefined();
    const again = await call('place_order', ORDER);
    expect(again.structuredContent).toMatchObject({ call: { repeated: true } });
    await client.close();
    // What is no message on the output would be an error of the client.
    expect(errors).toEqual([]);
  });

  it('writes nothing but messages, and ends by itself when its input does', async () => {
    await using stage = await createStage();
    await using gateway = await serveGateway(stage);
    const { command, args, ...options } = commandOf(stage, gateway.url);
    const child = spawn(command, args, { ...options, stdio: ['pipe', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stdin.end(`nonsense\n${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`);
    const [code] = await once(child, 'close');
    expect([
      code,
      output
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ]).toEqual([0, [{ jsonrpc: '2.0', id: 1, result: {} }]]);
  });

  it('does not start without a key, and says so on one line beside the output', async () => {
    await using stage = await createStage();
    const child = spawn(process.execPath, [MAIN, 'mcp'], { cwd: stage.dataDirectory, env: {} });
    let errors = '';
    let output = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    const [code] = await once(child, 'close');
    expect([code, output]).toEqual([1, '']);
    expect(errors).toMatch(/^altbroker-gateway: APP_MCP_KEY: got nothing; it takes .*\n$/);
  });
});
