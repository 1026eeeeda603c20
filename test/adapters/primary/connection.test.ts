import { LIMIT_MARGIN_MS } from '../../../src/platform/limit-windows.ts';
import { describe, expect, it } from 'vitest';
import {
  answered,
  failureOf,
  infosys,
  lost,
  placing,
  setUp,
  success,
  unreached,
} from './support.ts';
import { allInstruments } from '../../support/all-instruments.ts';

const taken = success({ order_id: 'EQ-7' });
const tooMany = (retryAfter?: string) =>
  answered(429, { error: 'Rate limit exceeded' }, retryAfter ? { 'retry-after': retryAfter } : {});

describe('the limit on orders', () => {
  it('gives eight permits a second, two more for ways out, and the next a second later', async () => {
    const { trading, time } = setUp();
    for (let count = 0; count < 8; count += 1) expect(await trading.permit(0)).toBeNull();
    expect(await trading.permit(0)).toMatchObject({ kind: 'not_sent', cause: 'no_permit' });
    for (let count = 0; count < 2; count += 1) {
      expect(await trading.permit(0, 'way_out')).toBeNull();
    }
    expect(await trading.permit(0, 'way_out')).toMatchObject({ cause: 'no_permit' });
    const waited = trading.permit(2_000);
    expect(await time.settle(waited)).toBeNull();
    expect(time.elapsed()).toBe(1_000 + LIMIT_MARGIN_MS);
  });

  it('opens the connection of each order with its permit, over IPv4', async () => {
    const { trading, transport } = setUp();
    await trading.permit(0);
    expect(transport.ahead).toEqual([{ url: 'https://broker.test', ipv4: true }]);
    for (let count = 0; count < 20; count += 1) await trading.permit(0);
    expect(transport.ahead).toHaveLength(8);
  });

  it.each([
    ['3', 3_000],
    [undefined, 1_000],
    ['86400', 60_000],
  ])('rests after a 429 with Retry-After %s for %s ms', async (retryAfter, ms) => {
    const { trading, time } = setUp({ respond: () => tooMany(retryAfter) });
    expect(await trading.place(placing())).toMatchObject({ rejection: 'rate_limited' });
    expect(await time.settle(trading.permit(120_000))).toBeNull();
    expect(time.elapsed()).toBe(ms);
  });

  it('does not pause when a read exceeded its limit', async () => {
    const { trading } = setUp({ respond: () => tooMany('3') });
    await failureOf(trading.orderBook());
    expect(await trading.permit(0)).toBeNull();
  });
});

describe('the limits on reads', () => {
  it('let twelve non-trading reads through in any second, whatever their kind', async () => {
    const { trading, account, transport, time } = setUp({ respond: () => success([]) });
    const reads = Array.from({ length: 20 }, (_, index) =>
      index % 2 ? trading.orderBook() : account.holdings(),
    );
    await time.advance(999 + LIMIT_MARGIN_MS);
    expect(transport.requests).toHaveLength(12);
    await time.advance(1);
    expect(transport.requests).toHaveLength(20);
    await Promise.all(reads);
  });

  it('let five quotes through in a second', async () => {
    const { marketData, transport, time } = setUp({ respond: () => success({}) });
    const reads = Array.from({ length: 6 }, () => marketData.lastPrices([infosys]));
    await time.advance(999 + LIMIT_MARGIN_MS);
    expect(transport.requests).toHaveLength(5);
    await time.advance(1);
    await Promise.all(reads);
  });

  it('end the wait at the deadline of the call, and say that nothing was sent', async () => {
    const { trading, transport, time } = setUp({ respond: () => success(null) });
    // Twelve a second: those of the first five seconds get a permit.
    const reads = Array.from({ length: 61 }, () =>
      failureOf(trading.orderBook()).catch(() => 'ok'),
    );
    const ends = await time.settle(Promise.all(reads));
    expect(ends.slice(0, 60)).toEqual(Array(60).fill('ok'));
    expect(ends[60]).toMatchObject({ kind: 'not_sent', reason: 'no_permit' });
    expect(time.elapsed()).toBe(5_000);
    expect(transport.requests).toHaveLength(60);
  });

  it('report at once that nothing was sent when no permit can come in time', async () => {
    const { trading, transport, time } = setUp({ respond: () => tooMany('30') });
    await failureOf(trading.orderBook());
    const failure = await failureOf(time.settle(trading.orderBook()));
    expect(failure).toMatchObject({ kind: 'not_sent', reason: 'no_permit' });
    expect(time.elapsed()).toBe(0);
    expect(transport.requests).toHaveLength(1);
  });

  it.each([
    ['Thu, 19 Nov 2026 04:31:00 GMT', 0],
    ['Fri, 20 Nov 2026 04:30:07 GMT', 7_000],
    ['Fri, 20 Nov 2026 05:30:00 GMT', 60_000],
    ['soon', 1_000],
  ])('rest until the date of a Retry-After: %s', async (retryAfter, ms) => {
    const { trading, transport, time, broker } = setUp({ respond: () => tooMany(retryAfter) });
    await failureOf(trading.orderBook());
    const bucket = () => broker.limits().find(({ name }) => name === 'non_trading')!;
    expect(bucket().pausedUntil).toBe(ms === 0 ? null : time.now() + ms);
    transport.respond = () => success(null);
    await time.advance(ms);
    expect(bucket().pausedUntil).toBeNull();
    expect(await trading.orderBook()).toEqual([]);
  });
});

describe('the token', () => {
  it('is sent raw, and read anew for each request', async () => {
    const tokens = ['first', 'second'];
    const { trading, transport } = setUp({ accessToken: () => tokens[0]! });
    await trading.orderBook();
    tokens.shift();
    await trading.orderBook();
    expect(transport.requests.map(({ headers }) => headers.authorization)).toEqual([
      'first',
      'second',
    ]);
  });

  it.each([null, ''])('that is %j stops reads before they are sent', async (token) => {
    const { trading, account, marketData, source, transport } = setUp({ accessToken: () => token });
    for (const read of [
      trading.orderBook(),
      trading.trades(),
      account.positions(),
      account.funds(),
      marketData.quotes([infosys]),
      allInstruments(source),
    ]) {
      expect(await failureOf(read)).toMatchObject({ kind: 'not_sent', reason: 'token' });
    }
    expect(transport.requests).toHaveLength(0);
  });

  it('that dies while a read waits for its permit stops that read', async () => {
    let token: string | null = 'alive';
    const { trading, transport, time } = setUp({
      respond: () => success(null),
      accessToken: () => token,
    });
    const reads = Array.from({ length: 13 }, () => trading.orderBook());
    const last = failureOf(reads[12]!);
    await time.advance(500);
    token = null;
    await time.advance(1_000);
    expect(await last).toMatchObject({ kind: 'not_sent', reason: 'token' });
    expect(transport.requests).toHaveLength(12);
  });
});

describe('the breaker', () => {
  it('opens for orders after five lost calls, and lets one through after 10 s', async () => {
    const { trading, transport, time } = setUp({ respond: () => lost });
    for (let count = 0; count < 5; count += 1) await trading.place(placing());
    expect(trading.blocked()).toMatchObject({ kind: 'not_sent', cause: 'breaker' });
    expect(await trading.place(placing())).toMatchObject({ kind: 'not_sent', cause: 'breaker' });
    expect(transport.requests).toHaveLength(5);
    await time.advance(10_000);
    expect(trading.blocked()).toBeNull();
    transport.respond = () => taken;
    expect((await trading.place(placing())).kind).toBe('acknowledged');
    expect(trading.blocked()).toBeNull();
  });

  it('stays open when the call that it let through is lost too', async () => {
    const { trading, time } = setUp({ respond: () => unreached });
    for (let count = 0; count < 5; count += 1) await trading.place(placing());
    await time.advance(10_000);
    expect(await trading.place(placing())).toMatchObject({ cause: 'connect' });
    expect(trading.blocked()).toMatchObject({ cause: 'breaker' });
  });

  it('counts replies that are not the broker’s', async () => {
    const { trading } = setUp({ respond: () => answered(200, '<html>') });
    for (let count = 0; count < 5; count += 1) await failureOf(trading.orderBook());
    expect(trading.blocked()).toMatchObject({ cause: 'breaker' });
  });

  it('is not opened by refusals', async () => {
    const { trading } = setUp({ respond: () => answered(400, { message: 'no' }) });
    for (let count = 0; count < 6; count += 1) await trading.place(placing());
    expect(trading.blocked()).toBeNull();
  });

  it('of one kind of call does not affect the others', async () => {
    const { trading, account, marketData, transport } = setUp({ respond: () => lost });
    for (let count = 0; count < 5; count += 1) await failureOf(account.funds());
    expect(await failureOf(account.funds())).toMatchObject({ reason: 'breaker' });
    transport.respond = () => success({});
    expect(trading.blocked()).toBeNull();
    expect((await marketData.quotes([infosys])).size).toBe(0);
  });

  it('refuses a read without spending a permit or waiting', async () => {
    const { account, time } = setUp({ respond: () => lost });
    for (let count = 0; count < 5; count += 1) await failureOf(account.funds());
    for (let count = 0; count < 20; count += 1) await failureOf(account.funds());
    expect(time.elapsed()).toBe(0);
  });
});
