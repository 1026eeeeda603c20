import { describe, expect, it } from 'vitest';
import { differencesOf } from './compare.ts';
import { readRecorded } from './recorded.ts';

const { seeds } = readRecorded();
const some = [
  ...seeds.filter(({ kind }) => kind === 'session').slice(100, 140),
  ...seeds.filter(({ kind }) => kind === 'night').slice(100, 110),
];

describe('the gateway, compared with the recorded version', () => {
  it('sends the same requests and ends with the same orders: fifty seeds', async () => {
    const differing: string[] = [];
    for (const each of some) {
      const parts = await differencesOf(each);
      if (parts.length > 0) differing.push(`${each.kind} ${each.seed}: ${parts.join(' and ')}`);
    }
    expect(some).toHaveLength(50);
    expect(differing).toEqual([]);
  });
});
