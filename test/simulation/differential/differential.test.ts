import { describe, expect, it } from 'vitest';
import { differencesOf, firstDifference } from './compare.ts';
import { digestsOf, playForLog } from './play.ts';
import { readRecorded } from './recorded.ts';

const { header, seeds } = readRecorded();
const recorded = (kind: string, from: number, count: number) =>
  seeds
    .filter((each) => each.kind === kind && each.seed >= from)
    .slice(0, count)
    .map((each) => ({ ...each, name: `${kind} ${each.seed}` }));

describe('the gateway, compared with the recorded version', () => {
  it.each([...recorded('session', 1, 4), ...recorded('night', 1, 1)])(
    'sends the same requests and ends with the same orders: $name',
    { timeout: 120_000 },
    async (each) => {
      expect(
        await differencesOf(each),
        'see docs/simulation.md, "Compared with an earlier version"',
      ).toEqual([]);
    },
  );
});

describe('the recording', () => {
  it('names its commit and has a thousand seeds', () => {
    expect(header).toMatch(/^Digests as of commit [0-9a-f]{7}\./);
    expect(new Set(seeds.map(({ kind, seed }) => `${kind} ${seed}`)).size).toBe(1_000);
    expect(new Set(seeds.map(({ requests }) => requests)).size).toBe(1_000);
    expect(new Set(seeds.map(({ orders }) => orders)).size).toBe(1_000);
  });
});

describe('the log of a day', () => {
  it('holds requests, orders and fills, and no random id', async () => {
    const { requests, orders } = await playForLog('session', '1');
    expect(requests.filter((line) => line.includes('tag=TAG-')).length).toBeGreaterThan(10);
    expect(orders.filter((line) => line.includes('"fills":["')).length).toBeGreaterThan(5);
    expect(orders.join('\n')).not.toContain('ord_');
  });

  it('shows the first line that differs', () => {
    expect(firstDifference(['a', 'b', 'c'], ['a', 'x', 'c'])).toBe('line 2:\n  a\n- b\n+ x');
    expect(firstDifference(['a'], ['a', 'b'])).toBe('line 2:\n  a\n- (the log ends here)\n+ b');
    expect(firstDifference(['a'], ['a'])).toBeNull();
  });

  it('gives another digest when one character changes', () => {
    const log = { requests: ['GET http://kite.test/orders'], orders: ['filled 10'] };
    const other = { requests: ['GET http://kite.test/orders?'], orders: ['filled 10'] };
    expect(digestsOf(other).requests).not.toBe(digestsOf(log).requests);
    expect(digestsOf(other).orders).toBe(digestsOf(log).orders);
  });
});
