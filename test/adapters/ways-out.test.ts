import { describe, expect, it } from 'vitest';
import type { Trading } from '../../src/domain/ports.ts';
import type { CancelAttempt, ModifyAttempt, PlaceAttempt } from '../../src/domain/order.ts';
import type { HttpReply, HttpRequest } from '../../src/platform/http.ts';
import type { VirtualTime } from '../support/virtual-time.ts';
import * as alt from './alt/support/alt-broker.ts';
import * as kite from './alt/support/scripted-transport.ts';
import * as primary from './primary/support.ts';

interface Bench {
  readonly time: VirtualTime;
  readonly trading: Trading;
  readonly requests: readonly HttpRequest[];
  /** What changing something and reading a book are answered with. */
  replies: { change: HttpReply; book: HttpReply };
  readonly attempts: {
    readonly place: PlaceAttempt;
    readonly cancel: CancelAttempt;
    readonly modify: ModifyAttempt;
  };
  readonly taken: HttpReply;
  readonly rateLimited: HttpReply;
}

const unreadable = (text = '<html>'): HttpReply => kite.answered(200, text);

function altBench(): Bench {
  const replies = { change: unreadable(), book: kite.success([]) };
  const bench = alt.altBench(({ method }) => (method === 'GET' ? replies.book : replies.change));
  const place = alt.attempt();
  const common = { brokerOrderId: '261120000000001', instrument: place.instrument };
  return {
    time: bench.time,
    trading: bench.broker.trading,
    requests: bench.transport.requests,
    replies,
    attempts: {
      place,
      cancel: { attemptId: 'c', ...common, brokerOrderType: null },
      modify: {
        attemptId: 'm',
        ...common,
        terms: place.terms,
        changes: primary.modifying({ price: 1 }).changes,
      },
    },
    taken: kite.success({ order_id: '261120000000001' }),
    rateLimited: kite.refusal(429, 'NetworkException', 'Too many', { 'retry-after': '300' }),
  };
}

function primaryBench(): Bench {
  const replies = { change: primary.answered(200, '<html>'), book: primary.success([]) };
  const { time, trading, transport } = primary.setUp({
    respond: ({ method }) => (method === 'GET' ? replies.book : replies.change),
  });
  return {
    time,
    trading,
    requests: transport.requests,
    replies,
    attempts: {
      place: primary.placing(),
      cancel: primary.cancelling(),
      modify: primary.modifying({ price: 1_501 }),
    },
    taken: primary.success({ order_id: 'EQ-1', order_status: 'O-PENDING' }),
    rateLimited: primary.answered(429, { message: 'Too many' }, { 'retry-after': '300' }),
  };
}

describe.each([
  ['the alternative broker', altBench],
  ['the primary brokerage', primaryBench],
])('after five unreadable answers of %s to placing', (_name, make) => {
  async function afterFive(): Promise<Bench> {
    const bench = make();
    const { trading, attempts } = bench;
    for (let count = 0; count < 5; count += 1) {
      expect((await trading.place(attempts.place)).kind).toBe('uncertain');
    }
    expect(trading.blocked()).toMatchObject({ cause: 'breaker' });
    bench.replies.change = bench.taken;
    return bench;
  }

  it('no further order is placed', async () => {
    const { trading, attempts, requests } = await afterFive();
    expect(await trading.place(attempts.place)).toMatchObject({ cause: 'breaker' });
    expect(requests).toHaveLength(5);
  });

  it('cancels and modifications leave', async () => {
    const { trading, attempts } = await afterFive();
    expect(trading.blocked('way_out')).toBeNull();
    expect(trading.blocked('modify')).toBeNull();
    expect((await trading.cancel(attempts.cancel)).kind).toBe('acknowledged');
    expect((await trading.modify(attempts.modify)).kind).toBe('acknowledged');
  });

  it('an order that only reduces a position leaves', async () => {
    const { trading, attempts } = await afterFive();
    const exit = { ...attempts.place, wayOut: true };
    expect((await trading.place(exit)).kind).toBe('acknowledged');
    // What it showed counts: placing works again.
    expect(trading.blocked()).toBeNull();
  });

  it('books are read', async () => {
    const { trading } = await afterFive();
    expect(await trading.orderBook()).toEqual([]);
  });

  it('a good read of the book allows one early trial', async () => {
    const bench = await afterFive();
    const { trading, attempts, time } = bench;
    await trading.orderBook();
    expect(trading.blocked()).toBeNull();
    bench.replies.change = unreadable();
    expect((await trading.place(attempts.place)).kind).toBe('uncertain');
    expect(trading.blocked()).toMatchObject({ cause: 'breaker' });
    // A further read allows no further trial: the next one is due after ten seconds.
    await trading.orderBook();
    expect(trading.blocked()).toMatchObject({ cause: 'breaker' });
    await time.advance(10_000);
    bench.replies.change = bench.taken;
    expect((await trading.place(attempts.place)).kind).toBe('acknowledged');
    expect(trading.blocked()).toBeNull();
  });
});

describe.each([
  ['the alternative broker', altBench],
  ['the primary brokerage', primaryBench],
])('at %s', (_name, make) => {
  it('good reads of the book between them do not reset the count of failures', async () => {
    const { trading, attempts } = make();
    for (let count = 0; count < 5; count += 1) {
      await trading.place(attempts.place);
      await trading.orderBook();
    }
    // The read after the fifth failure allowed the one trial.
    await trading.place(attempts.place);
    expect(trading.blocked()).toMatchObject({ cause: 'breaker' });
  });

  it('cancels that fail hold back neither further cancels nor exits', async () => {
    const bench = make();
    const { trading, attempts } = bench;
    for (let count = 0; count < 6; count += 1) {
      expect((await trading.cancel(attempts.cancel)).kind).toBe('uncertain');
    }
    bench.replies.change = bench.taken;
    expect((await trading.cancel(attempts.cancel)).kind).toBe('acknowledged');
    expect((await trading.place({ ...attempts.place, wayOut: true })).kind).toBe('acknowledged');
  });

  it('a book that cannot be read holds back new orders, but no way out', async () => {
    const bench = make();
    const { trading, attempts } = bench;
    bench.replies.book = unreadable();
    bench.replies.change = bench.taken;
    for (let count = 0; count < 5; count += 1) {
      await trading.orderBook().catch(() => undefined);
    }
    expect(await trading.place(attempts.place)).toMatchObject({ cause: 'breaker' });
    expect((await trading.cancel(attempts.cancel)).kind).toBe('acknowledged');
    expect((await trading.place({ ...attempts.place, wayOut: true })).kind).toBe('acknowledged');
  });

  it('a 429 that asks for five minutes holds back ways out for ten seconds', async () => {
    const bench = make();
    const { trading, attempts, time } = bench;
    bench.replies.change = bench.rateLimited;
    await trading.cancel(attempts.cancel);
    await time.advance(9_900);
    expect(await trading.permit(0, 'way_out')).toMatchObject({ cause: 'no_permit' });
    await time.advance(100);
    expect(await trading.permit(0, 'way_out')).toBeNull();
    expect(await trading.permit(0)).toMatchObject({ cause: 'no_permit' });
    expect(await trading.permit(0, 'modify')).toMatchObject({ cause: 'no_permit' });
    await time.advance(290_000);
    expect(await trading.permit(0)).toBeNull();
  });
});
