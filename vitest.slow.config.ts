import { defineConfig } from 'vitest/config';

/** What takes longer: real kills, fuzzing, more seeds. CI runs it after the fast suite. */
export default defineConfig({
  test: {
    include: ['test/**/*.slow.test.ts'],
    testTimeout: 600_000,
    hookTimeout: 60_000,
  },
});
