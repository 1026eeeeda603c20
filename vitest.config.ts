import { defineConfig } from 'vitest/config';

/** The fast suite: everything under test/ but what is named `*.slow.test.ts`. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/**/*.slow.test.ts', 'node_modules/**'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
