import type { CallToolResult, ListToolsResult } from '@modelcontextprotocol/sdk/types.js';
import type { Caller } from '../callers/caller.ts';
import type { Scheduler } from '../platform/clock.ts';
import { once } from '../platform/values.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { callTool, type CallToolParts } from './call-tool.ts';
import { type Tool, withheld } from './tool.ts';

export interface AssistantParts extends CallToolParts {
  readonly scheduler: Scheduler;
  /** APP_MCP_TRADING. */
  readonly trading: boolean;
}

/** One message of an assistant, as it came over HTTP. */
export interface AssistantMessage {
  readonly message: unknown;
  readonly headers: Readonly<Record<string, string>>;
  readonly caller: Caller;
  readonly requestId: string;
}

type ListedTool = ListToolsResult['tools'][number];

export interface AssistantReply {
  readonly status: number;
  /** Null for an empty body. */
  readonly body: unknown;
}

const INSTRUCTIONS =
  "altbroker-gateway is a server between programs and a trader's brokers in India. Prices and amounts are " +
  'rupees, times are Indian. Every answer names its broker, and its mode: live, or paper, where nothing real is ' +
  'traded. An order is `uncertain` while it is not known whether the broker has it: never place such an order ' +
  'again. A figure that is null is unknown, not zero. A list that cannot be read is an error, never empty. Where ' +
  'a login is missing, give the person the address of get_login_link. Show the person the exact terms before ' +
  'you place, change or exit anything.';

/**
 * Answers one message with a server of its own: nothing is kept between two messages, so that an assistant
 * goes on after a restart of the gateway, and after a login (decision 0050). The library is loaded with the
 * first message.
 */
export function createAssistantServer(tools: readonly Tool[], parts: AssistantParts) {
  const load = once(loadSdk);

  return async function answer(asked: AssistantMessage): Promise<AssistantReply> {
    const { Server, Transport, types } = await load();
    const { caller, requestId } = asked;
    const { name, version } = packageJson;
    const server = new Server(
      { name, title: 'altbroker-gateway', version },
      { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
    );
    server.setRequestHandler(types.ListToolsRequestSchema, async (): Promise<ListToolsResult> => ({
      tools: await listedInTurns(
        tools.filter((tool) => withheld(tool, caller, parts.trading) === null),
        parts.scheduler,
      ),
    }));
    server.setRequestHandler(
      types.CallToolRequestSchema,
      async ({ params }): Promise<CallToolResult> => {
        const tool = tools.find(({ definition }) => definition.name === params.name);
        const why =
          tool === undefined ? 'there is no such tool' : withheld(tool, caller, parts.trading);
        if (tool === undefined || why !== null) {
          const text = `The tool ${params.name.slice(0, 64)} cannot be called: ${why ?? ''}.`;
          throw new types.McpError(types.ErrorCode.InvalidParams, text);
        }
        return callTool(tool, params.arguments ?? {}, { caller, requestId }, parts);
      },
    );
    const transport = new Transport({ enableJsonResponse: true });
    await server.connect(transport);
    try {
      const request = new Request('http://gateway/mcp', { method: 'POST', headers: asked.headers });
      const response = await transport.handleRequest(request, { parsedBody: asked.message });
      const text = await response.text();
      const body: unknown = text === '' ? null : JSON.parse(text);
      return { status: response.status, body };
    } finally {
      await server.close();
    }
  };
}

/** The schemas are made for the first list; together they would hold up an order for too long. */
async function listedInTurns(tools: readonly Tool[], scheduler: Scheduler): Promise<ListedTool[]> {
  const list: ListedTool[] = [];
  for (const tool of tools) {
    await new Promise<void>((resolve) => scheduler.endOfTurn(resolve));
    list.push(listed(tool));
  }
  return list;
}

function listed({ definition, inputs, output }: Tool): ListedTool {
  const { name, title, description, hints } = definition;
  return {
    ...{ name, title, description },
    inputSchema: { ...inputs.schema(), type: 'object' },
    outputSchema: { ...output.schema(), type: 'object' },
    annotations: { title, ...hints },
  };
}

async function loadSdk() {
  const [{ Server }, { WebStandardStreamableHTTPServerTransport: Transport }, types] =
    await Promise.all([
      import('@modelcontextprotocol/sdk/server/index.js'),
      import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
      import('@modelcontextprotocol/sdk/types.js'),
    ]);
  return { Server, Transport, types };
}
