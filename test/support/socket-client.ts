export interface SocketReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // Tests read whatever the route wrote.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any;
}

export interface SocketClient {
  get(path: string): Promise<SocketReply>;
  post(path: string, json: unknown, headers?: Record<string, string>): Promise<SocketReply>;
  delete(path: string): Promise<SocketReply>;
  /** An order under an idempotency key. */
  place(order: object, key: string): Promise<SocketReply>;
}

/** Calls a gateway over sockets; rejects with what fetch says when no answer comes. */
export function createSocketClient(url: string, adminKey: string): SocketClient {
  const headers = { authorization: `Bearer ${adminKey}` };
  const post: SocketClient['post'] = (path, json, more = {}) =>
    fetchReply(`${url}${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', ...more },
      body: JSON.stringify(json),
    });
  return {
    get: (path) => fetchReply(`${url}${path}`, { headers }),
    post,
    delete: (path) => fetchReply(`${url}${path}`, { method: 'DELETE', headers }),
    place: (order, key) => post('/api/v1/orders', order, { 'idempotency-key': key }),
  };
}

/** One request, no redirect followed. */
export async function fetchReply(url: string, init: RequestInit = {}): Promise<SocketReply> {
  const reply = await fetch(url, { redirect: 'manual', ...init });
  const text = await reply.text();
  const isJson = reply.headers.get('content-type')?.includes('json') === true;
  return {
    status: reply.status,
    headers: reply.headers,
    text,
    body: isJson ? JSON.parse(text) : null,
  };
}

/**
 * The whole login as a browser goes through it. `url` is the gateway's: where the broker redirects
 * to was set before the gateway had a port, so only the redirect's query is followed.
 */
export async function logInOverSockets(url: string): Promise<SocketReply> {
  const begun = await fetchReply(`${url}/api/altbroker/login`);
  const cookie = begun.headers.get('set-cookie')?.split(';')[0] ?? '';
  const page = new URL(begun.headers.get('location') ?? '');
  const shown = await fetchReply(page.href);
  if (shown.status !== 200) throw new Error(`the login page answers ${shown.status}`);
  const signedIn = await fetchReply(`${page.origin}${page.pathname}`, {
    method: 'POST',
    body: new URLSearchParams({
      api_key: page.searchParams.get('api_key') ?? '',
      redirect_params: page.searchParams.get('redirect_params') ?? '',
      decision: 'sign_in',
    }),
  });
  const { search } = new URL(signedIn.headers.get('location') ?? '');
  return fetchReply(`${url}/api/altbroker/callback${search}`, {
    headers: { cookie, accept: 'application/json' },
  });
}
