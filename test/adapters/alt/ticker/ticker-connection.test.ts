import { describe, expect, it } from 'vitest';
import { createBench, INFY, listed, priceOf, TCS, beat } from './support.ts';

const CLOSED = { kind: 'closed', code: 1_006 } as const;
const FAILED = { kind: 'failed', message: 'connect ECONNREFUSED' } as const;

describe('the session', () => {
  it('gives the key and token in the URL of the ticker', () => {
    const { ticker, sockets } = createBench();
    ticker.follow();
    const url = new URL(sockets.last.request.url);
    expect([url.origin, url.pathname]).toEqual(['wss://ws.kite.trade', '/']);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      api_key: 'kitekey',
      access_token: 'token-1',
    });
  });

  it('that does not exist opens no connection', async () => {
    const { ticker, sockets, time } = createBench({ token: null });
    ticker.want(INFY, 'full');
    ticker.follow();
    await time.advance(600_000);
    expect(sockets.all).toEqual([]);
  });

  it('opens the connection when it begins, and closes it when it ends', async () => {
    const bench = createBench({ token: null });
    const { ticker, sockets } = bench;
    ticker.follow();
    bench.token = 'token-1';
    ticker.follow();
    const socket = await bench.stand();
    bench.token = null;
    ticker.follow();
    expect([sockets.all.length, socket.closed]).toEqual([1, true]);
  });

  it('with the same token changes nothing', async () => {
    const bench = createBench();
    bench.ticker.follow();
    const socket = await bench.stand();
    bench.ticker.follow();
    expect([bench.sockets.all.length, socket.closed]).toEqual([1, false]);
  });

  it('with another token opens a new connection with all subscriptions', async () => {
    const bench = createBench();
    bench.ticker.follow();
    bench.ticker.want(INFY, 'full');
    const before = await bench.stand();
    bench.token = 'token-2';
    bench.ticker.follow();
    const socket = await bench.stand();
    expect(before.closed).toBe(true);
    expect(new URL(socket.request.url).searchParams.get('access_token')).toBe('token-2');
    expect(socket.heard).toEqual([
      { a: 'subscribe', v: [408_065] },
      { a: 'mode', v: ['full', [408_065]] },
    ]);
  });

  it('that expires by the clock is noticed within a minute', async () => {
    const bench = createBench();
    bench.ticker.follow();
    const socket = await bench.stand();
    bench.token = null;
    await bench.beatFor(60_000);
    expect(socket.closed).toBe(true);
    await bench.time.advance(600_000);
    expect(bench.sockets.all).toHaveLength(1);
  });
});

describe('a refused handshake', () => {
  it.each([401, 403])('(%d) is not tried again under this token', async (status) => {
    const bench = createBench();
    bench.ticker.follow();
    bench.sockets.last.end({ kind: 'refused', status });
    bench.ticker.follow();
    await bench.time.advance(3_600_000);
    expect(bench.sockets.all).toHaveLength(1);
    bench.token = 'token-2';
    bench.ticker.follow();
    expect(bench.sockets.all).toHaveLength(2);
  });

  it('is reported, and a minute later once more while the token is still in use', async () => {
    const bench = createBench();
    bench.ticker.follow();
    bench.sockets.last.end({ kind: 'refused', status: 403 });
    expect(bench.refused).toEqual(['token-1']);
    await bench.time.advance(60_000);
    expect(bench.refused).toEqual(['token-1', 'token-1']);
    await bench.time.advance(600_000);
    expect(bench.refused).toHaveLength(2);
  });

  it('is reported once when the token has gone meanwhile', async () => {
    const bench = createBench();
    bench.ticker.follow();
    bench.sockets.last.end({ kind: 'refused', status: 403 });
    bench.token = null;
    await bench.time.advance(600_000);
    expect(bench.refused).toHaveLength(1);
  });

  it('ends the other connections as well', async () => {
    const bench = createBench();
    bench.ticker.follow();
    for (let token = 1; token <= 3_001; token += 1) {
      bench.ticker.want(listed(`NSE:S${token}`, token * 256 + 1), 'ltp');
    }
    const [first, second] = bench.sockets.all;
    first!.open();
    second!.end({ kind: 'refused', status: 403 });
    expect(first!.closed).toBe(true);
    await bench.time.advance(600_000);
    expect(bench.sockets.all).toHaveLength(2);
  });

  it.each([429, 500, 502, 302, 200])('with %d is an outage: it is tried again', async (status) => {
    const bench = createBench();
    bench.ticker.follow();
    bench.sockets.last.end({ kind: 'refused', status });
    await bench.time.advance(1_000);
    expect([bench.sockets.all.length, bench.refused]).toEqual([2, []]);
  });

  it('does not show the token in the log', async () => {
    const bench = createBench();
    bench.ticker.follow();
    bench.sockets.last.end(FAILED);
    await bench.time.advance(1_000);
    bench.sockets.last.end({ kind: 'refused', status: 403 });
    expect(bench.lines.length).toBeGreaterThan(1);
    expect(bench.lines.join('')).not.toContain('token-1');
  });
});

describe('a lost connection', () => {
  it('is made again, with the subscriptions of the old one', async () => {
    const bench = createBench();
    bench.ticker.follow();
    bench.ticker.want(INFY, 'quote');
    bench.ticker.want(TCS, 'full');
    (await bench.stand()).end(CLOSED);
    await bench.time.advance(1_000);
    const again = await bench.stand();
    expect(bench.sockets.all).toHaveLength(2);
    expect(again.heard).toEqual([
      { a: 'subscribe', v: [408_065, 2_953_217] },
      { a: 'mode', v: ['quote', [408_065]] },
      { a: 'mode', v: ['full', [2_953_217]] },
    ]);
  });

  /** When attempts are made, in s from the first, while all of them fail. */
  async function attempts(dice: number, count: number): Promise<number[]> {
    const bench = createBench({ dice });
    const begun = bench.time.elapsed();
    const at: number[] = [];
    bench.ticker.follow();
    while (at.length < count) {
      at.push(Math.round((bench.time.elapsed() - begun) / 100) / 10);
      const known = bench.sockets.all.length;
      bench.sockets.last.end(FAILED);
      while (bench.sockets.all.length === known) await bench.time.advance(100);
    }
    return at;
  }

  it('is tried at pauses that double up to a minute', async () => {
    expect(await attempts(255, 9)).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183]);
  });

  it('is tried sooner by up to half, at random', async () => {
    expect(await attempts(0, 5)).toEqual([0, 0.5, 1.5, 3.5, 7.5]);
  });

  it('that was open for a while is tried soon; one that dropped at once is not', async () => {
    const bench = createBench();
    const { sockets, time } = bench;
    bench.ticker.follow();
    for (const pause of [1_000, 2_000, 4_000]) {
      (await bench.stand()).end(CLOSED);
      const known = sockets.all.length;
      await time.advance(pause - 1);
      expect(sockets.all).toHaveLength(known);
      await time.advance(1);
      expect(sockets.all).toHaveLength(known + 1);
    }
    const steady = await bench.stand();
    await bench.beatFor(10_000);
    steady.end(CLOSED);
    await time.advance(1_000);
    expect(sockets.last).not.toBe(steady);
  });

  it('is one line of the log, however many attempts fail after it', async () => {
    const bench = createBench();
    bench.ticker.follow();
    (await bench.stand()).end(CLOSED);
    for (let attempt = 0; attempt < 20; attempt += 1) {
      await bench.time.advance(60_000);
      bench.sockets.last.end(FAILED);
    }
    const warnings = bench.lines.filter((line) => line.includes('"level":40'));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('it was closed with 1006');
  });
});

describe('silence', () => {
  it('of five seconds means a dead connection: it is closed and made again', async () => {
    const bench = createBench();
    bench.ticker.follow();
    const socket = await bench.stand();
    await bench.beatFor(20_000);
    await bench.time.advance(3_999);
    expect(socket.closed).toBe(false);
    await bench.time.advance(1);
    expect(socket.closed).toBe(true);
    await bench.time.advance(1_000);
    expect(bench.sockets.all).toHaveLength(2);
  });

  it('that a computer slept through is not ended by what waited in the line', async () => {
    const bench = createBench();
    bench.ticker.want(INFY, 'ltp');
    bench.ticker.follow();
    const socket = await bench.stand();
    bench.time.standStill(20_000);
    socket.binary(priceOf(408_065, 1_490));
    socket.binary(priceOf(408_065, 1_495));
    expect([bench.ticks, bench.ticker.isLive(INFY), socket.closed]).toEqual([[], false, true]);
    await bench.time.advance(2_000);
    expect(bench.sockets.all).toHaveLength(2);
  });

  it('after the handshake counts as well', async () => {
    const bench = createBench();
    bench.ticker.follow();
    const socket = await bench.stand();
    await bench.time.advance(5_000);
    expect(socket.closed).toBe(true);
  });

  it.each<[string, (bench: ReturnType<typeof createBench>) => void]>([
    ['a heartbeat', ({ sockets }) => beat(sockets.last)],
    ['a tick', ({ sockets }) => sockets.last.binary(priceOf(408_065, 1))],
    ['a text', ({ sockets }) => sockets.last.text('{"type":"message","data":"hello"}')],
    ['a message that cannot be read', ({ sockets }) => sockets.last.binary(Uint8Array.of(9, 9, 9))],
  ])('is ended by %s', async (_name, sound) => {
    const bench = createBench();
    bench.ticker.follow();
    const socket = await bench.stand();
    await bench.time.advance(4_000);
    sound(bench);
    await bench.time.advance(4_000);
    expect(socket.closed).toBe(false);
  });
});

describe('stopping', () => {
  it('ends every connection, and leaves no timer', async () => {
    const bench = createBench();
    bench.ticker.follow();
    const socket = await bench.stand();
    bench.ticker.stop();
    bench.ticker.follow();
    expect(socket.closed).toBe(true);
    await bench.time.advance(600_000);
    expect([bench.sockets.all.length, bench.time.pending]).toEqual([1, 0]);
  });

  it('gives up an attempt that waits for its turn', async () => {
    const bench = createBench();
    bench.ticker.follow();
    bench.sockets.last.end(FAILED);
    bench.ticker.stop();
    expect(bench.time.pending).toBe(0);
  });
});
