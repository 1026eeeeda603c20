import { expect, it } from 'vitest';
import { violationsOf } from './violations.ts';

it('a hundred and forty afternoons keep every promise', async () => {
  expect(await violationsOf('session', 140)).toEqual([]);
});
