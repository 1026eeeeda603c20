import { describe, expect, it } from 'vitest';
import type { HttpReply, HttpRequest } from '../../../src/platform/http.ts';
import { answered, lost } from './support.ts';
import { LOGIN, MINUTE, bench } from './token-bench.ts';

describe('a request for a token', () => {
  it('is sent at most once a minute, also for a session that ends at once', async () => {
    const { time, sandbox, asked, read, failed } = bench();
    await read();
    sandbox.killTokens();
    await failed();
    for (let second = 0; second < 50; second += 1) {
      expect(await failed()).toMatchObject({ kind: 'not_sent', reason: 'token' });
      await time.advance(1_000);
    }
    expect(asked()).toHaveLength(1);
    await time.advance(10_000);
    await read();
    expect(asked()).toHaveLength(2);
    expect(sandbox.limitBreaks()).toEqual([]);
  });

  it('is not repeated after a refusal while the process runs', async () => {
    const { time, trading, asked, failed, lines } = bench({ login: { mpin: '1111' } });
    expect(await failed()).toMatchObject({
      kind: 'not_sent',
      reason: 'token',
      message: expect.stringMatching(/refused to give an access token: Invalid mpin or totp/),
    });
    for (let hour = 0; hour < 48; hour += 1) {
      await time.advance(3_600_000);
      expect(trading.blocked()).toMatchObject({ cause: 'token' });
      await failed();
    }
    expect(asked()).toHaveLength(1);
    expect(lines.filter((line) => line.includes('refused to give'))).toHaveLength(1);
  });

  it('reports the broker’s message without the MPIN, but with numbers that contain its digits', async () => {
    const refusal = answered(403, { message: 'Wrong mpin 12 for order 3412, try 1234', n: 12 });
    const { failed } = bench({ login: { mpin: '12' }, generator: () => refusal });
    expect(await failed()).toMatchObject({
      message: expect.stringContaining('Wrong mpin [secret] for order 3412, try 1234'),
    });
  });

  it.each([
    ['a failure inside 2xx', answered(200, { status: 'failure', error: { msg: 'no' } })],
    ['a refusal with a token in it', answered(200, { success: false, token: 'x' })],
    ['a lock', answered(403, { message: 'Too many wrong attempts', error_type: 'UserException' })],
  ])('is not repeated after %s', async (_, reply) => {
    const { time, asked, failed } = bench({ generator: () => reply });
    await failed();
    await time.advance(3_600_000);
    await failed();
    expect(asked()).toHaveLength(1);
  });

  it.each([
    ['a lost connection', lost],
    ['a server error', answered(503, {})],
    ['a page of a proxy', answered(403, '<html>')],
    ['a reply without a token', answered(200, { status: 'success', data: {} })],
    ['a token that no header can carry', answered(200, { token: 'a\nb' })],
    ['too many requests', answered(429, { error: 'Rate limit exceeded' }, { 'retry-after': '5' })],
  ])('is repeated a minute after %s', async (_, first) => {
    const replies: (HttpReply | undefined)[] = [first];
    const { time, asked, read, failed } = bench({ generator: () => replies.shift() });
    expect(await failed()).toMatchObject({ kind: 'not_sent', reason: 'token' });
    await time.advance(MINUTE);
    await read();
    expect(asked()).toHaveLength(2);
  });

  it('is sent at most four times in fifteen minutes: five wrong codes lock the account', async () => {
    const { time, asked, failed } = bench({ generator: () => lost });
    for (let minute = 0; minute < 15; minute += 1) {
      await failed();
      await time.advance(MINUTE);
    }
    expect(asked()).toHaveLength(4);
  });

  it('waits for the next code when the present one is about to expire', async () => {
    const { time, trading, sandbox } = bench({ at: '2026-11-20T10:00:28+05:30' });
    await time.advance(1_999);
    expect(sandbox.requests()).toEqual([]);
    await time.advance(21);
    expect(sandbox.requests().map(({ status }) => status)).toEqual([200]);
    expect(trading.blocked()).toBeNull();
  });

  it.each([0, 280])('shows none of its credentials, behind %s characters', async (before) => {
    const echo = ({ headers, body }: HttpRequest): HttpReply =>
      answered(403, {
        message: `${'x'.repeat(before)}${JSON.stringify(headers)} ${body}`,
        error_type: 'UserException',
      });
    const { failed, asked, lines } = bench({ generator: echo });
    const failure = JSON.stringify(await failed());
    const code = (JSON.parse(asked()[0]!.body!) as { totp: string }).totp;
    expect(failure).toContain('[sec');
    for (const secret of [...Object.values(LOGIN), code]) {
      expect(failure).not.toContain(secret.slice(0, 4));
      expect(lines.join('\n')).not.toContain(secret.slice(0, 4));
    }
  });

  it('leaves no token in the log', async () => {
    const { read, sandbox, lines, failed } = bench();
    await read();
    const token = sandbox.liveToken()!;
    sandbox.killTokens();
    await failed();
    expect(lines.length).toBeGreaterThanOrEqual(2);
    expect(lines.join('\n')).not.toContain(token);
  });
});
