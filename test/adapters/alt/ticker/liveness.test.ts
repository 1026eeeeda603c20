import { describe, expect, it } from 'vitest';
import { beat, createBench, INFY, listed, priceOf, TCS } from './support.ts';

const CLOSED = { kind: 'closed', code: 1_006 } as const;

describe('whether the ticks of an instrument are live', () => {
  function live() {
    const bench = createBench();
    const changes: number[] = [];
    bench.ticker.onLive(() => void changes.push(bench.time.elapsed()));
    bench.ticker.want(INFY, 'ltp');
    bench.ticker.follow();
    return { ...bench, bench, changes };
  }

  it('follows from an open connection that was heard, not from how often it trades', async () => {
    const { bench, ticker, changes } = live();
    expect(ticker.isLive(INFY)).toBe(false);
    const socket = await bench.stand();
    socket.binary(priceOf(408_065, 1_500));
    await bench.beatFor(60_000);
    expect([ticker.isLive(INFY), ticker.isLive(TCS)]).toEqual([true, false]);
    expect(changes).toEqual([0]);
    socket.end(CLOSED);
    expect([ticker.isLive(INFY), changes.length]).toEqual([false, 2]);
  });

  it('ends, and is told, five seconds after the last heartbeat', async () => {
    const { bench, ticker, time, changes } = live();
    const socket = await bench.stand();
    await time.advance(3_000);
    beat(socket);
    await time.advance(4_999);
    expect([ticker.isLive(INFY), changes]).toEqual([true, [0]]);
    await time.advance(1);
    expect([ticker.isLive(INFY), changes]).toEqual([false, [0, 8_000]]);
  });

  it('is that of the connection which carries it', async () => {
    const { bench, ticker, sockets } = live();
    const all = Array.from({ length: 3_000 }, (_, at) =>
      listed(`NSE:S${at}`, (at + 10_000) * 256 + 1),
    );
    for (const each of all) ticker.want(each, 'ltp');
    for (const socket of sockets.all) await bench.stand(socket);
    sockets.all[1]!.end(CLOSED);
    expect([ticker.isLive(INFY), ticker.isLive(all.at(-1)!)]).toEqual([true, false]);
  });
});
