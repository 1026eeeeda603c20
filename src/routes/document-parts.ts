/** What operations of the OpenAPI document share: tags, headers of replies, and the text about it all. */

import { KEY_COOKIE } from './cookies.ts';

export const TAGS = {
  Session: 'The daily login at the alternative broker, and its messages',
  Prices: 'Quotes, candles and option chains: the same at every broker',
  Instruments: 'Names of instruments, and the days and hours of trading',
  Account: 'What an account holds, and what orders would block; nothing is placed',
  Orders: 'Placing, following, modifying and cancelling orders (docs/orders.md)',
  Triggers: 'Orders that wait at the broker for a price (docs/triggers.md)',
  Exits: 'Ways out of positions (docs/exits.md)',
  Safety: 'Stopping new orders (docs/brakes.md)',
  Events: 'What has happened, as a list or as a stream (docs/events.md)',
  Signals: 'Alerts of other programs that become orders (docs/signals.md)',
  Keys: 'A key for each program (docs/keys.md)',
  Dashboard: 'The page for people, and how a browser signs in (docs/dashboard.md)',
  Assistants: 'Tools by the Model Context Protocol (docs/assistants.md)',
  Gateway: 'Who serves what, what is left of limits, health, and this document',
} as const;
export type Tag = keyof typeof TAGS;

const text = (description: string, example: string, pattern?: string) => ({
  description,
  schema: { type: 'string' as const, ...(pattern === undefined ? {} : { pattern }) },
  example,
});

export const HEADERS = {
  'X-Request-Id': text(
    'The id of the request; the log has it, and so have problems',
    '0193576c-2f00-7000-8000-000000000000',
  ),
  Location: text(
    'The path of what the request has made, or where to go on',
    '/api/v1/orders/ord_0193576c-2f00-7000-8000-000000000000',
  ),
  'Idempotency-Key': text(
    'The key of the request; the gateway makes one where the request has none',
    'my-first-order',
  ),
  'Idempotent-Replayed': {
    ...text('Present where the key had been used: nothing was sent for this request', 'true'),
    schema: { type: 'string' as const, enum: ['true'] },
  },
  'Set-Cookie': text(
    'The one-time state of a login in progress, or half of a sign-in to the dashboard',
    'altbroker_login=0123456789abcdef; Path=/api/altbroker; HttpOnly; SameSite=Lax',
  ),
  'Retry-After': {
    description: 'Seconds after which the same request may succeed; only where that is known',
    schema: { type: 'integer' as const, minimum: 0 },
    example: 3,
  },
  'WWW-Authenticate': text(
    'Says that a key is needed, or one of a wider scope',
    'Bearer realm="altbroker-gateway"',
  ),
};
export type HeaderName = keyof typeof HEADERS;

/** The headers of a reply, as references to the components of the document. */
export function headersOf(names: readonly HeaderName[]) {
  return Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/headers/${name}` as const }]),
  );
}

/** For people: what the JSON of the same reply says, in a sentence. */
export const PAGE = {
  'text/html': { schema: { type: 'string' as const }, example: '<!doctype html>' },
};

/** For the routes that browsers open themselves, which cannot send the header Authorization. */
export const TICKET_SCHEME = {
  type: 'apiKey',
  in: 'query',
  name: 'ticket',
  description: 'A ticket of POST /api/v1/stream/tickets in place of a key: good once, for 30 s.',
} as const;

export const COOKIE_SCHEME = {
  type: 'apiKey',
  in: 'cookie',
  name: KEY_COOKIE,
  description: 'A key, on pages of the origin of the gateway alone (docs/streaming.md).',
} as const;

export const KEY_SCHEME = {
  type: 'http',
  scheme: 'bearer',
  description:
    'A key of the gateway (docs/keys.md). A key of scope `read` may read, one of scope `trade` may ' +
    'also place and change orders, and one of scope `admin` may do everything. `x-scope` of an ' +
    'operation is the scope that it needs.',
} as const;

export const ABOUT = `One local server in front of a trader's brokers.

**Orders.** An order is sent to at most one broker, at most once. Give each order a key of its own
(\`Idempotency-Key\`, or \`clientOrderId\` in the body) and repeat the request under the same key if the answer is lost:
it returns the order that the key has made. An answer with status 202 says that the outcome is not known yet: read the
order until it is.

**Problems.** Every error is a problem document (RFC 9457). \`code\` says what is wrong; \`mayHaveExecuted\` says whether an
order may exist in spite of the answer; \`retrySafe\` says whether the request may be sent again, also under a new key, and
nothing can happen twice.
Later versions may add codes and fields.

**Values.** Times are ISO 8601 with +05:30. Money is in rupees. Texts of a request hold no control characters, no
invisible ones and none that turn the direction of writing; objects hold no name twice.

**Replies.** Later versions may add fields to replies: ignore those that you do not know.`;
