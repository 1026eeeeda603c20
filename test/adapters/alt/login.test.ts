import { describe, expect, it } from 'vitest';
import { BrokerError } from '../../../src/domain/outcome.ts';
import { sha256 } from '../../../src/platform/secret.ts';
import type { HttpReply } from '../../../src/platform/http.ts';
import { altBench, altBenchWith, failureOf, SETTINGS } from './support/alt-broker.ts';
import { html, refusal, reset, success } from './support/scripted-transport.ts';

const dead = refusal(403, 'TokenException', 'Token is invalid or has expired.');

describe('the login page', () => {
  it('gets the state that it must return', () => {
    const url = new URL(altBench().broker.login.loginUrl('abc123'));
    expect(url.origin + url.pathname).toBe('https://login.test/connect/login');
    expect(url.searchParams.get('api_key')).toBe('key123');
    expect(url.searchParams.get('v')).toBe('3');
    expect(url.searchParams.get('redirect_params')).toBe('state=abc123');
    expect(url.href).toContain('redirect_params=state%3Dabc123');
  });
});

describe('exchange', () => {
  const granted = success({
    user_id: 'AB1234',
    access_token: 'accessABC',
    login_time: '2026-11-20 09:59:59',
  });

  it('returns the token, and the time of our own clock', async () => {
    const { broker, time } = altBench(granted);
    expect(await broker.login.exchange('request1')).toEqual({
      accessToken: 'accessABC',
      userId: 'AB1234',
      obtainedAt: time.now(),
    });
  });

  it('sends the checksum and never the secret, on a new connection, without authorization', async () => {
    const { broker, transport } = altBench(granted);
    await broker.login.exchange('request1');
    expect(transport.last).toMatchObject({
      method: 'POST',
      url: 'https://kite.test/session/token',
      fresh: true,
    });
    expect(Object.fromEntries(new URLSearchParams(transport.last.body))).toEqual({
      api_key: 'key123',
      request_token: 'request1',
      checksum: sha256(`key123request1${SETTINGS.apiSecret}`),
    });
    expect(transport.last.headers).not.toHaveProperty('Authorization');
  });

  /** What an exchange gives or fails with, when the answer carries this Date. */
  async function exchanged(reply: HttpReply, date: string): Promise<object> {
    if (reply.kind !== 'answered') throw new Error('not an answer');
    const { broker } = altBench({ ...reply, headers: { ...reply.headers, date } });
    return broker.login.exchange('request1').catch((error: unknown) => {
      if (error instanceof BrokerError) return error.failure;
      throw error;
    });
  }

  it.each([
    ['goes through', granted],
    ['fails', dead],
  ])(
    'tells when our clock is minutes from the answer’s, also where it %s',
    async (_what, reply) => {
      const now = altBench().time.now();
      const told = (aheadMs: number) => exchanged(reply, new Date(now - aheadMs).toUTCString());
      expect(await told(3_600_000)).toMatchObject({ clockAheadMs: 3_600_000 });
      expect(await told(-3_600_000)).toMatchObject({ clockAheadMs: -3_600_000 });
      expect(await told(60_000)).not.toHaveProperty('clockAheadMs');
      expect(await exchanged(reply, 'nonsense')).not.toHaveProperty('clockAheadMs');
    },
  );

  it('does not call the token in use dead when a request token is', async () => {
    const bench = altBench(dead);
    expect(await failureOf(bench.broker.login.exchange('request1'))).toMatchObject({ status: 403 });
    expect(bench.dead).toEqual([]);
  });

  it.each(['a b', 'line\nfeed', '', 'with:colon', 'ü'])(
    'refuses a token that cannot stand in a header: %j',
    async (access_token) => {
      const { broker } = altBench(success({ user_id: 'AB1234', access_token }));
      expect((await failureOf(broker.login.exchange('r'))).kind).toBe('bad_payload');
    },
  );
});

describe('verify', () => {
  it('names the user of a token that the broker accepts', async () => {
    const { broker, transport } = altBench(success({ user_id: 'AB1234' }));
    expect(await broker.login.verify('token-9')).toEqual({ userId: 'AB1234' });
    expect(transport.last.headers['Authorization']).toBe('token key123:token-9');
  });

  it('reports the token that it tried', async () => {
    const bench = altBench(dead);
    expect(await bench.broker.login.verify('token-9')).toBeNull();
    expect(bench.dead).toEqual(['token-9']);
  });
});

describe('end', () => {
  it('ends the session at the broker', async () => {
    const { broker, transport } = altBench(success(true));
    await broker.login.end('token-9');
    const url = new URL(transport.last.url);
    expect(transport.last.method).toBe('DELETE');
    expect(url.pathname).toBe('/session/token');
    expect(url.searchParams.get('access_token')).toBe('token-9');
  });

  it('succeeds for a session that has already ended', async () => {
    await expect(altBench(dead).broker.login.end('token-9')).resolves.toBeUndefined();
  });

  it.each([
    ['resets', reset()],
    ['fails', html(500)],
  ])('fails when the broker %s', async (_what, reply) => {
    await failureOf(altBench(reply).broker.login.end('token-9'));
  });
});

describe('a listener that throws', () => {
  it('does not change the outcome of the call', async () => {
    const { broker } = altBenchWith(
      {
        onDeadToken() {
          throw new Error('a bug');
        },
      },
      dead,
    );
    expect(await broker.login.verify('token-9')).toBeNull();
  });
});
