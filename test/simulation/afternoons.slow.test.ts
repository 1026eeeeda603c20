import { expect, it } from 'vitest';
import { violationsOf } from './violations.ts';

it('seventy afternoons keep every promise', async () => {
  expect(await violationsOf('session', 70)).toEqual([]);
});
