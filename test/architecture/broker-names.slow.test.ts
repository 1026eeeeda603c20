import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';
import { describe, expect, it } from 'vitest';
import { root } from './support/cruise.ts';

// The planted files are not on disk, so the rules that need types are off.
const linter = new ESLint({
  cwd: root,
  overrideConfig: { files: ['**/*.ts'], ...tseslint.configs.disableTypeChecked },
});

/** How often the rule about broker names reports this text at this path. */
async function complaints(code: string, filePath: string): Promise<number> {
  const [result] = await linter.lintText(code, { filePath });
  const messages = result?.messages ?? [];
  expect(messages.filter(({ fatal }) => fatal)).toEqual([]);
  return messages.filter(
    ({ ruleId, message }) =>
      ruleId === 'no-restricted-syntax' && message.startsWith('This names a broker'),
  ).length;
}

const FOLDERS = [
  ...['src/compose.ts', 'src/compose/planted.ts', 'src/domain/planted.ts'],
  ...['src/execution/planted.ts', 'src/instruments/planted.ts', 'src/market-data/planted.ts'],
  ...['src/portfolio/planted.ts', 'src/reminder/planted.ts', 'src/router/planted.ts'],
  ...['src/routes/planted.ts', 'src/session/planted.ts', 'src/telegram/planted.ts'],
  ...['src/token-store/planted.ts', 'src/platform/clock.ts'],
];

describe('the name of a broker', () => {
  it.each([
    ["export const first = (broker: string) => broker === 'alt';", 1],
    ["export const of = (each: { broker: string }) => each.broker !== 'paper';", 1],
    ["export const all = ['alt', 'primary', 'paper'];", 3],
    ["export type Which = 'primary' | 'paper';", 2],
    ['export const name = `primary`;', 1],
    ["export const wake = (name: (broker: string) => void) => name('paper');", 1],
  ])('is caught in %s', async (code, count) => {
    for (const path of FOLDERS) expect([path, await complaints(code, path)]).toEqual([path, count]);
  });

  it.each([
    "export const isPaper = (view: { mode: string }) => view.mode === 'paper';",
    "export const isLive = (mode: string) => mode !== 'paper';",
    "export const MODES = ['live', 'paper'] as const;",
    '// The primary brokerage, and a paper order.',
    "import { altModule } from '../adapters/alt/index.ts'; altModule.kind;",
    "export const title = 'alternative broker';",
  ])('is not reported in %s', async (code) => {
    for (const path of FOLDERS) expect(await complaints(code, path)).toBe(0);
  });

  it.each([
    'src/adapters/alt/planted.ts',
    'src/adapters/alt/sdk.ts',
    'src/adapters/paper/planted.ts',
    'src/config/planted.ts',
    'test/router/planted.test.ts',
  ])('is allowed in %s', async (path) => {
    expect(await complaints("export const name = 'alt';", path)).toBe(0);
  });
});
