import { expect, it } from 'vitest';
import { violationsOf } from './violations.ts';

it('two hundred afternoons keep every promise', async () => {
  expect(await violationsOf('session', 200)).toEqual([]);
});
