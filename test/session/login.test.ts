import { describe, expect, it } from 'vitest';
import { BrokerError, type BrokerFailure } from '../../src/domain/outcome.ts';
import { GatewayProblem } from '../../src/domain/problem.ts';
import { NEXT_SIX, sessionBench, START } from './support.ts';

async function problemOf(login: Promise<unknown>): Promise<GatewayProblem> {
  const settled = await login.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ('value' in settled) throw new Error('the login went through');
  if (!(settled.error instanceof GatewayProblem)) throw settled.error;
  return settled.error;
}

const refused = (refusal: string) => ({ code: 'login_refused', extra: { refusal } });

describe('begin', () => {
  it('sends the browser to the broker with a state of 128 bits', () => {
    const { session } = sessionBench();
    const { url, state } = session.begin();
    expect(state).toMatch(/^[0-9a-f]{32}$/);
    expect(url).toBe(`https://login.test/?state=${state}`);
  });

  it('gives every login a state of its own', () => {
    const { session } = sessionBench();
    expect(session.begin().state).not.toBe(session.begin().state);
  });
});

describe('complete', () => {
  it('stores the token until 06:00, and returns what it stored', async () => {
    const { session, logIn, changes } = sessionBench();
    const valid = {
      state: 'valid',
      accessToken: 'token-1',
      userId: 'AB1234',
      obtainedAt: START,
      expiresAt: NEXT_SIX,
      source: 'memory',
      verifiedAt: START,
    };
    expect(await logIn()).toEqual(valid);
    expect(session.current()).toEqual(valid);
    expect(session.accessToken()).toBe('token-1');
    expect(changes).toEqual([{ kind: 'logged_in', persisted: true, state: valid }]);
  });

  it('survives a restart', async () => {
    const { logIn, restarted } = sessionBench();
    await logIn();
    expect(restarted().current()).toMatchObject({ state: 'valid', source: 'file' });
  });

  it('keeps the login when the disk is full, and says that a restart loses it', async () => {
    const { session, files, logIn, changes } = sessionBench();
    files.full = true;
    await logIn();
    expect(session.accessToken()).toBe('token-1');
    expect(changes).toMatchObject([{ kind: 'logged_in', persisted: false }]);
  });

  it('replaces the earlier login', async () => {
    const { session, broker, logIn } = sessionBench();
    await logIn();
    broker.onExchange = async () => ({ accessToken: 'token-2' });
    await logIn();
    expect(session.accessToken()).toBe('token-2');
  });

  it.each([null, '', 'failure', 'SUCCESS'])('refuses the status %j', async (status) => {
    const { session, broker, callback } = sessionBench();
    const problem = await problemOf(session.complete(callback({ status })));
    expect(problem.fields).toMatchObject(refused('status'));
    expect(broker.asked).toEqual([]);
  });

  it.each([null, '', 'a b', '../x', 'a'.repeat(129), 'ü'])(
    'refuses the request token %j',
    async (requestToken) => {
      const { session, broker, callback } = sessionBench();
      const problem = await problemOf(session.complete(callback({ requestToken })));
      expect(problem.fields).toMatchObject(refused('request_token'));
      expect(broker.asked).toEqual([]);
    },
  );

  it.each([
    ['no state', { state: null }],
    ['no cookie', { cookieState: null }],
    ['neither', { state: null, cookieState: null }],
    ['empty ones', { state: '', cookieState: '' }],
    ['another cookie', { cookieState: '0'.repeat(32) }],
    ['a pair that was never issued', { state: '0'.repeat(32), cookieState: '0'.repeat(32) }],
  ])('refuses a callback with %s', async (_what, changes) => {
    const { session, broker, callback } = sessionBench();
    const problem = await problemOf(session.complete(callback(changes)));
    expect(problem.fields).toMatchObject(refused('state'));
    expect(broker.asked).toEqual([]);
  });

  it('accepts a state once, also from two callbacks at the same moment', async () => {
    const { session, broker, callback } = sessionBench();
    const once = callback();
    const [first, second] = await Promise.allSettled([
      session.complete(once),
      session.complete(once),
    ]);
    expect([first.status, second.status]).toEqual(['fulfilled', 'rejected']);
    expect(broker.asked).toEqual(['exchange request1']);
  });

  it('accepts a state once, even when the exchange fails', async () => {
    const { session, broker, callback } = sessionBench();
    broker.onExchange = () =>
      Promise.reject(new BrokerError('alt', { kind: 'transport', message: 'reset' }));
    const once = callback();
    await problemOf(session.complete(once));
    expect((await problemOf(session.complete(once))).fields).toMatchObject(refused('state'));
  });

  it('accepts a state for ten minutes', async () => {
    const { session, callback, time } = sessionBench();
    const early = callback();
    const late = callback();
    await time.advance(599_999);
    await expect(session.complete(early)).resolves.toMatchObject({ state: 'valid' });
    await time.advance(1);
    expect((await problemOf(session.complete(late))).fields).toMatchObject(refused('state'));
  });

  it('keeps a hundred logins pending, and drops the oldest', async () => {
    const { session, callback } = sessionBench();
    const first = callback();
    const second = callback();
    for (let count = 0; count < 99; count += 1) session.begin();
    expect((await problemOf(session.complete(first))).fields).toMatchObject(refused('state'));
    await expect(session.complete(second)).resolves.toMatchObject({ state: 'valid' });
  });
});

describe('a login under a wrong clock', () => {
  it('succeeds, and the log has a warning', async () => {
    const { broker, logIn, warnings } = sessionBench();
    broker.onExchange = async () => ({ clockAheadMs: 600_000 });
    await expect(logIn()).resolves.toMatchObject({ state: 'valid' });
    expect(warnings).toEqual([expect.stringMatching(/clock is 10 minutes ahead of the broker's/)]);
  });

  it('logs no warning when the clock is right', async () => {
    const { logIn, warnings } = sessionBench();
    await logIn();
    expect(warnings).toEqual([]);
  });
});

describe('a user other than the one with open orders', () => {
  it('is refused, since nobody could cancel these orders after the login', async () => {
    const { session, broker, logIn, files } = sessionBench({ accountsInUse: ['ZZ9999'] });
    const problem = await problemOf(logIn());
    expect(problem.fields).toMatchObject(refused('account'));
    expect(problem.fields.detail).toMatch(/Log in as ZZ9999.*APP_ALT_BROKER_USER_ID/);
    expect(broker.asked).toEqual(['exchange request1', 'end token-1']);
    expect(session.current()).toEqual({ state: 'absent' });
    expect(files.contents.size).toBe(0);
  });

  it('may log in when the settings name that user', async () => {
    const { logIn } = sessionBench({ userId: 'AB1234', accountsInUse: ['ZZ9999'] });
    await expect(logIn()).resolves.toMatchObject({ userId: 'AB1234' });
  });

  it.each([[['ab1234']], [['ZZ9999', 'AB1234']], [[]]])(
    'is any user who is not among the owners of open orders: %j',
    async (accountsInUse) => {
      const { logIn } = sessionBench({ accountsInUse });
      await expect(logIn()).resolves.toMatchObject({ userId: 'AB1234' });
    },
  );
});

describe('the configured user', () => {
  it('may log in', async () => {
    const { logIn } = sessionBench({ userId: ' ab1234 ' });
    await expect(logIn()).resolves.toMatchObject({ userId: 'AB1234' });
  });

  it('is the only user who may: another one is logged out, and nothing is stored', async () => {
    const { session, broker, logIn, files, changes } = sessionBench({ userId: 'ZZ9999' });
    const problem = await problemOf(logIn());
    expect(problem.fields).toMatchObject(refused('user'));
    expect(broker.asked).toEqual(['exchange request1', 'end token-1']);
    expect(session.current()).toEqual({ state: 'absent' });
    expect(files.contents.size).toBe(0);
    expect(changes).toEqual([]);
  });

  it('keeps the present session when another user logs in', async () => {
    const { session, broker, logIn } = sessionBench({ userId: 'AB1234' });
    await logIn();
    broker.onExchange = async () => ({ accessToken: 'token-2', userId: 'ZZ9999' });
    await problemOf(logIn());
    expect(session.accessToken()).toBe('token-1');
  });

  it('is enforced when the other user cannot be logged out', async () => {
    const { session, broker, logIn } = sessionBench({ userId: 'ZZ9999' });
    broker.onEnd = () =>
      Promise.reject(new BrokerError('alt', { kind: 'transport', message: 'reset' }));
    expect((await problemOf(logIn())).code).toBe('login_refused');
    expect(session.accessToken()).toBeNull();
  });
});

describe('an exchange that fails', () => {
  const http = (status: number, message: string) => ({
    kind: 'http' as const,
    status,
    code: 'TokenException',
    message,
    retryAfterMs: null,
  });

  it.each<[BrokerFailure, RegExp]>([
    [http(403, 'Invalid `checksum`.'), /APP_ALT_BROKER_API_SECRET/],
    [http(403, 'Invalid `api_key`.'), /APP_ALT_BROKER_API_KEY/],
    [http(403, 'Token is invalid or has expired.'), /was used elsewhere, or is too old/],
    [http(429, 'Too many'), /Wait a little/],
    [http(502, 'Bad gateway'), /HTTP 502/],
    [http(400, 'Your account is dormant'), /refused the login: Your account is dormant/],
    [{ kind: 'not_sent', reason: 'connect', message: 'refused' }, /could not be reached/],
    [
      { kind: 'not_sent', reason: 'connect', message: 'certificate is not yet valid' },
      /clock is right/,
    ],
    [{ kind: 'not_sent', reason: 'no_permit', message: 'too many' }, /was not sent/],
    [{ kind: 'transport', message: 'no whole reply' }, /did not answer/],
    [{ kind: 'bad_payload', message: 'not JSON' }, /could not be read/],
    [{ kind: 'error_body', code: null, message: 'no' }, /refused the login: no/],
  ])('is explained: %j', async (failure, words) => {
    const { session, broker, logIn } = sessionBench();
    broker.onExchange = () => Promise.reject(new BrokerError('alt', failure));
    const problem = await problemOf(logIn());
    expect(problem.code).toBe('login_failed');
    expect(problem.fields.detail).toMatch(words);
    expect(session.current()).toEqual({ state: 'absent' });
  });

  it('says that a repeated request token was used already', async () => {
    const { session, broker, logIn } = sessionBench();
    await logIn();
    const failure = http(403, 'Token is invalid or has expired.');
    broker.onExchange = () => Promise.reject(new BrokerError('alt', failure));
    const { detail } = (await problemOf(logIn())).fields;
    expect(detail).toMatch(/works once, and was already used/);
    expect(detail).not.toMatch(/too old/);
    expect(session.accessToken()).toBe('token-1');
  });

  it('reports a wrong clock beside the reason', async () => {
    const { broker, logIn } = sessionBench();
    const failure = http(403, 'Token is invalid or has expired.');
    broker.onExchange = () =>
      Promise.reject(new BrokerError('alt', { ...failure, clockAheadMs: -19_800_000 }));
    expect((await problemOf(logIn())).fields.detail).toMatch(
      /too old\..*clock is 5 h 30 min behind the broker's: set it right/,
    );
  });

  it('is a problem also when the error is the gateway’s own', async () => {
    const { broker, logIn } = sessionBench();
    broker.onExchange = () => Promise.reject(new TypeError('planted-secret'));
    const problem = await problemOf(logIn());
    expect(problem.code).toBe('login_failed');
    expect(problem.fields.detail).not.toContain('planted-secret');
  });
});
