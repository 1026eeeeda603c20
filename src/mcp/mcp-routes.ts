import { z } from 'zod';
import { defineRoute, json, type Route } from '../routes/define-route.ts';
import { ACCOUNT_TOOLS } from './account-tools.ts';
import { MARKET_TOOLS } from './market-tools.ts';
import { type AssistantParts, createAssistantServer } from './mcp-server.ts';
import { createTools } from './tool.ts';
import { TRADING_TOOLS } from './trading-tools.ts';

const message = z
  .looseObject(
    { jsonrpc: z.literal('2.0').meta({ description: 'The version of JSON-RPC' }) },
    'takes one JSON-RPC message',
  )
  .meta({
    id: 'McpMessage',
    description: 'One message of the Model Context Protocol',
    example: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
  });

/** Headers of the protocol; the library checks them. */
const headers = z.object({
  Accept: z.string().optional().meta({
    description: 'Names both types that the protocol has',
    example: 'application/json, text/event-stream',
  }),
  'Content-Type': z.string().optional().meta({
    description: 'The type of the message',
    example: 'application/json',
  }),
  'MCP-Protocol-Version': z.string().optional().meta({
    description: 'The version of the protocol that the client speaks',
    example: '2025-06-18',
  }),
});

/**
 * The address for assistants: streamable HTTP without sessions and without streams (docs/assistants.md). It
 * is a route like the others, so that Host, Origin, keys, size and form of bodies are checked as everywhere.
 * Its tools call the handlers of the `routes`.
 */
export function mcpRoutes(routes: readonly Route[], parts: AssistantParts): readonly Route[] {
  const tools = createTools([...MARKET_TOOLS, ...ACCOUNT_TOOLS, ...TRADING_TOOLS], routes);
  const answer = createAssistantServer(tools, parts);
  return [
    defineRoute({
      method: 'POST',
      path: '/mcp',
      scope: 'read',
      operationId: 'callTool',
      tag: 'Assistants',
      summary: 'Assistants: Model Context Protocol, one message for each request',
      headers,
      body: message,
      problems: [],
      replies: {
        200: { description: 'The answer to a request', schema: message },
        202: { description: 'A notification was taken' },
        400: { description: 'A message that the protocol does not have', schema: message },
        406: { description: 'Accept must name JSON and event streams', schema: message },
      },
      handler: async ({ body, headers: sent, caller, requestId }) => {
        const given = Object.entries(sent).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, value] as const],
        );
        const asked = { message: body, headers: Object.fromEntries(given), caller, requestId };
        const { status, body: told } = await answer(asked);
        return told === null ? { status, content: { kind: 'empty' } } : json(status, told);
      },
    }),
  ];
}
