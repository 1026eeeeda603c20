import { defineConfig } from 'vitest/config';

/**
 * The fast suite: everything under test/ but what is named `*.slow.test.ts`.
 *
 * The files of one worker share its modules (`isolate: false`): importing them anew for each file took
 * more than half of the CPU time. test/support/leave-no-trace.ts fails a file that leaves something
 * behind for the next. Workers are processes, not threads: the tests of time zones set `TZ`, which
 * only a process takes up.
 */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/**/*.slow.test.ts', 'node_modules/**'],
    pool: 'forks',
    isolate: false,
    maxWorkers: '100%',
    setupFiles: ['test/support/leave-no-trace.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
