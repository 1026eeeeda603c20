import { describe, expect, it } from 'vitest';
import type { HttpReply } from '../../../src/platform/http.ts';
import { answered, failureOf, lost, placing } from './support.ts';
import { LOGIN, MINUTE, bench } from './token-bench.ts';

describe('a token', () => {
  it('is generated at the start where the settings have none', async () => {
    const { time, trading, sandbox, asked, sessions } = bench();
    expect(trading.blocked()).toMatchObject({ kind: 'not_sent', cause: 'token' });
    await time.advance(20);
    expect(trading.blocked()).toBeNull();
    expect(asked()).toHaveLength(1);
    expect(asked()[0]).toMatchObject({ method: 'POST', fresh: true, ipv4: true });
    expect(asked()[0]!.headers['x-api-key']).toBe(LOGIN.apiKey);
    expect(sandbox.requests().map(({ status }) => status)).toEqual([200]);
    expect(sessions()).toBe(1);
  });

  it('is not generated while that of the settings is valid', async () => {
    const { asked, read, time } = bench({ configured: 'token-of-the-settings' });
    await read();
    await time.advance(3_600_000);
    await read();
    expect(asked()).toEqual([]);
  });

  it('is generated once the broker has called that of the settings dead', async () => {
    const { failed, read, sandbox, asked } = bench({ configured: 'token-of-the-settings' });
    sandbox.killTokens();
    expect(await failed()).toMatchObject({ kind: 'http', status: 403 });
    expect((await read()).available).toBeGreaterThan(0);
    expect(asked()).toHaveLength(1);
  });

  it('is generated once the broker has refused an order because of its token', async () => {
    const { trading, time, sandbox, read } = bench({ configured: 'token-of-the-settings' });
    sandbox.killTokens();
    const outcome = await time.settle(trading.place(placing()));
    expect(outcome).toMatchObject({ kind: 'refused', rejection: 'auth' });
    expect(trading.blocked()).toMatchObject({ cause: 'token' });
    await time.advance(20);
    expect(trading.blocked()).toBeNull();
    await read();
    expect(sandbox.orders()).toEqual([]);
  });

  it('is not generated because an address is not whitelisted', async () => {
    const { trading, time, faults, asked } = bench({ configured: 'token-of-the-settings' });
    const body = JSON.stringify({
      status: 'error',
      message: 'IP address is not whitelisted',
      error_code: 'UserException',
    });
    faults.add({ broker: 'primary', kind: 'error_before', params: { status: 403, body } });
    expect(await time.settle(trading.place(placing()))).toMatchObject({ kind: 'refused' });
    expect(trading.blocked()).toBeNull();
    await time.advance(1_000);
    expect(asked()).toEqual([]);
  });

  it('is awaited by reads, and requested once for all of them', async () => {
    const { account, time, asked, sandbox } = bench({ latencyMs: [300, 300] });
    const reads = Array.from({ length: 8 }, () => account.funds());
    await time.settle(Promise.all(reads));
    expect(asked()).toHaveLength(1);
    expect(
      new Set(
        sandbox
          .requests()
          .slice(1)
          .map((each) => each.authorization),
      ),
    ).toEqual(new Set([sandbox.liveToken()]));
  });

  it('is not awaited by an order', async () => {
    const { trading, time, sandbox } = bench({ latencyMs: [300, 300] });
    expect(await trading.place(placing())).toMatchObject({ kind: 'not_sent', cause: 'token' });
    await time.advance(1_000);
    expect(sandbox.orders()).toEqual([]);
  });

  it('is awaited no longer than the read’s own deadline', async () => {
    const { failed, time } = bench({ generator: () => undefined, latencyMs: [7_000, 7_000] });
    expect(await failed()).toMatchObject({ kind: 'not_sent', reason: 'token' });
    expect(time.elapsed()).toBe(5_000);
  });

  it('is generated again on the broker’s next day, by the first read', async () => {
    const { time, asked, read, trading } = bench();
    await read();
    await time.advanceTo('2026-11-21T05:59:00+05:30');
    await read();
    expect(asked()).toHaveLength(1);
    await time.advanceTo('2026-11-21T06:00:00+05:30');
    // Yesterday's token stays in use until there is another.
    expect(trading.blocked()).toBeNull();
    expect(asked()).toHaveLength(1);
    await read();
    expect(asked()).toHaveLength(2);
  });

  it('is generated again within a minute of the broker’s next day, where keep() runs', async () => {
    const { time, asked, keepSession } = bench();
    const cancel = keepSession();
    await time.advanceTo('2026-11-21T05:59:59+05:30');
    expect(asked()).toHaveLength(1);
    await time.advanceTo('2026-11-21T06:01:00+05:30');
    expect(asked()).toHaveLength(2);
    await time.advanceTo('2026-11-22T05:59:59+05:30');
    expect(asked()).toHaveLength(2);
    cancel();
    await time.advanceTo('2026-11-24T12:00:00+05:30');
    expect([asked().length, time.pending]).toEqual([2, 0]);
  });

  it('that the broker did not give is requested again: four times, then every hour', async () => {
    let reply: HttpReply | undefined = lost;
    const { time, asked, keepSession, trading } = bench({ generator: () => reply });
    const cancel = keepSession();
    await time.advance(15 * 60_000);
    expect(asked()).toHaveLength(4);
    await time.advance(2 * 3_600_000);
    expect(asked()).toHaveLength(6);
    reply = undefined;
    await time.advance(3_600_000);
    expect(trading.blocked()).toBeNull();
    cancel();
  });

  it('is not used beyond its 24 hours', async () => {
    let reply: HttpReply | undefined;
    const { time, read, trading, asked } = bench({ generator: () => reply });
    await read();
    reply = lost;
    await time.advance(86_400_000 - 21);
    expect(trading.blocked()).toBeNull();
    await time.advance(21);
    expect(trading.blocked()).toMatchObject({ cause: 'token' });
    reply = undefined;
    await time.advance(MINUTE);
    await read();
    expect(asked().length).toBeGreaterThanOrEqual(2);
  });

  it('that came in the meantime stays valid when a request with the last one is refused', async () => {
    const { account, trading, time, sandbox, asked, sent } = bench({
      configured: 'token-of-the-settings',
      latencyMs: [200, 200],
      generator: () => answered(200, { token: 'fresh-one' }),
    });
    sandbox.killTokens();
    const first = failureOf(account.funds());
    await time.advance(150);
    const second = failureOf(account.funds());
    await time.settle(first);
    expect(asked()).toHaveLength(1);
    expect(await time.settle(second)).toMatchObject({ status: 403 });
    expect(trading.blocked()).toBeNull();
    await time.settle(failureOf(account.funds()));
    expect(sent.at(-1)!.headers.authorization).toBe('fresh-one');
  });

  it.each([
    ['in data', { status: 'success', data: { token: 'fresh-one' } }],
    ['at the top', { status: 'success', token: 'fresh-one' }],
    ['without an envelope', { token: 'fresh-one' }],
  ])('is found %s', async (_, body) => {
    const { time, trading, sent, account } = bench({ generator: () => answered(200, body) });
    await time.advance(0);
    expect(trading.blocked()).toBeNull();
    await time.settle(failureOf(account.funds()));
    expect(sent.at(-1)!.headers.authorization).toBe('fresh-one');
  });
});
