import { defineConfig } from 'vitest/config';

/** What takes longer: real kills, fuzzing, more seeds. CI runs it after the fast suite. */
export default defineConfig({
  test: {
    include: ['test/**/*.slow.test.ts'],
    // Each file is one thread's work for minutes: both cores of a small machine take part.
    maxWorkers: 2,
    testTimeout: 900_000,
    hookTimeout: 60_000,
  },
});
