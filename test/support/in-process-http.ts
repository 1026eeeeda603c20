import { createServer, request as httpRequest, type RequestListener } from 'node:http';
import { duplexPair } from 'node:stream';
import type { DocumentCheck } from './document-check.ts';

export interface InProcessReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  // Tests read whatever the route wrote.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any;
}

export interface InProcessRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly text?: string;
}

/**
 * Calls an HTTP listener through a pair of streams in memory: the real server, parser and routes,
 * and no socket, so that everything settles within turns of the event loop. Rejects where `check`
 * finds something wrong with the answer.
 */
export function inProcessHttp(
  listener: RequestListener,
  check: DocumentCheck = () => null,
): (request: InProcessRequest) => Promise<InProcessReply> {
  const server = createServer(listener);
  return (request) =>
    new Promise((resolve, reject) => {
      const [clientSide, serverSide] = duplexPair();
      server.emit('connection', serverSide);
      const body = request.json === undefined ? request.text : JSON.stringify(request.json);
      const outgoing = httpRequest(
        {
          method: request.method ?? 'GET',
          path: request.path,
          headers: {
            host: '127.0.0.1:8420',
            ...(request.json === undefined ? {} : { 'content-type': 'application/json' }),
            ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
            ...request.headers,
          },
          createConnection: () => clientSide as never,
        },
        (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
          incoming.on('error', reject);
          incoming.on('end', () => {
            const text = Buffer.concat(chunks).toString('utf8');
            const type = String(incoming.headers['content-type'] ?? '');
            const reply = {
              status: incoming.statusCode ?? 0,
              headers: incoming.headers,
              text,
              body: type.includes('json') ? JSON.parse(text) : null,
            };
            const wrong = check({
              ...{ method: request.method ?? 'GET', path: request.path, status: reply.status },
              ...(text === '' ? {} : { contentType: type }),
              body: type.includes('json') ? reply.body : text,
            });
            if (wrong === null) resolve(reply);
            else reject(new Error(`not as in the OpenAPI document: ${wrong}`));
          });
        },
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });
}
