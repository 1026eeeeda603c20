import { describe, expect, it } from 'vitest';
import { differencesOf } from './compare.ts';
import { playForLog } from './play.ts';
import { readRecorded } from './recorded.ts';

const { seeds } = readRecorded();
const some = [
  ...seeds.filter(({ kind }) => kind === 'session').slice(0, 4),
  ...seeds.filter(({ kind }) => kind === 'night').slice(0, 1),
  ...seeds.filter(({ kind }) => kind === 'session').slice(100, 140),
  ...seeds.filter(({ kind }) => kind === 'night').slice(100, 110),
];

describe('the gateway, compared with the recorded version', () => {
  it('sends the same requests and ends with the same orders: 55 seeds', async () => {
    const differing: string[] = [];
    for (const each of some) {
      const parts = await differencesOf(each);
      if (parts.length > 0) differing.push(`${each.kind} ${each.seed}: ${parts.join(' and ')}`);
    }
    expect(some).toHaveLength(55);
    expect(differing).toEqual([]);
  });
});

describe('the log of a day', () => {
  it('holds requests, orders and fills, and no random id', async () => {
    const { requests, orders } = await playForLog('session', '1');
    expect(requests.filter((line) => line.includes('tag=TAG-')).length).toBeGreaterThan(10);
    expect(orders.filter((line) => line.includes('"fills":["')).length).toBeGreaterThan(5);
    expect(orders.join('\n')).not.toContain('ord_');
  });
});
