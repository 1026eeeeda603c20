import { describe, expect, it } from 'vitest';
import { hashOfExit, mustRepeatExit } from '../../../src/execution/exits/exit-identity.ts';
import type { ExitCommand } from '../../../src/execution/exits/exit-parts.ts';
import type { ExitRecord } from '../../../src/execution/exits/exit.ts';
import { sha256 } from '../../../src/platform/secret.ts';
import { exitBench } from './support/exit-bench.ts';

const ASKED: Omit<ExitCommand, 'trading'> = {
  ...{ caller: 'someone', idempotencyKey: 'out', instrument: 'NSE:INFY', product: 'CNC' },
  ...{ quantity: null, orderId: null },
};

const knownBy = (requestHash: string): ExitRecord =>
  ({ idempotencyKey: 'out', requestHash, broker: 'alt' }) as ExitRecord;

const problemOf = (known: ExitRecord, asked: Omit<ExitCommand, 'trading'>): string | null => {
  try {
    mustRepeatExit(known, asked);
    return null;
  } catch (error) {
    return (error as { fields: { code: string } }).fields.code;
  }
};

describe('a key that has begun an exit', () => {
  it('repeats it only with the broker that was named, or with none where none was', () => {
    const brokers = [null, 'alt', 'primary'];
    const answers = brokers.flatMap((first) =>
      brokers.map((second) => {
        const known = knownBy(hashOfExit({ ...ASKED, askedBroker: first }));
        return problemOf(known, { ...ASKED, askedBroker: second }) === null;
      }),
    );
    expect(answers).toEqual([true, false, false, false, true, false, false, false, true]);
  });

  it('of an older version, which did not keep the named broker, repeats it at that broker, and without a name', () => {
    const old = knownBy(sha256(JSON.stringify(['NSE:INFY', 'CNC', null, null])));
    expect(problemOf(old, ASKED)).toBeNull();
    expect(problemOf(old, { ...ASKED, askedBroker: 'alt' })).toBeNull();
    expect(problemOf(old, { ...ASKED, askedBroker: 'primary' })).toBe('idempotency_conflict');
    expect(problemOf(old, { ...ASKED, quantity: 5 })).toBe('idempotency_conflict');
  });

  it('is compared also where the first request is still under way', async () => {
    const { exits, commandOf, time } = await exitBench();
    const command = commandOf();
    const both = [exits.begin(command), exits.begin({ ...command, quantity: 5 })];
    const [first, second] = await time.settle(Promise.allSettled(both));
    expect(first).toMatchObject({ status: 'fulfilled', value: { repeated: false } });
    expect(second).toMatchObject({ reason: { fields: { code: 'idempotency_conflict' } } });
  });
});
