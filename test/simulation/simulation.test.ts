import { describe } from 'vitest';
import { describeSeeds } from './keeps-promises.ts';

// The simulation is split into files of a few seconds, so that the workers share it.
describe('a simulated day', () => {
  describeSeeds('keeps every promise', 'session', ['1', '2', '3', '4']);
});
