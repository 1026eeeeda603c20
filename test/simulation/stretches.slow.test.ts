import { expect, it } from 'vitest';
import { violationsOf } from './violations.ts';

it('twenty stretches of three days keep every promise', async () => {
  expect(await violationsOf('stretch', 20)).toEqual([]);
});
