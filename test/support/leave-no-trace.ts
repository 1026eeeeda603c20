import { isDeepStrictEqual } from 'node:util';
import { afterAll, expect } from 'vitest';

/*
 * The test files of one worker run after one another in one process (vitest.config.ts). What a file
 * changes in the process, the next one meets: so a file that leaves a change behind fails, by its own
 * name.
 */

const GLOBALS = ['Date', 'fetch', 'performance', 'setImmediate', 'setInterval', 'setTimeout'];
const EVENTS = ['SIGINT', 'SIGTERM', 'uncaughtException', 'unhandledRejection', 'warning'];
/** A handle that was closed is gone after a few turns of the event loop; one that was not, never. */
const TURNS = 200;

const globalOf = (name: string): unknown => Reflect.get(globalThis, name);
const globalsBefore = new Map(GLOBALS.map((name) => [name, globalOf(name)]));

const state = (): Record<string, unknown> => ({
  environment: { ...process.env },
  directory: process.cwd(),
  replacedGlobals: GLOBALS.filter((name) => globalOf(name) !== globalsBefore.get(name)),
  listeners: EVENTS.map((name) => [name, process.listenerCount(name)]),
  handles: process.getActiveResourcesInfo().filter((name) => /Server|Process|Watch/.test(name)),
});

const before = state();
afterAll(async () => {
  for (let turn = 0; turn < TURNS && !isDeepStrictEqual(state(), before); turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(state(), 'what this file leaves behind in its worker').toEqual(before);
});
