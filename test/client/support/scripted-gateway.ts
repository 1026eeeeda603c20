import type { Operation } from '../../../client/operation.ts';
import type { Runtime } from '../../../client/runtime.ts';
import { clientFor, type Client, type ClientOptions } from '../../../client/client.ts';
import { drain, VirtualTime } from '../../support/virtual-time.ts';

/** What happens to one request that the client sends. */
export type Step =
  /** The request never arrives: the connection is cut. */
  | { readonly kind: 'cut' }
  /** The connection stays open, and nothing is answered. */
  | { readonly kind: 'hang' }
  /** The head of the answer arrives, and the connection is cut within the body. */
  | { readonly kind: 'cut_answer'; readonly status: number }
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly body: unknown;
      readonly headers?: Readonly<Record<string, string>>;
    };

/** An order to buy one share. */
export const BUY_BODY = {
  instrument: 'NSE:INFY',
  side: 'BUY',
  quantity: 1,
  orderType: 'MARKET',
  product: 'CNC',
} as const;

export interface SentRequest {
  readonly at: number;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export const OPERATIONS = {
  placeOrder: changing('POST', '/api/v1/orders', 'header', ['broker']),
  modifyOrder: changing('PATCH', '/api/v1/orders/{id}', 'header'),
  cancelOrder: changing('DELETE', '/api/v1/orders/{id}', 'header'),
  cancelExit: changing('DELETE', '/api/v1/exits/{id}', null),
  placeBasket: changing('POST', '/api/v1/orders/basket', 'body'),
  rotateKey: changing('POST', '/api/v1/keys/{id}/rotate', null),
  getMargins: { ...reading('/api/v1/margins'), method: 'POST' },
  getOrder: reading('/api/v1/orders/{id}', ['broker']),
  getOrders: reading('/api/v1/orders', ['status', 'limit', 'cursor']),
  getMetrics: { ...reading('/metrics'), answers: 'text' },
} as const satisfies Readonly<Record<string, Operation>>;

function changing(
  method: Operation['method'],
  path: string,
  keyIn: Operation['keyIn'],
  query: readonly string[] = [],
): Operation {
  const repeatable = method === 'DELETE';
  return { method, path, query, keyIn, repeatable, reads: false, answers: 'json' };
}

function reading(path: string, query: readonly string[] = []): Operation {
  const facts = { keyIn: null, repeatable: true, reads: true, answers: 'json' } as const;
  return { method: 'GET', path, query, ...facts };
}

export interface ScriptedGateway {
  readonly client: Client;
  readonly sent: readonly SentRequest[];
  readonly time: VirtualTime;
  /** Lets time pass until the call has ended. Throws when it waits for nothing. */
  settle<T>(call: Promise<T>): Promise<T>;
}

/** A client whose requests go to `decide`, on virtual time. Each key that it makes is `made-<number>`. */
export function scriptedGateway(
  decide: (request: SentRequest, count: number) => Step,
  options: Partial<ClientOptions> = {},
): ScriptedGateway {
  const time = new VirtualTime('2026-11-23T10:00:00+05:30');
  const sent: SentRequest[] = [];
  let keys = 0;
  const runtime: Runtime = {
    fetch: (input, init) => {
      const request: SentRequest = {
        ...{ at: time.elapsed(), method: init?.method ?? 'GET', url: String(input) },
        headers: { ...(init?.headers as Record<string, string>) },
        body: init?.body === undefined ? null : String(init.body),
      };
      sent.push(request);
      return play(decide(request, sent.length), init?.signal ?? null);
    },
    now: () => time.elapsed(),
    after: (ms, run) => time.after(ms, run),
    newKey: () => `made-${(keys += 1)}`,
  };
  const base = { baseUrl: 'http://127.0.0.1:8420', key: 'abg_test' };
  return {
    client: clientFor(OPERATIONS, { ...base, ...options, runtime }),
    ...{ sent, time },
    async settle(call) {
      let isOver = false;
      const end = (): void => void (isOver = true);
      call.then(end, end);
      await drain(2);
      while (!isOver) {
        if (!time.fireNext()) throw new Error('the call waits for something that never happens');
        await drain(2);
      }
      return call;
    },
  };
}

function play(step: Step, signal: AbortSignal | null): Promise<Response> {
  const aborted = new Promise<never>((_, reject) => {
    signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
  });
  if (step.kind === 'hang') return aborted;
  if (step.kind === 'cut') return Promise.reject(new TypeError('fetch failed'));
  if (step.kind === 'cut_answer') {
    const body = new ReadableStream({
      pull: (controller) => controller.error(new TypeError('terminated')),
    });
    return Promise.resolve(new Response(body, { status: step.status }));
  }
  const { status, headers = {} } = step;
  const text = typeof step.body === 'string' ? step.body : JSON.stringify(step.body);
  return Promise.resolve(new Response(text, { status, headers }));
}

export const success = (data: unknown, more: object = {}): Step => ({
  ...{ kind: 'answer', status: 200, body: { status: 'success', data, ...more } },
});

export function problem(
  status: number,
  code: string,
  more: Readonly<Record<string, unknown>> = {},
  headers: Readonly<Record<string, string>> = {},
): Step {
  const told = { mayHaveExecuted: false, retrySafe: true, requestId: 'request-1', ...more };
  const body = { type: 'urn', title: code, status, detail: `Why ${code}.`, code, ...told };
  return { kind: 'answer', status, body, headers };
}
