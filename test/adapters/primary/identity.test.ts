import { describe, expect, it } from 'vitest';
import { createIdentity } from '../../../src/adapters/primary/identity.ts';
import { silentLog } from '../../../src/platform/log.ts';
import { VirtualTime } from '../../support/virtual-time.ts';

function identityBench() {
  const clock = new VirtualTime(Date.parse('2026-11-06T11:00:00+05:30'));
  const bench = {
    token: 'first' as string | null,
    asked: 0,
    answer: { user_id: '1234567' } as unknown,
  };
  const client = {
    async profile() {
      bench.asked += 1;
      if (bench.answer instanceof Error) throw bench.answer;
      return bench.answer as Record<string, unknown>;
    },
  };
  const account = createIdentity({
    client,
    clock,
    log: silentLog,
    accessToken: () => bench.token,
  });
  return { ...bench, bench, clock, account };
}

describe('the account of the primary brokerage', () => {
  it('is the user of the profile, which is asked for once for each token', async () => {
    const { bench, account } = identityBench();
    expect(await Promise.all([account(), account()])).toEqual(['1234567', '1234567']);
    expect(await account()).toBe('1234567');
    expect(bench.asked).toBe(1);
    [bench.token, bench.answer] = ['second', { user_id: '7654321' }];
    expect(await account()).toBe('7654321');
    expect(bench.asked).toBe(2);
  });

  it('is not named by another field, which a profile may have at another time', async () => {
    const { bench, account } = identityBench();
    bench.answer = { client_id: 'C77', ucc: 'C77' };
    expect(await account()).toBeNull();
  });

  it('is not known without a token, and nothing is asked', async () => {
    const { bench, account } = identityBench();
    bench.token = null;
    expect(await account()).toBeNull();
    expect(bench.asked).toBe(0);
  });

  it('is not known where the profile cannot be read, which is tried again after a minute', async () => {
    const { bench, account, clock } = identityBench();
    bench.answer = new Error('away');
    expect(await account()).toBeNull();
    bench.answer = { user_id: '1234567' };
    expect(await account()).toBeNull();
    await clock.advance(60_000);
    expect(await account()).toBe('1234567');
    expect(bench.asked).toBe(2);
  });

  it('is not that of a token which was replaced while the broker was being asked', async () => {
    const { bench, account } = identityBench();
    const answer = account();
    bench.token = 'second';
    expect(await answer).toBeNull();
  });
});
