import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * What takes minutes, the longest first. Begun last, it would keep one worker busy for minutes after the other has ended:
 * on a clean machine vitest goes by the size of the files, and these are small.
 */
const LONGEST = [
  'simulation/planted',
  'simulation/afternoons',
  'simulation/nights',
  'simulation/stretches',
  'simulation/real-days',
  'simulation/differential',
  'simulation/many-trades',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const found = LONGEST.findIndex((name) => moduleId.includes(name));
      return found === -1 ? LONGEST.length : found;
    };
    const others = await super.sort(files);
    return others.sort((left, right) => place(left) - place(right));
  }
}

/** What takes longer: real kills, fuzzing, more seeds. CI runs it after the fast suite. */
export default defineConfig({
  test: {
    include: ['test/**/*.slow.test.ts'],
    // Each file is one thread's work for minutes: both cores of a small machine take part.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    testTimeout: 900_000,
    hookTimeout: 60_000,
  },
});
