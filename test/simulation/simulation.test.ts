import { describe } from 'vitest';
import { describeSeeds } from './keeps-promises.ts';

// One day for every commit; the slow suite plays more.
describe('a simulated day', () => {
  describeSeeds('keeps every promise', 'session', ['1']);
});
