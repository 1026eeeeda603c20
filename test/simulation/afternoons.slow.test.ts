import { expect, it } from 'vitest';
import { violationsOf } from './violations.ts';

it('a hundred afternoons keep every promise', async () => {
  expect(await violationsOf('session', 100)).toEqual([]);
});
