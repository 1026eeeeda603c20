import type {
  CallToolResult,
  JSONRPCMessage,
  JSONRPCRequest,
} from '@modelcontextprotocol/sdk/types.js';
import type { HttpReply, HttpTransport } from '../platform/http.ts';
import type { Secret } from '../platform/secret.ts';
import { DO_NOT_PLACE_AGAIN } from './advice.ts';
import { isRecord } from './json-schema.ts';

export interface ForwardParts {
  readonly transport: Pick<HttpTransport, 'send'>;
  readonly url: string;
  readonly key: Secret;
  /** Reads a message of the protocol; null for anything else. */
  readonly messageOf: (value: unknown) => JSONRPCMessage | null;
}

/** A client gives up long before. */
const DEADLINE_MS = 600_000;
/** As the gateway answers any problem, and as no code of the protocol. */
const FAILED = -32_000;

/**
 * Sends a message of an assistant to the gateway: once, on a connection of its own, so that it is known
 * whether it left. Resolves with what the assistant is answered; null for a message that has no answer. It
 * never rejects.
 */
export function createForward({ transport, url, key, messageOf }: ForwardParts) {
  let version: string | null = null;

  return async function forward(message: JSONRPCMessage): Promise<JSONRPCMessage | null> {
    const reply = await transport.send({
      method: 'POST',
      url,
      headers: {
        Accept: 'application/json, text/event-stream',
        'Content-Type': 'application/json',
        Authorization: `Bearer ${key.reveal()}`,
        ...(version === null ? {} : { 'MCP-Protocol-Version': version }),
      },
      body: JSON.stringify(message),
      deadlineMs: DEADLINE_MS,
      fresh: true,
    });
    if (!('method' in message) || !('id' in message)) return null;
    const answer = reply.kind === 'answered' ? messageOf(parsed(reply.body)) : null;
    // An error about the request as a whole names none, and would leave the assistant waiting.
    if (answer === null || !('id' in answer) || answer.id !== message.id) {
      return failure(message, wordsOf(reply, url));
    }
    version ??= versionIn(answer);
    return answer;
  };
}

/** The version that both sides have agreed on, in the answer to `initialize`. */
function versionIn(answer: JSONRPCMessage): string | null {
  if (!('result' in answer)) return null;
  const { protocolVersion } = answer.result;
  return typeof protocolVersion === 'string' ? protocolVersion : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The assistant reads the result of a tool; an error of another request is for its program. */
function failure({ id, method }: JSONRPCRequest, text: string): JSONRPCMessage {
  if (method !== 'tools/call')
    return { jsonrpc: '2.0', id, error: { code: FAILED, message: text } };
  const result: CallToolResult = { isError: true, content: [{ type: 'text', text }] };
  return { jsonrpc: '2.0', id, result };
}

function wordsOf(reply: HttpReply, url: string): string {
  switch (reply.kind) {
    case 'not_sent':
      return (
        `The gateway cannot be reached at ${url} (${reply.cause}), so that this call did not get there. Start ` +
        'the gateway, and call again with the same arguments: an earlier call may have got there.'
      );
    case 'broken':
      return (
        `The connection to the gateway ended before its answer (${reply.cause}): IT IS NOT KNOWN whether this ` +
        `call took effect. If it was to place an order: ${DO_NOT_PLACE_AGAIN} Repeat this very call, with the ` +
        'same arguments, which does nothing twice; or read the orders.'
      );
    case 'answered': {
      const problem = parsed(reply.body);
      if (isRecord(problem) && typeof problem.detail === 'string') {
        const open =
          problem.mayHaveExecuted === true
            ? ` IT IS NOT KNOWN whether this took effect. If it was to place an order: ${DO_NOT_PLACE_AGAIN}`
            : '';
        return `${problem.detail}${open}`;
      }
      if (
        isRecord(problem) &&
        isRecord(problem.error) &&
        typeof problem.error.message === 'string'
      ) {
        return `The gateway refused the message: ${problem.error.message}.`;
      }
      return (
        `What answers at ${url} is no gateway of this version (status ${reply.status}): correct APP_MCP_URL. ` +
        'Nothing is known of this call.'
      );
    }
  }
}
