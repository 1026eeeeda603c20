import { describe, expect, it } from 'vitest';
import { BrokerError } from '../../src/domain/outcome.ts';
import { NEXT_SIX, sessionBench, START } from './support.ts';

const away = () => Promise.reject(new BrokerError('alt', { kind: 'transport', message: 'reset' }));

describe('the state', () => {
  it('is absent before any login', () => {
    expect(sessionBench().session.current()).toEqual({ state: 'absent' });
  });

  it('expires at 06:00 IST, and a login makes it valid again', async () => {
    const { session, broker, time, logIn } = sessionBench();
    await logIn();
    await time.advanceTo(NEXT_SIX - 1);
    expect(session.current().state).toBe('valid');
    await time.advance(1);
    expect(session.current()).toEqual({
      state: 'expired',
      userId: 'AB1234',
      expiredAt: NEXT_SIX,
    });
    expect(session.accessToken()).toBeNull();
    broker.onExchange = async () => ({ accessToken: 'token-2', obtainedAt: time.now() });
    await logIn();
    expect(session.current()).toMatchObject({ state: 'valid', accessToken: 'token-2' });
  });

  it('is valid with a token that was set by hand; its user is not known yet', () => {
    const { session } = sessionBench({ environment: 'env' });
    expect(session.current()).toEqual({
      state: 'valid',
      accessToken: 'env',
      userId: null,
      obtainedAt: null,
      expiresAt: NEXT_SIX,
      source: 'environment',
      verifiedAt: null,
    });
  });

  it('throws where a caller requires a session and there is none', async () => {
    const { session, logIn } = sessionBench();
    expect(() => session.required()).toThrowError(
      expect.objectContaining({ fields: expect.objectContaining({ code: 'token_absent' }) }),
    );
    await logIn();
    expect(session.required().accessToken).toBe('token-1');
  });
});

describe('check', () => {
  it('calls no broker without a token', async () => {
    const { session, broker } = sessionBench();
    expect(await session.check()).toEqual({ state: 'absent' });
    expect(broker.asked).toEqual([]);
  });

  it('returns the user, and when the broker accepted the token', async () => {
    const { session, time } = sessionBench({ environment: 'env' });
    await time.advance(5_000);
    expect(await session.check()).toMatchObject({ userId: 'AB1234', verifiedAt: START + 5_000 });
  });

  it('calls the broker at most once a minute', async () => {
    const { session, broker, time } = sessionBench({ environment: 'env' });
    await session.check();
    await time.advance(59_999);
    await session.check();
    expect(broker.asked).toHaveLength(1);
    await time.advance(1);
    await session.check();
    expect(broker.asked).toHaveLength(2);
  });

  it('calls the broker once for callers of the same moment', async () => {
    const { session, broker } = sessionBench({ environment: 'env' });
    const states = await Promise.all([session.check(), session.check(), session.check()]);
    expect(broker.asked).toHaveLength(1);
    expect(states.map((state) => state.state)).toEqual(['valid', 'valid', 'valid']);
    expect(states[2]).toMatchObject({ verifiedAt: START });
  });

  it('does not call the broker for a minute after a login', async () => {
    const { session, broker, logIn } = sessionBench();
    await logIn();
    await session.check();
    expect(broker.asked).toEqual(['exchange request1']);
  });

  it('ends the session when the broker says that the token is dead', async () => {
    const { session, broker, changes } = sessionBench({ environment: 'env' });
    broker.onVerify = async () => null;
    expect(await session.check()).toEqual({ state: 'expired', userId: null, expiredAt: START });
    expect(changes).toMatchObject([{ kind: 'died', state: { state: 'expired' } }]);
  });

  it('changes nothing when the broker is away, and does not call it again at once', async () => {
    const { session, broker, time, changes } = sessionBench({ environment: 'env' });
    await session.check();
    const before = session.current();
    await time.advance(60_000);
    broker.onVerify = away;
    expect(await session.check()).toEqual(before);
    await session.check();
    expect(broker.asked).toHaveLength(2);
    expect(changes).toEqual([]);
  });

  it('does not use the token of a user other than the configured one', async () => {
    const { session, broker } = sessionBench({ environment: 'env', userId: 'AB1234' });
    broker.onVerify = async () => ({ userId: 'ZZ9999' });
    expect(await session.check()).toMatchObject({ state: 'expired' });
    expect(session.accessToken()).toBeNull();
  });

  it('does not apply its result to a login that happened meanwhile', async () => {
    const { session, broker, logIn } = sessionBench({ environment: 'env' });
    let answer = (_user: null): void => undefined;
    broker.onVerify = () => new Promise((resolve) => (answer = resolve));
    const checked = session.check();
    await logIn();
    answer(null);
    expect(await checked).toMatchObject({ state: 'valid', accessToken: 'token-1' });
  });
});

describe('a check that ends after a new login', () => {
  it('keeps what the login reported', async () => {
    const { session, broker, logIn, time } = sessionBench({ environment: 'env' });
    let answer = (_user: { userId: string }): void => undefined;
    broker.onVerify = () => new Promise((resolve) => (answer = resolve));
    const checked = session.check();
    await logIn();
    await time.advance(5_000);
    answer({ userId: 'AB1234' });
    expect(await checked).toMatchObject({ accessToken: 'token-1', verifiedAt: START });
  });
});

describe('a token that dies', () => {
  it('is not used again, at any level or after a restart', async () => {
    const { session, logIn, restarted, changes } = sessionBench({ configuration: 'token-1' });
    await logIn();
    session.tokenDied('token-1');
    expect(session.current()).toEqual({ state: 'expired', userId: 'AB1234', expiredAt: START });
    expect(restarted().accessToken()).toBeNull();
    expect(changes.map((change) => change.kind)).toEqual(['logged_in', 'died']);
  });

  it('is reported once', async () => {
    const { session, logIn, changes } = sessionBench();
    await logIn();
    session.tokenDied('token-1');
    session.tokenDied('token-1');
    expect(changes.map((change) => change.kind)).toEqual(['logged_in', 'died']);
  });

  it('changes nothing when it is not the current one', async () => {
    const { session, logIn, changes } = sessionBench();
    await logIn();
    const before = session.current();
    session.tokenDied('token-0');
    expect(session.current()).toEqual(before);
    expect(changes).toHaveLength(1);
  });

  it('is replaced by another token of a lower level', async () => {
    const { session, logIn } = sessionBench({ configuration: 'conf' });
    await logIn();
    session.tokenDied('token-1');
    expect(session.current()).toMatchObject({ state: 'valid', source: 'configuration' });
  });
});

describe('end', () => {
  it('ends the session at the broker and forgets the token', async () => {
    const { session, broker, logIn, restarted, changes } = sessionBench();
    await logIn();
    expect(await session.end()).toEqual({ persisted: true, endedAtBroker: true });
    expect(broker.asked.at(-1)).toBe('end token-1');
    expect(session.current()).toEqual({ state: 'absent' });
    expect(restarted().current()).toEqual({ state: 'absent' });
    expect(changes.at(-1)).toEqual({
      kind: 'ended',
      persisted: true,
      state: { state: 'absent' },
    });
  });

  it('forgets the token when the broker is away', async () => {
    const { session, broker, logIn } = sessionBench();
    await logIn();
    broker.onEnd = away;
    expect(await session.end()).toEqual({ persisted: true, endedAtBroker: false });
    expect(session.accessToken()).toBeNull();
  });

  it('removes the file when a full disk takes no new one, and says which token may return', async () => {
    const { session, files, logIn, restarted } = sessionBench();
    await logIn();
    files.full = true;
    expect(await session.end()).toEqual({ persisted: false, endedAtBroker: true });
    expect(session.current()).toEqual({ state: 'absent' });
    expect(restarted().current()).toEqual({ state: 'absent' });
  });

  it('does not call the broker without a token', async () => {
    const { session, broker } = sessionBench();
    await session.end();
    expect(broker.asked).toEqual([]);
  });

  it('keeps a login that happened meanwhile', async () => {
    const { session, broker, logIn } = sessionBench();
    await logIn();
    let finish = (): void => undefined;
    broker.onEnd = () => new Promise((resolve) => (finish = resolve));
    const ended = session.end();
    broker.onExchange = async () => ({ accessToken: 'token-2' });
    await logIn();
    finish();
    await ended;
    expect(session.accessToken()).toBe('token-2');
  });
});

describe('listeners', () => {
  it('are not called after they have unsubscribed', async () => {
    const { session, logIn } = sessionBench();
    let heard = 0;
    const leave = session.onChange(() => (heard += 1));
    leave();
    await logIn();
    expect(heard).toBe(0);
  });

  it('that throw do not stop the others', async () => {
    const { session, logIn } = sessionBench();
    let heard = 0;
    session.onChange(() => {
      throw new Error('a bug');
    });
    session.onChange(() => (heard += 1));
    await expect(logIn()).resolves.toMatchObject({ state: 'valid' });
    expect(heard).toBe(1);
  });
});
