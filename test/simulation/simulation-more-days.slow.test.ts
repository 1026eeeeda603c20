import { describe } from 'vitest';
import { describeReplay, describeSeeds } from './keeps-promises.ts';

describe('a simulated day', () => {
  describeSeeds('keeps every promise', 'session', ['2', '3', '4', '5', '6', '7', '11']);
  describeReplay('11', '5');
});
