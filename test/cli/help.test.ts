import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { LOCAL_COMMANDS } from '../../cli/local-commands.ts';
import { runCommand } from './support/run.ts';

const page = readFileSync(new URL('../../docs/command-line.md', import.meta.url), 'utf8');
const run = (words: string) => runCommand(words, { environment: {} });
/** The names in the list of commands of a help text. */
const commandsIn = (help: string): readonly string[] =>
  [...(help.split('Commands:')[1] ?? '').matchAll(/^ {2}([a-z-]+)/gm)].map(
    ([, name]) => name ?? '',
  );

describe('the help', () => {
  it('lists the commands that docs/command-line.md has, and no others', async () => {
    const { out, code } = await run('--help');
    expect(code).toBe(0);
    const documented = [...page.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell]) =>
      [...(cell ?? '').matchAll(/`([a-z-]+)/g)].map(([, name]) => name ?? ''),
    );
    expect(new Set(commandsIn(out))).toEqual(new Set(documented));
  });

  it('of each command that uses the gateway has --json, and needs no gateway', async () => {
    const local: readonly string[] = LOCAL_COMMANDS.map(([name]) => name);
    const names = commandsIn((await run('--help')).out).filter((name) => !local.includes(name));
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) {
      const { out, code } = await run(`${name} --help`);
      expect([name, code]).toEqual([name, 0]);
      expect(out).toContain('--json');
    }
  });

  it('--version is that of the package', async () => {
    expect((await run('--version')).out).toBe(packageJson.version);
  });

  it.each([
    ['ordre', "unknown command 'ordre'"],
    ['order buy INFY', "missing required argument 'quantity'"],
    ['order hold INFY 1', 'It takes one of BUY, SELL.'],
    ['order buy INFY 1.5', 'It takes a whole number above 0.'],
    ['order buy INFY 1 --limit 0', 'It takes a price above 0'],
    ['orders --staus open', "unknown option '--staus'"],
    ['exit', "missing required argument 'instrument'"],
    ['status now', 'too many arguments'],
  ])('%s is refused with 2, and a reason', async (words, told) => {
    const ran = await run(words);
    expect(ran).toMatchObject({ code: 2, out: '' });
    expect(ran.told).toContain(told);
    expect(ran.told).toContain('--help');
  });
});
