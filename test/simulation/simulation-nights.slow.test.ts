import { describe } from 'vitest';
import { describeSeeds } from './keeps-promises.ts';

describe('a simulated day', () => {
  describeSeeds('keeps every promise through a night', 'night', ['1', '2']);
});
