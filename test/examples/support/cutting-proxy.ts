import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Stands between a program and the gateway, and cuts connections when it is told to. */
export interface CuttingProxy extends AsyncDisposable {
  readonly url: string;
  /** While true, each POST reaches the gateway, and its answer never reaches the program. */
  cutsAnswers: boolean;
  /** The methods of all requests, in their order. */
  readonly methods: readonly string[];
  /** The idempotency keys and bodies of the requests that were passed on, in their order. */
  readonly posts: readonly { readonly key: string; readonly body: string }[];
}

export async function createCuttingProxy(gateway: string): Promise<CuttingProxy> {
  const posts: { key: string; body: string }[] = [];
  const methods: string[] = [];
  const state = { cutsAnswers: false };
  const server = createServer((incoming, answer) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const { method = 'GET', url = '/', headers } = incoming;
      const body = Buffer.concat(chunks);
      methods.push(method);
      if (method === 'POST') {
        posts.push({ key: String(headers['idempotency-key']), body: body.toString('utf8') });
      }
      const passed = request(
        `${gateway}${url}`,
        { method, headers: { ...headers, host: new URL(gateway).host } },
        (reply) => {
          const isCut = state.cutsAnswers && method === 'POST';
          if (!isCut) answer.writeHead(reply.statusCode ?? 502, reply.headers);
          reply.on('data', (chunk: Buffer) => void (isCut || answer.write(chunk)));
          reply.on('end', () => void (isCut ? answer.destroy() : answer.end()));
        },
      );
      passed.on('error', () => answer.destroy());
      passed.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    ...{ url: `http://127.0.0.1:${port}`, posts, methods },
    get cutsAnswers() {
      return state.cutsAnswers;
    },
    set cutsAnswers(value) {
      state.cutsAnswers = value;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
