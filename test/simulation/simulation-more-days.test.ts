import { describe } from 'vitest';
import { describeSeeds } from './keeps-promises.ts';

describe('a simulated day', () => {
  describeSeeds('keeps every promise', 'session', ['5', '6', '7', '11']);
});
