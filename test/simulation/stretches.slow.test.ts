import { expect, it } from 'vitest';
import { violationsOf } from './violations.ts';

it('sixteen stretches of three days keep every promise', async () => {
  expect(await violationsOf('stretch', 16)).toEqual([]);
});
