import { describe, expect, it } from 'vitest';
import { BrokerError } from '../../../../src/domain/outcome.ts';
import { createBench, INFY, listed, priceOf, TCS } from './support.ts';

const CLOSED = { kind: 'closed', code: 1_006 } as const;

describe('subscriptions', () => {
  it('of one turn are sent together, and later only their changes', async () => {
    const bench = createBench();
    const { ticker } = bench;
    ticker.follow();
    const socket = await bench.stand();
    ticker.want(INFY, 'ltp');
    ticker.want(TCS, 'ltp');
    ticker.want(INFY, 'full');
    await bench.time.advance(0);
    expect(socket.heard.splice(0)).toEqual([
      { a: 'subscribe', v: [408_065, 2_953_217] },
      { a: 'mode', v: ['ltp', [2_953_217]] },
      { a: 'mode', v: ['full', [408_065]] },
    ]);
    ticker.want(TCS, null);
    ticker.want(INFY, 'quote');
    await bench.time.advance(0);
    expect(socket.heard.splice(0)).toEqual([
      { a: 'unsubscribe', v: [2_953_217] },
      { a: 'mode', v: ['quote', [408_065]] },
    ]);
    ticker.want(INFY, 'quote');
    ticker.want(TCS, null);
    await bench.time.advance(0);
    expect(socket.heard).toEqual([]);
  });

  it('under a token that is another instrument’s by now end without ending that of the other', async () => {
    const bench = createBench();
    const { ticker } = bench;
    ticker.follow();
    const socket = await bench.stand();
    const [old, now] = [listed('NFO:NIFTY26NOVFUT', 7), listed('NFO:NIFTY26DECFUT', 7)];
    ticker.want(old, 'ltp');
    ticker.want(now, 'ltp');
    expect([ticker.isLive(old), ticker.isLive(now)]).toEqual([false, true]);
    ticker.want(old, null);
    await bench.time.advance(0);
    socket.binary(priceOf(7, 24_000));
    expect(bench.ticks.map(({ instrument }) => instrument)).toEqual(['NFO:NIFTY26DECFUT']);
    expect([ticker.isLive(old), ticker.isLive(now)]).toEqual([false, true]);
  });

  it('fill connections of 3,000 instruments, at most three of them', async () => {
    const bench = createBench();
    const { ticker, sockets } = bench;
    ticker.follow();
    const all = Array.from({ length: 9_001 }, (_, at) => listed(`NSE:S${at}`, at * 256 + 1));
    for (const each of all.slice(0, 9_000)) ticker.want(each, 'ltp');
    expect(() => ticker.want(all[9_000]!, 'ltp')).toThrow(BrokerError);
    expect(sockets.all).toHaveLength(3);
    for (const socket of sockets.all) await bench.stand(socket);
    expect(
      sockets.all.map(({ heard }) => heard.map((each) => (each as { v: unknown[] }).v.length)),
    ).toEqual([
      [3_000, 2],
      [3_000, 2],
      [3_000, 2],
    ]);
    // A released instrument frees a place on its connection.
    ticker.want(all[0]!, null);
    ticker.want(all[9_000]!, 'ltp');
    // An instrument that is already subscribed needs no further place.
    ticker.want(all[5_000]!, 'full');
    await bench.time.advance(0);
    expect(sockets.all[0]!.heard.slice(2)).toEqual([
      { a: 'unsubscribe', v: [1] },
      { a: 'subscribe', v: [all[9_000]!.instrumentToken] },
      { a: 'mode', v: ['ltp', [all[9_000]!.instrumentToken]] },
    ]);
    expect(sockets.all[1]!.heard.slice(2)).toEqual([
      { a: 'mode', v: ['full', [all[5_000]!.instrumentToken]] },
    ]);
  });

  it('close a further connection with the last of its instruments, and never the first', async () => {
    const bench = createBench();
    const { ticker, sockets } = bench;
    ticker.follow();
    const all = Array.from({ length: 3_001 }, (_, at) => listed(`NSE:S${at}`, at * 256 + 1));
    for (const each of all) ticker.want(each, 'ltp');
    for (const each of all.toReversed()) ticker.want(each, null);
    expect(sockets.all.map(({ closed }) => closed)).toEqual([false, true]);
  });

  it('must be of instruments that the broker knows', () => {
    const { ticker } = createBench();
    expect(() => ticker.want(listed('NSE:GHOST', null), 'ltp')).toThrow(BrokerError);
  });
});

describe('a tick', () => {
  it('has the name of its instrument', async () => {
    const bench = createBench();
    bench.ticker.follow();
    bench.ticker.want(INFY, 'ltp');
    (await bench.stand()).binary(priceOf(408_065, 1480.05));
    expect(bench.ticks).toEqual([
      expect.objectContaining({ instrument: 'NSE:INFY', mode: 'ltp', lastPrice: 1480.05 }),
    ]);
  });

  it('without a subscription reaches no listener', async () => {
    const bench = createBench();
    bench.ticker.follow();
    bench.ticker.want(INFY, 'ltp');
    const socket = await bench.stand();
    bench.ticker.want(INFY, null);
    socket.binary(priceOf(408_065, 1480));
    socket.binary(priceOf(2_953_217, 3080));
    expect(bench.ticks).toEqual([]);
  });

  it('reaches the others when one listener fails', async () => {
    const bench = createBench();
    const heard: number[] = [];
    bench.ticker.onTick(() => {
      throw new Error('a listener of its own mind');
    });
    const forget = bench.ticker.onTick(({ lastPrice }) => heard.push(lastPrice));
    bench.ticker.follow();
    bench.ticker.want(INFY, 'ltp');
    const socket = await bench.stand();
    socket.binary(priceOf(408_065, 1));
    forget();
    socket.binary(priceOf(408_065, 2));
    expect(heard).toEqual([1]);
  });

  it('in a message that cannot be read is lost with that message only, and logged', async () => {
    const bench = createBench();
    bench.ticker.follow();
    bench.ticker.want(INFY, 'ltp');
    const socket = await bench.stand();
    const whole = priceOf(408_065, 1480);
    for (let count = 0; count < 12; count += 1) socket.binary(whole.subarray(0, -1));
    socket.binary(whole);
    expect(bench.ticks).toHaveLength(1);
    expect(bench.lines.filter((line) => line.includes('could not be read'))).toHaveLength(2);
  });
});

describe('an order message', () => {
  it('only causes a read of the orders, whatever it says', async () => {
    const bench = createBench();
    bench.ticker.follow();
    const socket = await bench.stand();
    const before = bench.orders;
    socket.text('{"type":"order","id":"","data":{"order_id":"1","status":"COMPLETE"}}');
    socket.text('{"type":"order"}');
    expect(bench.orders - before).toBe(2);
  });

  it.each(['not JSON', 'null', '7', '{}', '{"type":"message","data":"order"}', '[]'])(
    'is not this: %s',
    async (text) => {
      const bench = createBench();
      bench.ticker.follow();
      const socket = await bench.stand();
      const before = bench.orders;
      socket.text(text);
      expect(bench.orders).toBe(before);
    },
  );

  it('may have been missed while there was no connection: orders are read when there is one', async () => {
    const bench = createBench();
    bench.ticker.follow();
    expect(bench.orders).toBe(0);
    (await bench.stand()).end(CLOSED);
    await bench.time.advance(1_000);
    await bench.stand();
    expect(bench.orders).toBe(2);
  });

  it('that reports an error is in the log, at most a line long', async () => {
    const bench = createBench();
    bench.ticker.follow();
    (await bench.stand()).text(`{"type":"error","data":"no such mode ${'x'.repeat(5_000)}"}`);
    const line = bench.lines.find((each) => each.includes('no such mode'));
    expect(line?.length).toBeLessThan(500);
  });

  it('that reports an error does not put the token into the log', async () => {
    const bench = createBench();
    bench.ticker.follow();
    (await bench.stand()).text('{"type":"error","data":"bad access_token=token-1 given"}');
    expect(bench.lines.join('')).toContain('bad access_token=');
    expect(bench.lines.join('')).not.toContain('token-1');
  });
});
