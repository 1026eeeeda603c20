import { expect, it } from 'vitest';
import { violationsOf } from './violations.ts';

it('twenty nights keep every promise', async () => {
  expect(await violationsOf('night', 20)).toEqual([]);
});
