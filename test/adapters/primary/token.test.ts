import { describe, expect, it } from 'vitest';
import { inProcessDoor } from '../../../sandbox/door/in-process.ts';
import { seededRandom } from '../../../sandbox/kernel/ports.ts';
import { createSandbox } from '../../../sandbox/kernel/sandbox.ts';
import { createPrimaryBroker } from '../../../src/adapters/primary/index.ts';
import type { HttpReply, HttpRequest } from '../../../src/platform/http.ts';
import { createLog, createPino } from '../../../src/platform/log.ts';
import { Secret } from '../../../src/platform/secret.ts';
import { createSandboxTransport } from '../../support/sandbox-transport.ts';
import { VirtualTime } from '../../support/virtual-time.ts';
import { answered, failureOf, infosys, lookupOf, lost, placing } from './support.ts';

const LOGIN = {
  apiKey: 'Kq7ownersKey55',
  mpin: '8642',
  totpSecret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
};
const MINUTE = 60_050;

interface Options {
  /** The token of the settings. */
  readonly configured?: string | null;
  readonly login?: Partial<typeof LOGIN>;
  readonly at?: string;
  readonly latencyMs?: readonly [number, number];
  /** In place of the sandbox, for the generator alone; undefined lets the sandbox answer. */
  readonly generator?: (request: HttpRequest) => HttpReply | undefined;
}

/** The adapter before a brokerage that takes no other code than that of its half minute. */
function bench(options: Options = {}) {
  const time = new VirtualTime(options.at ?? '2026-11-20T10:00:10+05:30');
  const sandbox = createSandbox({
    market: 'exchange',
    clock: time,
    random: seededRandom('tokens'),
    latencyMs: options.latencyMs ?? [20, 20],
    kite: {
      ...{ apiKey: 'k', apiSecret: 's', userId: 'u', origin: 'http://kite.test' },
      ...{ redirectUrl: 'http://gateway.test', postbackUrl: null },
    },
    primary: {
      ...{ ...LOGIN, accessToken: 'token-of-the-settings', clientId: '1' },
      ...{ origin: 'http://primary.test', totp: 'no fixed one' },
    },
    post: () => undefined,
  });
  const wire = createSandboxTransport(inProcessDoor(sandbox, time), time);
  const lines: string[] = [];
  let sessions = 0;
  const login = { ...LOGIN, ...options.login };
  const broker = createPrimaryBroker({
    transport: {
      ...wire,
      send(request) {
        const scripted = request.url.endsWith('/generate/token') && options.generator?.(request);
        if (!scripted) return wire.send(request);
        wire.sent.push(request);
        return Promise.resolve(scripted);
      },
    },
    clock: time,
    scheduler: time,
    log: createLog(createPino('debug', { write: (line: string) => void lines.push(line) })),
    instruments: lookupOf([infosys]),
    accessToken: () => (options.configured === undefined ? null : options.configured),
    login: {
      apiKey: new Secret(login.apiKey),
      mpin: new Secret(login.mpin),
      totpSecret: new Secret(login.totpSecret),
    },
    onToken: () => {
      sessions += 1;
    },
    settings: { baseUrl: 'http://primary.test', remarks: false, extraTerminalStatuses: [] },
  });
  const asked = () => wire.sent.filter(({ url }) => url.endsWith('/generate/token'));
  return {
    time,
    sandbox: sandbox.primary,
    faults: sandbox.faults,
    trading: broker.trading!,
    account: broker.account!,
    keepSession: broker.keepSession,
    sent: wire.sent,
    asked,
    lines,
    sessions: () => sessions,
    read: () => time.settle(broker.account!.funds()),
    failed: () => time.settle(failureOf(broker.account!.funds())),
  };
}

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

  it('is not generated while that of the settings lives', async () => {
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

  it('is generated once the broker has refused an order for its token', async () => {
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

  it('is waited for by reads, and asked for once by all of them', async () => {
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

  it('is not waited for by an order', async () => {
    const { trading, time, sandbox } = bench({ latencyMs: [300, 300] });
    expect(await trading.place(placing())).toMatchObject({ kind: 'not_sent', cause: 'token' });
    await time.advance(1_000);
    expect(sandbox.orders()).toEqual([]);
  });

  it('is waited for no longer than the read’s own deadline', async () => {
    const { failed, time } = bench({ generator: () => undefined, latencyMs: [7_000, 7_000] });
    expect(await failed()).toMatchObject({ kind: 'not_sent', reason: 'token' });
    expect(time.elapsed()).toBe(5_000);
  });

  it('is made anew on the next of the broker’s days, by the first read', async () => {
    const { time, asked, read, trading } = bench();
    await read();
    await time.advanceTo('2026-11-21T05:59:00+05:30');
    await read();
    expect(asked()).toHaveLength(1);
    await time.advanceTo('2026-11-21T06:00:00+05:30');
    // The one of yesterday lives on until there is another.
    expect(trading.blocked()).toBeNull();
    expect(asked()).toHaveLength(1);
    await read();
    expect(asked()).toHaveLength(2);
  });

  it('is made anew within a minute of the broker’s next day, where it is kept', async () => {
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

  it('that the broker did not give is asked for again: four times, then every hour', async () => {
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

  it('that came in the meantime is not called dead by what was sent under the last one', async () => {
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

describe('a request for a token', () => {
  it('leaves once a minute at most, also for a session that ends at once', async () => {
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

  it('is not repeated after a refusal, for as long as the process lives', async () => {
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

  it('leaves four times in fifteen minutes at most: five wrong codes lock the account', async () => {
    const { time, asked, failed } = bench({ generator: () => lost });
    for (let minute = 0; minute < 15; minute += 1) {
      await failed();
      await time.advance(MINUTE);
    }
    expect(asked()).toHaveLength(4);
  });

  it('waits for the next code when this one is about to end', async () => {
    const { time, trading, sandbox } = bench({ at: '2026-11-20T10:00:28+05:30' });
    await time.advance(1_999);
    expect(sandbox.requests()).toEqual([]);
    await time.advance(21);
    expect(sandbox.requests().map(({ status }) => status)).toEqual([200]);
    expect(trading.blocked()).toBeNull();
  });

  it.each([0, 280])(
    'shows nothing of what it is made with, behind %s characters',
    async (before) => {
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
    },
  );

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
