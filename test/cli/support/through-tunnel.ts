import { request } from 'node:http';
import type { Outside } from '../../../cli/doctor/outside.ts';

/** What is asked for at localtest.me arrives here under that host, as through a tunnel. */
export const throughTunnel: Outside['fetch'] = async (input, init) => {
  const url = new URL(String(input));
  if (url.hostname !== 'localtest.me') return fetch(input, init);
  const { host, port, pathname: path } = url;
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const asked = request(
    {
      ...{ hostname: '127.0.0.1', port, path },
      method: init?.method ?? 'GET',
      headers: { host },
    },
    (reply) =>
      void reply
        .toArray()
        .then((parts) =>
          resolve(new Response(Buffer.concat(parts).toString(), { status: reply.statusCode ?? 0 })),
        ),
  );
  asked.once('error', reject).end();
  return promise;
};
