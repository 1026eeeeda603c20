import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
// The gateway loads these with the first message. Loading takes real time, in which virtual time would stand
// still and be taken for the end.
import '@modelcontextprotocol/sdk/server/index.js';
import '@modelcontextprotocol/sdk/server/stdio.js';
import '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { ADMIN_KEY, type Rig } from '../support/rig.ts';

/** The official client, connected to the gateway of a rig; time moves while it calls. */
export interface Assistant {
  readonly client: Client;
  tools(): Promise<readonly string[]>;
  call(name: string, args?: Record<string, unknown>): Promise<CallToolResult>;
}

/** A key that may do what `body` says. */
export async function keyOf(rig: Rig, body: object): Promise<string> {
  const { status, body: answer } = await rig.post('/api/v1/keys', { name: 'assistant', ...body });
  if (status !== 201) throw new Error(JSON.stringify(answer));
  return String(answer.data.key);
}

/** Over streamable HTTP. */
export async function connect(rig: Rig, key: string = ADMIN_KEY): Promise<Assistant> {
  const transport = new StreamableHTTPClientTransport(new URL('http://127.0.0.1:8420/mcp'), {
    fetch: (url, init) => fetchFrom(rig, url, init),
    requestInit: { headers: { Authorization: `Bearer ${key}` } },
  });
  return assistantOver(rig, transport);
}

export async function assistantOver(rig: Rig, transport: object): Promise<Assistant> {
  const client = new Client({ name: 'test', version: '1' });
  // The client's types leave out `undefined`, which this project tells from absence.
  await rig.time.settle(client.connect(transport as Parameters<Client['connect']>[0]));
  return {
    client,
    tools: async () => {
      const { tools } = await rig.time.settle(client.listTools());
      return tools.map(({ name }) => name);
    },
    call: async (name, args = {}) =>
      (await rig.time.settle(client.callTool({ name, arguments: args }))) as CallToolResult,
  };
}

async function fetchFrom(rig: Rig, url: string | URL, init: RequestInit = {}): Promise<Response> {
  const { pathname, search } = new URL(url);
  const reply = await rig.begin({
    method: init.method ?? 'GET',
    path: pathname + search,
    headers: Object.fromEntries(new Headers(init.headers)),
    ...(typeof init.body === 'string' ? { text: init.body } : {}),
  });
  const headers = Object.entries(reply.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  const hasBody = reply.status !== 202 && reply.status !== 204;
  return new Response(hasBody ? reply.text : null, { status: reply.status, headers });
}
