import { expect, it } from 'vitest';
import { violationsOf } from './violations.ts';

it('forty nights keep every promise', async () => {
  expect(await violationsOf('night', 40)).toEqual([]);
});
