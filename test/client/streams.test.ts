import { describe, expect, it } from 'vitest';
import { clientFor } from '../../client/client.ts';
import { NoAnswerError, ProblemError } from '../../client/errors.ts';
import { drain, VirtualTime } from '../support/virtual-time.ts';
import { OPERATIONS } from './support/scripted-gateway.ts';

/** What one connection has: pieces of the stream, and then an end, silence, or a refusal in place of it all. */
type Connection =
  | { readonly pieces: readonly string[]; readonly then: 'end' | 'silence' | 'cut' }
  | { readonly status: number; readonly code: string; readonly retryAfter?: string }
  | 'unreachable';

const event = (id: string, type = 'alert'): string =>
  `id: ${id}\ndata: ${JSON.stringify({ id, type, at: '', data: {} })}\n\n`;
const told = (message: object): string => `data: ${JSON.stringify(message)}\n\n`;

/** A client whose connections are these, one after the other; the last one again and again. */
function bench(connections: readonly Connection[]) {
  const time = new VirtualTime('2026-11-23T10:00:00+05:30');
  const sent: { at: number; url: string; lastId: string | null; isCut: boolean }[] = [];
  const answer = (connection: Connection, signal: AbortSignal): Promise<Response> => {
    if (connection === 'unreachable') return Promise.reject(new TypeError('fetch failed'));
    if ('status' in connection) {
      const { status, code, retryAfter } = connection;
      const facts = { mayHaveExecuted: false, retrySafe: true, requestId: 'r', detail: `${code}.` };
      const headers = retryAfter === undefined ? {} : { 'Retry-After': retryAfter };
      return Promise.resolve(
        new Response(JSON.stringify({ ...facts, code, status }), { status, headers }),
      );
    }
    const pieces = [...connection.pieces];
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          const piece = pieces.shift();
          if (piece !== undefined) return controller.enqueue(new TextEncoder().encode(piece));
          if (connection.then === 'end') return controller.close();
          if (connection.then === 'cut') return controller.error(new TypeError('terminated'));
          return new Promise<void>((_, reject) => {
            signal.addEventListener('abort', () => reject(new DOMException('aborted')));
          });
        },
      },
      { highWaterMark: 0 },
    );
    const headers = { 'Content-Type': 'text/event-stream; charset=utf-8' };
    return Promise.resolve(new Response(body, { headers }));
  };
  const client = clientFor(OPERATIONS, {
    ...{ baseUrl: 'http://127.0.0.1:8420', key: 'abg_test', patienceMs: 10_000 },
    runtime: {
      fetch: (input, init) => {
        const headers = new Headers(init?.headers as Record<string, string>);
        const lastId = headers.get('Last-Event-ID');
        const request = { at: time.elapsed(), url: String(input), lastId, isCut: false };
        init?.signal?.addEventListener('abort', () => (request.isCut = true));
        sent.push(request);
        const connection = connections[Math.min(sent.length, connections.length) - 1];
        return answer(connection ?? 'unreachable', init?.signal ?? new AbortController().signal);
      },
      now: () => time.elapsed(),
      after: (ms, run) => time.after(ms, run),
    },
  });

  /** Reads so many, or to the end; lets time pass as long as something waits for it. */
  async function read<T>(stream: AsyncGenerator<T>, count: number): Promise<T[]> {
    const got: T[] = [];
    let isOver = false;
    const reading = (async () => {
      for await (const each of stream) {
        got.push(each);
        if (got.length >= count) break;
      }
    })();
    const end = (): void => void (isOver = true);
    reading.then(end, end);
    await drain(5);
    while (!isOver) {
      if (!time.fireNext()) throw new Error(`waits for ever after ${JSON.stringify(got)}`);
      await drain(5);
    }
    await reading;
    return got;
  }
  return { client, sent, time, read };
}

const ids = (events: readonly { readonly id: string }[]): string[] => events.map(({ id }) => id);

describe('events of the client', () => {
  it('go on after the last one that was handled, over connections that end, break or fall silent', async () => {
    const { client, sent, read } = bench([
      { pieces: [event('a-1'), event('a-2')], then: 'end' },
      { pieces: [event('a-3'), event('a-7', 'heartbeat')], then: 'cut' },
      { pieces: [event('a-8')], then: 'silence' },
      { pieces: [event('a-9')], then: 'silence' },
    ]);
    const got = await read(client.events({ after: 'a-0', type: 'alert' }), 5);
    expect(ids(got)).toEqual(['a-1', 'a-2', 'a-3', 'a-8', 'a-9']);
    expect(sent.map(({ lastId }) => lastId)).toEqual(['a-0', 'a-2', 'a-7', 'a-8']);
    expect(sent[0]?.url).toBe('http://127.0.0.1:8420/api/v1/events?type=alert');
    // Thirty seconds without anything, then another connection.
    expect(sent[3]!.at - sent[2]!.at).toBeGreaterThanOrEqual(30_000);
  });

  it('come whole, whatever pieces of the stream arrive', async () => {
    const text = event('a-1') + ': a comment\n\nretry: 2000\n\n' + event('a-2');
    const pieces = [...text];
    const { client, read } = bench([{ pieces, then: 'silence' }]);
    expect(ids(await read(client.events(), 2))).toEqual(['a-1', 'a-2']);
  });

  it('end with the problem that a new connection is answered', async () => {
    const { client, sent, read } = bench([
      { pieces: [event('a-1')], then: 'end' },
      { status: 401, code: 'unauthorized' },
    ]);
    const reading = read(client.events(), 9);
    await expect(reading).rejects.toBeInstanceOf(ProblemError);
    await expect(reading).rejects.toMatchObject({ code: 'unauthorized', operation: 'getEvents' });
    expect(sent).toHaveLength(2);
  });

  it('wait as long as the gateway asks for', async () => {
    const { client, sent, read } = bench([
      { status: 429, code: 'too_many_requests', retryAfter: '5' },
      { pieces: [event('a-1')], then: 'silence' },
    ]);
    await read(client.events(), 1);
    expect(sent.map(({ at }) => at)).toEqual([0, 5_000]);
  });

  it('are given up where there is no connection for the patience of the client', async () => {
    const { client, sent, time, read } = bench(['unreachable']);
    const reading = read(client.events(), 1);
    await expect(reading).rejects.toBeInstanceOf(NoAnswerError);
    await expect(reading).rejects.toMatchObject({ mayHaveExecuted: false, retrySafe: true });
    expect(time.elapsed()).toBeLessThanOrEqual(10_000);
    expect(sent.length).toBeGreaterThan(4);
  });

  it('end without an error when the program asks for it, and leave no connection', async () => {
    const { client, sent, read } = bench([{ pieces: [event('a-1')], then: 'silence' }]);
    const control = new AbortController();
    const stream = client.events({ signal: control.signal });
    expect(ids(await read(stream, 1))).toEqual(['a-1']);
    expect(sent[0]?.isCut).toBe(true);
    control.abort();
    expect(await read(client.events({ signal: control.signal }), 1)).toEqual([]);
    expect(sent).toHaveLength(1);
  });
});

describe('prices of the client', () => {
  const price = { instrument: 'NSE:INFY', lastPrice: 1 };

  it('begin again with a snapshot after a connection was lost, which is told', async () => {
    const { client, sent, read } = bench([
      {
        pieces: [
          told({ type: 'hello', heartbeatMs: 5_000 }),
          told({
            type: 'subscribed',
            mode: 'full',
            instruments: { INFY: 'NSE:INFY' },
            refused: {},
          }),
          told({ type: 'snapshot', seq: 1, prices: [price] }),
          told({ type: 'a_new_type' }),
          told({ type: 'error', code: 'slow_consumer' }),
        ],
        then: 'end',
      },
      { pieces: [told({ type: 'snapshot', seq: 1, prices: [price] })], then: 'silence' },
    ]);
    const got = await read(client.prices({ instruments: ['INFY'], mode: 'full' }), 4);
    expect(got.map(({ type }) => type)).toEqual(['subscribed', 'snapshot', 'lost', 'snapshot']);
    expect(sent[0]?.url).toBe('http://127.0.0.1:8420/api/v1/stream?instruments=INFY&mode=full');
  });

  it('are lost after ten seconds of silence, and not while the program is busy', async () => {
    const { client, sent, time, read } = bench([
      { pieces: [told({ type: 'snapshot', seq: 1, prices: [price] })], then: 'silence' },
    ]);
    const stream = client.prices({ instruments: ['INFY'] });
    expect(await read(only(stream), 1)).toHaveLength(1);
    await time.advance(60_000);
    expect(sent).toHaveLength(1);
    expect((await read(stream, 1)).map(({ type }) => type)).toEqual(['lost']);
    expect(time.elapsed()).toBe(70_000);
  });

  it('need an instrument', async () => {
    const { client, read } = bench([]);
    await expect(read(client.prices({ instruments: [] }), 1)).rejects.toBeInstanceOf(TypeError);
  });
});

/** The next one alone, without ending the stream. */
async function* only<T>(stream: AsyncGenerator<T>): AsyncGenerator<T> {
  const { value, done } = await stream.next();
  if (done !== true) yield value;
}
