import { expect, it } from 'vitest';
import { violationsOf } from './violations.ts';

it('twenty-eight nights keep every promise', async () => {
  expect(await violationsOf('night', 28)).toEqual([]);
});
