import type { InProcessTransport } from '../../sandbox/transport/in-process.ts';
import {
  HELD_BACK,
  type HttpReply,
  type HttpRequest,
  type HttpTransport,
} from '../../src/platform/http.ts';
import type { Scheduler } from '../../src/platform/clock.ts';

/** The transport port, answered by a sandbox in this process: no socket, and the clock it is given. */
export function createSandboxTransport(
  sandbox: InProcessTransport,
  scheduler: Scheduler,
  alter: (request: HttpRequest, body: string) => string = (_request, body) => body,
  /** How long a new connection takes to open, ms. */
  connectingMs: () => number = () => 0,
): HttpTransport & { readonly sent: HttpRequest[] } {
  const sent: HttpRequest[] = [];
  return {
    sent,
    async send(request) {
      const ms = request.fresh ? connectingMs() : 0;
      if (ms > 0) await new Promise<void>((resolve) => void scheduler.after(ms, resolve));
      if (request.mayLeave?.() === false) {
        return { kind: 'not_sent', cause: HELD_BACK, message: 'kept back' };
      }
      sent.push(request);
      return exchange(sandbox, scheduler, request, alter);
    },
    connectAhead: () => undefined,
    close: () => Promise.resolve(),
  };
}

function exchange(
  sandbox: InProcessTransport,
  scheduler: Scheduler,
  request: HttpRequest,
  alter: (request: HttpRequest, body: string) => string,
): Promise<HttpReply> {
  return new Promise((resolve) => {
    const cancelDeadline = scheduler.after(request.deadlineMs, () =>
      resolve({
        kind: 'broken',
        cause: 'deadline',
        message: `no whole reply within ${request.deadlineMs} ms`,
        status: null,
      }),
    );
    const finish = (reply: HttpReply): void => {
      cancelDeadline();
      resolve(reply);
    };
    const { method, url, headers, body = '' } = request;
    const lower = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
    void sandbox.send({ method, url, headers: lower, body }).then((reaction) => {
      switch (reaction.kind) {
        case 'answer':
          return finish({
            kind: 'answered',
            status: reaction.status,
            statusText: '',
            headers: reaction.headers,
            body: alter(request, reaction.body),
          });
        case 'refuse':
          return finish({
            kind: 'not_sent',
            cause: 'ECONNREFUSED',
            message: 'connect ECONNREFUSED',
          });
        case 'reset':
          return finish({ kind: 'broken', cause: 'reset', message: 'ECONNRESET', status: null });
        case 'cut':
          return finish({
            kind: 'broken',
            cause: 'reset',
            message: 'the reply ended early',
            status: reaction.status,
          });
        case 'trickle':
        case 'hang':
          return undefined;
      }
    });
  });
}
