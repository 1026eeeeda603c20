import { expect, it } from 'vitest';
import { violationsOf } from './violations.ts';

it('sixty afternoons keep every promise', async () => {
  expect(await violationsOf('session', 60)).toEqual([]);
});
