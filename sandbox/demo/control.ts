import { z } from 'zod';
import { jsonReply, type Reply, type WireRequest } from '../kernel/wire.ts';
import type { KeptGateway } from './keep-running.ts';
import { type DemoState, RUN_NAMES } from './run-record.ts';
import type { Runs } from './runs.ts';

export interface DemoControlParts {
  readonly runs: Runs;
  readonly process: Pick<KeptGateway, 'isListening' | 'restarts'>;
  readonly isLoggedIn: () => boolean;
  readonly loginUrl: string;
}

const order = z.strictObject({ run: z.enum(RUN_NAMES) });

/**
 * The demo's own controls, beside those of the sandbox: `GET /demo` tells how the demo stands, with the newest run and
 * its timeline, and `POST /demo` `{"run": "hang_after"}` begins one. Null for any other path.
 */
export function demoControl(parts: DemoControlParts, request: WireRequest): Reply | null {
  if (new URL(request.url).pathname !== '/demo') return null;
  if (request.method === 'GET') return jsonReply(200, stateOf(parts));
  if (request.method !== 'POST') return jsonReply(405, { message: '/demo takes GET and POST' });
  const refusal = refusalOf(request);
  if (refusal !== null) return refusal;
  const read = order.safeParse(jsonOf(request.body));
  if (!read.success) {
    return jsonReply(400, { message: `run is required: one of ${RUN_NAMES.join(', ')}` });
  }
  const started = parts.runs.start(read.data.run);
  if (started.kind === 'started') return jsonReply(202, { run: started.record });
  const message = `“${started.with.title}” is still running: wait until it has ended`;
  return jsonReply(409, { message, run: started.with });
}

function stateOf({ runs, process, isLoggedIn, loginUrl }: DemoControlParts): DemoState {
  return {
    gateway: { isListening: process.isListening(), restarts: process.restarts() },
    login: { isLoggedIn: isLoggedIn(), url: loginUrl },
    offered: runs.offered,
    run: runs.newest(),
  };
}

/**
 * Web pages of anybody can send requests to this machine. They cannot send JSON without asking first, which is never
 * answered, and one whose own name leads to this machine sends that name.
 */
function refusalOf({ headers }: WireRequest): Reply | null {
  if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) {
    return jsonReply(415, { message: 'send JSON, with the header Content-Type: application/json' });
  }
  if (/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(headers['host'] ?? '')) return null;
  return jsonReply(421, { message: 'send this to 127.0.0.1' });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
