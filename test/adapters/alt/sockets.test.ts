import { describe, expect, it } from 'vitest';
import { failureOf } from './support/alt-broker.ts';
import { CHANGES, READS } from './support/calls.ts';
import {
  envelope,
  error,
  HTML_TYPE,
  JSON_TYPE,
  overSockets,
  says,
  writes,
  type Act,
} from './support/odd-server.ts';

/**
 * Every row of the table of oddities (docs/spec/kite-sdk.md), produced on real sockets and met by the
 * real transport, the real SDK and the adapter.
 */
interface Oddity {
  readonly act: Act;
  /** The failure of every read. */
  readonly read: string;
  /** The outcome of every change. */
  readonly change: 'refused' | 'not_sent' | 'uncertain';
}

const PAGE = '<html><body>busy</body></html>';
const invalid = { message: 'Invalid `quantity`.', data: null, error_type: 'InputException' };
const head = (...headers: string[]): string => `HTTP/1.1 200 OK\r\n${headers.join('\r\n')}\r\n\r\n`;

const ODDITIES: Readonly<Record<string, Oddity>> = {
  'a 4xx with an error type': {
    act: error('400 Bad Request', invalid),
    read: 'http',
    change: 'refused',
  },
  'a 4xx without an error type': {
    act: error('400 Bad Request', { message: 'Invalid `quantity`.' }),
    read: 'http',
    change: 'uncertain',
  },
  'a 400 that says "timed out"': {
    act: error('400 Bad Request', {
      message: 'Order request timed out. Please check the order book.',
      error_type: 'OrderException',
    }),
    read: 'http',
    change: 'uncertain',
  },
  'a 5xx with an error type': {
    act: error('502 Bad Gateway', { message: 'Gone', error_type: 'GeneralException' }),
    read: 'http',
    change: 'uncertain',
  },
  'a 5xx without an error type': {
    act: error('500 Internal Server Error', { message: 'Gone' }),
    read: 'http',
    change: 'uncertain',
  },
  'a dead token': {
    act: error('403 Forbidden', { message: 'Incorrect token', error_type: 'TokenException' }),
    read: 'http',
    change: 'refused',
  },
  'a 429': {
    act: error('429 Too Many Requests', { message: 'Slow', error_type: 'NetworkException' }),
    read: 'http',
    change: 'refused',
  },
  'a 503 page': {
    act: says(PAGE, '503 Service Unavailable', HTML_TYPE),
    read: 'http',
    change: 'uncertain',
  },
  'a 404 page': { act: says(PAGE, '404 Not Found', HTML_TYPE), read: 'http', change: 'uncertain' },
  'an empty 500': {
    act: says('', '500 Internal Server Error'),
    read: 'http',
    change: 'uncertain',
  },
  'a reset': {
    act: (socket) => void socket.resetAndDestroy(),
    read: 'transport',
    change: 'uncertain',
  },
  'a connection that ends without a reply': {
    act: (socket) => void socket.end(),
    read: 'transport',
    change: 'uncertain',
  },
  'no reply until the deadline': {
    act: (_socket, expire) => expire(),
    read: 'transport',
    change: 'uncertain',
  },
  'a body that is cut': {
    act: writes(`${head(JSON_TYPE, 'content-length: 999')}{"status":"success","data":[]}`, (s) =>
      s.end(),
    ),
    read: 'transport',
    change: 'uncertain',
  },
  'a body in chunks that is cut': {
    act: writes(`${head(JSON_TYPE, 'transfer-encoding: chunked')}e\r\n{"status":"suc\r\n`, (s) =>
      s.end(),
    ),
    read: 'transport',
    change: 'uncertain',
  },
  'a body that trickles': {
    act: (socket, expire) => {
      socket.write(`${head(JSON_TYPE, 'content-length: 999')}{`);
      socket.write(' ', expire);
    },
    read: 'transport',
    change: 'uncertain',
  },
  'no HTTP': {
    act: (socket) => void socket.end('what?\r\n\r\n'),
    read: 'transport',
    change: 'uncertain',
  },
  'a 200 page': { act: says(PAGE, '200 OK', HTML_TYPE), read: 'bad_payload', change: 'uncertain' },
  'bad JSON': {
    act: says('{"status":"succ', '200 OK', JSON_TYPE),
    read: 'bad_payload',
    change: 'uncertain',
  },
  'no content type': {
    act: says('{"status":"success","data":[]}', '200 OK'),
    read: 'bad_payload',
    change: 'uncertain',
  },
  'an empty 200': { act: says('', '200 OK', JSON_TYPE), read: 'bad_payload', change: 'uncertain' },
  'a 204': {
    act: (socket) => void socket.write('HTTP/1.1 204 No Content\r\n\r\n'),
    read: 'bad_payload',
    change: 'uncertain',
  },
  'a failure without an error type in a 200': {
    act: error('200 OK', {}),
    read: 'error_body',
    change: 'uncertain',
  },
  'a failure with an error type in a 200': {
    act: error('200 OK', { message: 'x', error_type: 'InputException' }),
    read: 'error_body',
    change: 'uncertain',
  },
  // With a body that would be an answer, had it another status.
  'a redirect': {
    act: says(
      envelope({ status: 'success', data: { order_id: '1', trigger_id: '1' } }),
      '302 Found',
      JSON_TYPE,
      'location: /orders',
    ),
    read: 'bad_payload',
    change: 'uncertain',
  },
};

const NAMES = Object.keys(ODDITIES);

describe('on a real socket', () => {
  it.each(NAMES)('every read fails on %s', async (name) => {
    const { act, read: expected } = ODDITIES[name]!;
    const ends: Record<string, string> = {};
    for (const [call, read] of READS) {
      await using over = await overSockets(act);
      ends[call] = (await failureOf(read(over.broker))).kind;
      // Margins ask for the funds as well, at the same time.
      const most = call.startsWith('margins') ? 2 : 1;
      expect(over.requests.length, call).toBeLessThanOrEqual(most);
    }
    const wanted = Object.fromEntries(READS.map(([call]) => [call, expected]));
    // That list is not JSON: every defect of JSON is the same failure there.
    if (expected === 'error_body') wanted['instruments'] = 'bad_payload';
    expect(ends).toEqual(wanted);
  });

  it.each(NAMES)(
    'every change on %s is what it is known to be, after one request',
    async (name) => {
      const { act, change: expected } = ODDITIES[name]!;
      const ends: Record<string, string> = {};
      for (const [call, change] of CHANGES) {
        await using over = await overSockets(act);
        ends[call] = (await change(over.broker)).kind;
        expect(over.requests, call).toHaveLength(1);
      }
      expect(ends).toEqual(Object.fromEntries(CHANGES.map(([call]) => [call, expected])));
    },
  );

  it('a dead token is reported once for each call', async () => {
    await using over = await overSockets(ODDITIES['a dead token']!.act);
    await failureOf(over.broker.account.holdings());
    expect(over.dead).toEqual(['planted-token']);
  });

  it.each(READS)('%s fails on a success whose data is null', async (_name, read) => {
    const nothing = envelope({ status: 'success', data: null });
    await using over = await overSockets(says(nothing, '200 OK', JSON_TYPE));
    expect((await failureOf(read(over.broker))).kind).toBe('bad_payload');
  });
});

describe('what the SDK prints', () => {
  it('is nothing, whatever the reply', async () => {
    const printed: unknown[][] = [];
    const names = ['log', 'info', 'debug', 'warn', 'error', 'trace', 'dir'] as const;
    const before = names.map((name) => [name, console[name]] as const);
    for (const name of names) console[name] = (...words: unknown[]) => void printed.push(words);
    try {
      for (const act of [
        ODDITIES['a dead token']!.act,
        ODDITIES['a 200 page']!.act,
        says(envelope({ status: 'success', data: [] }), '200 OK', JSON_TYPE),
      ]) {
        await using over = await overSockets(act);
        await over.broker.account.holdings().catch(() => undefined);
        expect(over.requests[0]).toContain('planted-token');
      }
    } finally {
      for (const [name, print] of before) console[name] = print;
    }
    expect(printed).toEqual([]);
  });
});
