import type { HttpReply, HttpRequest, HttpTransport } from '../../../../src/platform/http.ts';

type Script = HttpReply | ((request: HttpRequest) => HttpReply | Promise<HttpReply>);

/** A transport that answers from a script, and keeps what it was asked to send. */
export interface ScriptedTransport extends HttpTransport {
  readonly requests: HttpRequest[];
  /** Where connections were opened ahead. */
  readonly ahead: Parameters<HttpTransport['connectAhead']>[0][];
  /** Answers the next request; when the script has ended, the last answer is repeated. */
  script(...replies: Script[]): void;
  readonly last: HttpRequest;
}

export function scriptedTransport(...script: Script[]): ScriptedTransport {
  const requests: HttpRequest[] = [];
  const ahead: ScriptedTransport['ahead'] = [];
  const queue = [...script];
  return {
    requests,
    ahead,
    get last() {
      return requests.at(-1)!;
    },
    script: (...replies) => void queue.splice(0, queue.length, ...replies),
    async send(request) {
      requests.push(request);
      const next = queue.length > 1 ? queue.shift()! : queue[0];
      if (next === undefined) throw new Error('nothing scripted');
      return typeof next === 'function' ? next(request) : next;
    },
    connectAhead: (target) => void ahead.push(target),
    close: () => Promise.resolve(),
  };
}

export function answered(
  status: number,
  body: string,
  headers: Record<string, string> = { 'content-type': 'application/json' },
): HttpReply {
  return { kind: 'answered', status, statusText: `Status ${status}`, headers, body };
}

export function success(data: unknown): HttpReply {
  return answered(200, JSON.stringify({ status: 'success', data }));
}

export function refusal(
  status: number,
  errorType: string | null,
  message: string,
  headers: Record<string, string> = {},
): HttpReply {
  const body = { status: 'error', message, data: null, error_type: errorType ?? undefined };
  return answered(status, JSON.stringify(body), {
    'content-type': 'application/json',
    ...headers,
  });
}

export const html = (status: number): HttpReply =>
  answered(status, '<html><body>busy</body></html>', { 'content-type': 'text/html' });

export const refusedConnection: HttpReply = {
  kind: 'not_sent',
  cause: 'ECONNREFUSED',
  message: 'connection refused',
};

export const reset = (status: number | null = null): HttpReply => ({
  kind: 'broken',
  cause: 'reset',
  message: 'other side closed',
  status,
});

export const trickled: HttpReply = {
  kind: 'broken',
  cause: 'deadline',
  message: 'no whole reply within 8000 ms',
  status: 200,
};
