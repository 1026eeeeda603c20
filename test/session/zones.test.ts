import { afterEach, describe, expect, it } from 'vitest';
import { sessionBench } from './support.ts';

const before = process.env['TZ'];
afterEach(() => {
  if (before === undefined) delete process.env['TZ'];
  else process.env['TZ'] = before;
});

/** 06:00 IST on the next day, whatever the host's time zone. */
const SIX = Date.parse('2026-11-21T00:30:00Z');
const DAY_MS = 86_400_000;

describe.each([
  ['UTC', 0],
  ['Asia/Kolkata', -330],
  ['America/New_York', 300],
])('on a host in %s', (zone, offset) => {
  it('a session is absent, then valid until 06:00 IST, then expired', async () => {
    process.env['TZ'] = zone;
    expect(new Date(SIX).getTimezoneOffset()).toBe(offset);
    const { session, time, broker, logIn } = sessionBench();
    expect(session.current()).toEqual({ state: 'absent' });
    await logIn();
    await time.advanceTo(SIX - 1);
    expect(session.current()).toMatchObject({ state: 'valid', expiresAt: SIX });
    await time.advance(1);
    expect(session.current()).toEqual({ state: 'expired', userId: 'AB1234', expiredAt: SIX });

    // At exactly 06:00 the new day has begun: this session lasts until the next 06:00.
    broker.onExchange = async () => ({ accessToken: 'token-2', obtainedAt: time.now() });
    await logIn();
    expect(session.current()).toMatchObject({ state: 'valid', expiresAt: SIX + DAY_MS });
  });

  it('a token set by hand and one issued a minute before six expire at the same moment', async () => {
    process.env['TZ'] = zone;
    const { session, time, broker, logIn } = sessionBench({ environment: 'env' });
    expect(session.current()).toMatchObject({ source: 'environment', expiresAt: SIX });
    await time.advanceTo(SIX - 60_000);
    broker.onExchange = async () => ({ obtainedAt: time.now() });
    await logIn();
    expect(session.current()).toMatchObject({ source: 'memory', expiresAt: SIX });
    await time.advance(60_000);
    expect(session.current().state).toBe('expired');
  });

  it('a token of yesterday is expired when the gateway starts in the morning', async () => {
    process.env['TZ'] = zone;
    const { time, logIn, restarted } = sessionBench();
    await logIn();
    await time.advanceTo('2026-11-21T08:30:00+05:30');
    expect(restarted().current()).toEqual({ state: 'expired', userId: 'AB1234', expiredAt: SIX });
  });
});
