import { describe, expect, it } from 'vitest';
import { openSession, SLOW_CONSUMER_MS, type StreamLine } from '../../src/routes/price-session.ts';
import { priceBench } from '../support/price-bench.ts';
import { VirtualTime } from '../support/virtual-time.ts';

/** A connection that takes what is written when the test says so. */
function fakeLine() {
  const written: string[] = [];
  const closers: (() => void)[] = [];
  const state = { ended: '', why: '', isCut: false, takes: true, isBehind: false };
  let caughtUp = (): void => undefined;
  let taken: (() => void) | null = null;
  const line: StreamLine = {
    write(messages, onTaken) {
      written.push(...messages);
      if (state.takes) onTaken();
      else taken = onTaken;
    },
    isBehind: () => state.isBehind,
    onCaughtUp: (listener) => void (caughtUp = listener),
    onClose: (listener) => void closers.push(listener),
    end(message, why) {
      [state.ended, state.why] = [message, why];
    },
    destroy() {
      state.isCut = true;
      for (const close of closers) close();
    },
  };
  const take = (): void => {
    const onTaken = taken;
    taken = null;
    onTaken?.();
  };
  const catchUp = (): void => {
    state.isBehind = false;
    caughtUp();
  };
  return { line, written, state, take, catchUp };
}

async function session(names = ['INFY']) {
  const time = new VirtualTime('2026-11-06T11:00:00+05:30');
  const bench = priceBench(time);
  const connection = fakeLine();
  let isOver = 0;
  const opened = openSession(connection.line, {
    ...{ prices: bench.prices, clock: time, scheduler: time, caller: 'key_a' },
    holds: () => true,
    onOver: () => void (isOver += 1),
  });
  opened.subscribe(await opened.find(names), 'ltp');
  const told = () => connection.written.map((text) => JSON.parse(text));
  return { time, bench, ...connection, opened, told, overs: () => isOver };
}

describe('a slow consumer', () => {
  it('is written one message at a time, and then the latest prices', async () => {
    const { time, bench, state, take, told } = await session(['A', 'B', 'C']);
    state.takes = false;
    for (let price = 1; price <= 1_000; price += 1) {
      for (const name of ['NSE:A', 'NSE:B', 'NSE:C']) bench.feed.send(name, price);
      await time.advance(1);
    }
    const before = told().length;
    take();
    const [next, ...more] = told().slice(before);
    expect(more).toEqual([]);
    expect(next.type).toBe('ticks');
    expect(next.prices.map((each: { lastPrice: number }) => each.lastPrice)).toEqual([
      1_000, 1_000, 1_000,
    ]);
  });

  it('that has not read what was written is told the latest prices once it has', async () => {
    const { time, bench, state, catchUp, told, opened } = await session(['A']);
    state.isBehind = true;
    const before = told().length;
    for (let price = 1; price <= 10; price += 1) {
      bench.feed.send('NSE:A', price);
      await time.advance(1);
    }
    expect(told()).toHaveLength(before);
    opened.refuse('An answer waits for no prices.');
    expect(told().at(-1).code).toBe('invalid_message');
    catchUp();
    const prices = told()
      .slice(before)
      .flatMap((message) => message.prices ?? []);
    expect(prices.map((each: { lastPrice: number }) => each.lastPrice)).toEqual([10]);
  });

  it('that has read nothing for long is ended, though the connection takes everything', async () => {
    const { time, bench, state } = await session();
    state.isBehind = true;
    bench.feed.send('NSE:INFY', 1);
    await time.advance(SLOW_CONSUMER_MS - 100);
    expect(state.ended).toBe('');
    await time.advance(5_200);
    expect(state.why).toBe('slow_consumer');
  });

  it('whose pongs are not heard for a while is not ended for it', async () => {
    const { time, bench, state } = await session();
    state.isBehind = true;
    bench.feed.send('NSE:INFY', 1);
    await time.advance(SLOW_CONSUMER_MS - 6_000);
    state.isBehind = false;
    await time.advance(5_000);
    state.isBehind = true;
    bench.feed.send('NSE:INFY', 2);
    await time.advance(SLOW_CONSUMER_MS - 6_000);
    expect(state.ended).toBe('');
  });

  it('is told why, and cut off, and wants nothing any more', async () => {
    const { time, bench, state, overs } = await session();
    state.takes = false;
    bench.feed.send('NSE:INFY', 1);
    await time.advance(SLOW_CONSUMER_MS - 100);
    expect(state.ended).toBe('');
    await time.advance(5_200);
    expect([JSON.parse(state.ended).code, state.why]).toEqual(['slow_consumer', 'slow_consumer']);
    expect([...bench.feed.wanted]).toEqual([]);
    await time.advance(1_000);
    expect([state.isCut, overs()]).toEqual([true, 1]);
    expect(time.pending).toBe(0);
  });

  it('that takes something now and then stays', async () => {
    const { time, bench, state, take } = await session();
    state.takes = false;
    for (let count = 0; count < 10; count += 1) {
      bench.feed.send('NSE:INFY', count + 1);
      await time.advance(SLOW_CONSUMER_MS - 10_000);
      take();
    }
    expect(state.ended).toBe('');
  });
});

describe('an answer to a message', () => {
  it('comes before the prices that follow from it', async () => {
    const { time, bench, told, opened } = await session();
    bench.feed.send('NSE:INFY', 1);
    const found = await opened.find(['INFY', 'TCS']);
    opened.subscribe(found, 'full', 'again');
    bench.feed.send('NSE:INFY', 2);
    await time.advance(0);
    expect(told().map(({ type }) => type)).toEqual([
      ...['hello', 'subscribed', 'subscribed'],
      ...['feed', 'snapshot'],
    ]);
  });
});
