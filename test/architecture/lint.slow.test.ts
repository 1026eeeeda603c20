import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';
import { describe, expect, it } from 'vitest';
import { root } from './support/cruise.ts';

// The planted files are not on disk, so the rules that need types are off; they have a test below.
const linter = new ESLint({
  cwd: root,
  overrideConfig: { files: ['**/*.ts'], ...tseslint.configs.disableTypeChecked },
});

/** The rules that report this text at this path. Throws for a text that does not parse. */
async function lint(code: string, filePath: string, eslint = linter): Promise<(string | null)[]> {
  const [result] = await eslint.lintText(code, { filePath });
  const messages = result!.messages;
  expect(messages.filter(({ fatal }) => fatal)).toEqual([]);
  return [...new Set(messages.map(({ ruleId }) => ruleId))];
}

const GLOBALS = 'no-restricted-globals';
const SYNTAX = 'no-restricted-syntax';
const IMPORTS = 'no-restricted-imports';
const CLOCK = 'src/platform/clock.ts';
const SCHEDULER = 'src/platform/clock.ts';
const ENVIRONMENT = 'src/platform/environment.ts';
const TRANSPORT = 'src/platform/http-transport.ts';
const IDS = 'src/platform/ids.ts';
const FILES = 'src/platform/files.ts';

/** Code that reaches the outside world, the rule that reports it, and the file that may have it. */
const ambient: readonly (readonly [code: string, rule: string, home: string])[] = [
  ['export const at = Date.now();', SYNTAX, CLOCK],
  ["export const at = Date['now']();", SYNTAX, CLOCK],
  ['const { now } = Date; export { now };', SYNTAX, CLOCK],
  ['export const at = new Date();', SYNTAX, CLOCK],
  ['export const at = new Date;', SYNTAX, CLOCK],
  ['export const at = Date();', SYNTAX, CLOCK],
  ['export const at = process.hrtime.bigint();', SYNTAX, CLOCK],
  ['export const at = process.uptime();', SYNTAX, CLOCK],
  ['export const at = performance.now();', GLOBALS, CLOCK],
  ['setTimeout(() => undefined, 1);', GLOBALS, SCHEDULER],
  ['setInterval(() => undefined, 1);', GLOBALS, SCHEDULER],
  ['setImmediate(() => undefined);', GLOBALS, SCHEDULER],
  ['clearTimeout(1);', GLOBALS, SCHEDULER],
  ['clearInterval(1);', GLOBALS, SCHEDULER],
  ['export const stop = clearImmediate;', GLOBALS, SCHEDULER],
  ['queueMicrotask(() => undefined);', GLOBALS, SCHEDULER],
  ['process.nextTick(() => undefined);', SYNTAX, SCHEDULER],
  ['export const signal = AbortSignal.timeout(1);', SYNTAX, SCHEDULER],
  ["import { setTimeout as wait } from 'node:timers/promises'; await wait(1);", IMPORTS, SCHEDULER],
  ['export const luck = Math.random();', SYNTAX, IDS],
  ['const { random } = Math; export { random };', SYNTAX, IDS],
  ['export const id = crypto.randomUUID();', GLOBALS, IDS],
  ["export { randomBytes } from 'node:crypto';", IMPORTS, IDS],
  ["export { createHash } from 'crypto';", IMPORTS, 'src/platform/secret.ts'],
  ['export const key = process.env.KEY;', SYNTAX, ENVIRONMENT],
  ["export const key = process['env'].KEY;", SYNTAX, ENVIRONMENT],
  ['const { env } = process; export { env };', SYNTAX, ENVIRONMENT],
  ["await fetch('http://127.0.0.1');", GLOBALS, TRANSPORT],
  ["export const socket = new WebSocket('ws://127.0.0.1');", GLOBALS, 'src/platform/sockets.ts'],
  [
    "export const stream = new EventSource('http://127.0.0.1');",
    GLOBALS,
    'src/platform/sockets.ts',
  ],
  ['export const request = new XMLHttpRequest();', GLOBALS, TRANSPORT],
  ["export { request } from 'undici';", IMPORTS, TRANSPORT],
  ["export { get } from 'node:http';", IMPORTS, 'src/platform/http-server.ts'],
  ["export { connect } from 'node:net';", IMPORTS, 'src/platform/http-server.ts'],
  ["import 'axios';", IMPORTS, TRANSPORT],
  ["import 'ws';", IMPORTS, 'src/platform/sockets.ts'],
  ["import { readFileSync } from 'node:fs'; readFileSync('x');", IMPORTS, FILES],
  ["import { readFile } from 'fs/promises'; await readFile('x');", IMPORTS, FILES],
  ["export { DatabaseSync } from 'node:sqlite';", IMPORTS, 'src/platform/database.ts'],
  ["export { DatabaseSync } from 'node:sqlite';", IMPORTS, 'src/platform/data-lock.ts'],
  ["console.log('x');", GLOBALS, 'src/platform/log.ts'],
  ["export { pino } from 'pino';", IMPORTS, 'src/platform/log.ts'],
  ["import 'node-cron';", IMPORTS, 'src/platform/cron.ts'],
  [
    "import type { Connect } from 'kiteconnect'; export type C = Connect;",
    IMPORTS,
    'src/adapters/alt/sdk.ts',
  ],
  ["import 'kiteconnect/dist/lib/ticker.js';", IMPORTS, 'src/adapters/alt/sdk.ts'],
  ["import 'lowdb';", IMPORTS, 'src/token-store/token-file.ts'],
  ["import 'lowdb/node';", IMPORTS, 'src/token-store/token-file.ts'],
  ["import 'express';", IMPORTS, 'src/routes/app.ts'],
  ["import 'helmet';", IMPORTS, 'src/routes/app.ts'],
  ["import 'pino-http';", IMPORTS, 'src/routes/answers.ts'],
  ["import 'prom-client';", IMPORTS, 'src/metrics/metrics.ts'],
  ["import 'node:perf_hooks';", IMPORTS, 'src/platform/process-figures.ts'],
  ["import 'telegraf';", IMPORTS, 'src/telegram/bot.ts'],
  ["import '@modelcontextprotocol/sdk/server/mcp.js';", IMPORTS, 'src/mcp/server.ts'],
];

/** Code that no file of src may have. */
const forbiddenEverywhere: readonly (readonly [code: string, rule: string])[] = [
  ['export const at = globalThis.setTimeout;', GLOBALS],
  ["export const at = global['Date'];", GLOBALS],
  ['process.exit(1);', SYNTAX],
  ['process.abort();', SYNTAX],
  ["export const files = process.getBuiltinModule('node:fs');", SYNTAX],
  ["import 'node:child_process';", IMPORTS],
  ["import 'node:worker_threads';", IMPORTS],
  ["export { env } from 'node:process';", IMPORTS],
  ['export const hour = (at: Date) => at.getHours();', SYNTAX],
  ['export const text = (at: Date) => at.toLocaleString();', SYNTAX],
];

const defaultExports = [
  'export default 1;',
  'export default function one() {}',
  'const one = 1; export { one as default };',
  "export { default } from './other.ts';",
];

describe('lint', () => {
  it.each(ambient)('forbids %s in a module, by %s', async (code, rule) => {
    expect(await lint(code, 'src/execution/planted.ts')).toContain(rule);
  });

  it.each(ambient)(
    'forbids %s in a file of platform that no exception names',
    async (code, rule) => {
      expect(await lint(code, 'src/platform/call-limits.ts')).toContain(rule);
    },
  );

  it.each(ambient)('allows %s in the file that an exception names', async (code, _rule, file) => {
    expect(await lint(code, file)).toEqual([]);
  });

  it.each(forbiddenEverywhere)('forbids %s everywhere', async (code, rule) => {
    for (const path of [
      'src/execution/planted.ts',
      'src/main.ts',
      CLOCK,
      SCHEDULER,
      'src/routes/app.ts',
    ]) {
      expect(await lint(code, path)).toContain(rule);
    }
  });

  it.each(defaultExports)('forbids %s, but in a tool’s configuration', async (code) => {
    for (const path of ['src/execution/planted.ts', CLOCK, 'sandbox/transport/planted.ts']) {
      expect(await lint(code, path)).toContain('no-restricted-exports');
    }
    expect(await lint(code, 'planted.config.ts')).toEqual([]);
  });

  it('forbids the system clock and Math.random in the kernel of the sandbox', async () => {
    for (const folder of ['kernel', 'exchange', 'kite', 'primary']) {
      const path = `sandbox/${folder}/planted.ts`;
      expect(await lint('export const at = Date.now();', path)).toContain(SYNTAX);
      expect(await lint('export const luck = Math.random();', path)).toContain(SYNTAX);
      expect(await lint('setTimeout(() => undefined, 1);', path)).toContain(GLOBALS);
    }
    expect(await lint('export const at = Date.now();', 'sandbox/transport/planted.ts')).toEqual([]);
  });

  it('allows a clock, a scheduler, and a property that is called like a global', async () => {
    const code = [
      'interface Parts { clock: { now(): number }; scheduler: { after(ms: number): void } }',
      'export function later({ clock, scheduler }: Parts, at = new Date(0)) {',
      '  scheduler.after(clock.now() - at.getTime());',
      '  const limits = { global: 1, fetch: 2 };',
      '  return limits.global + limits.fetch + at.getUTCHours();',
      '}',
    ].join('\n');
    expect(await lint(code, 'src/execution/planted.ts')).toEqual([]);
  });

  const linesOf = (count: number, line = 'one();'): string => `${line}\n`.repeat(count);

  it.each(['src/domain/planted.ts', 'sandbox/kite/planted.ts', 'test/path/planted.test.ts'])(
    'forbids more than 300 lines in %s',
    async (path) => {
      expect(await lint(linesOf(301), path)).toEqual(['max-lines']);
      expect(await lint(linesOf(300), path)).toEqual([]);
    },
  );

  it.each(['src/domain/planted.ts', 'sandbox/kite/planted.ts', 'test/path/planted.test.ts'])(
    'forbids a function of more than 100 lines in %s',
    async (path) => {
      const long = ['local/max-lines-per-function'];
      // With the line that opens it and the one that closes it.
      expect(await lint(`export function long() {\n${linesOf(99)}}`, path)).toEqual(long);
      expect(await lint(`export const long = () => {\n${linesOf(99)}};`, path)).toEqual(long);
      expect(await lint(`it('is long', () => {\n${linesOf(99)}});`, path)).toEqual(long);
      expect(await lint(`export function short() {\n${linesOf(98)}}`, path)).toEqual([]);
    },
  );

  it.each([
    "describe('a list of tests', () => {",
    "describe.each([1, 2])('a list of tests: %i', () => {",
    "describe.skipIf(true)('a list of tests', () => {",
  ])('allows a list of tests of more than 100 lines: %s', async (opening) => {
    const path = 'test/path/planted.test.ts';
    expect(await lint(`${opening}\n${linesOf(150)}});`, path)).toEqual([]);
    const within = `${opening}\nit('is long', () => {\n${linesOf(99)}});\n});`;
    expect(await lint(within, path)).toEqual(['local/max-lines-per-function']);
  });

  it('forbids `!` for a value that may be absent, except in tests', async () => {
    const code = 'export const first = (rows: readonly string[]): string => rows[0]!;';
    const rule = '@typescript-eslint/no-non-null-assertion';
    for (const path of ['src/domain/planted.ts', 'src/platform/planted.ts', 'src/main.ts']) {
      expect(await lint(code, path)).toEqual([rule]);
    }
    expect(await lint(code, 'test/path/planted.test.ts')).toEqual([]);
  });

  // It reads the types of the whole project.
  it('forbids a promise that nothing awaits', { timeout: 120_000 }, async () => {
    // Rules that need types check a file of the project: this text replaces its contents.
    const code = 'const send = async (): Promise<void> => {}; export function go() { send(); }';
    const typed = new ESLint({ cwd: root });
    expect(await lint(code, 'src/execution/execution.ts', typed)).toContain(
      '@typescript-eslint/no-floating-promises',
    );
  });

  it('forbids comparing an instant of the wall clock with one of elapsed time', async () => {
    const code = (isOver: string): string =>
      `import type { Clock } from '../platform/clock.ts';
       export const odd = (clock: Clock, ends = clock.elapsed()): boolean => ${isOver};`;
    const typed = new ESLint({ cwd: root });
    const path = 'src/execution/execution.ts';
    expect(await lint(code('clock.now() > ends'), path, typed)).toEqual(['clocks/one-clock']);
    expect(await lint(code('clock.elapsed() - ends > 1'), path, typed)).toEqual([]);
  });
});
