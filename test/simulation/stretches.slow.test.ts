import { expect, it } from 'vitest';
import { violationsOf } from './violations.ts';

it('twelve stretches of three days keep every promise', async () => {
  expect(await violationsOf('stretch', 12)).toEqual([]);
});
