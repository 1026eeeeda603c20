import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { LOCAL_COMMANDS } from '../../cli/local-commands.ts';
import { DEMO_HELP, isForHelp } from '../../sandbox/demo/settings.ts';
import { readCommand } from '../../src/config/arguments.ts';
import { runCommand } from './support/run.ts';

const page = readFileSync(new URL('../../docs/command-line.md', import.meta.url), 'utf8');
const run = (words: string) => runCommand(words, { environment: {} });
/** The names in the list of commands of a help text. */
const commandsIn = (help: string): readonly string[] =>
  [...(help.split('Commands:')[1] ?? '').matchAll(/^ {2}([a-z-]+)/gm)].map(
    ([, name]) => name ?? '',
  );

const isLocal = (name: string): boolean => LOCAL_COMMANDS.some(([local]) => local === name);

/** What `--help` after a command prints, by the part that reads the words of that command. */
async function helpOf(name: string): Promise<string> {
  if (name === 'demo') return DEMO_HELP;
  if (!isLocal(name)) return (await run(`${name} --help`)).out;
  const command = readCommand(name === 'start' ? ['--help'] : [name, '--help']);
  return command.kind === 'print' ? command.text : '';
}

describe('the help', () => {
  it('lists the commands that docs/command-line.md has, in its order, and no others', async () => {
    const { out, code } = await run('--help');
    expect(code).toBe(0);
    const documented = [...page.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell]) =>
      [...(cell ?? '').matchAll(/`([a-z-]+)/g)].map(([, name]) => name ?? ''),
    );
    // A command has several cells where it does several things.
    expect(commandsIn(out)).toEqual([...new Set(documented)]);
  });

  it('of each command is its own page, with 0', async () => {
    const names = commandsIn((await run('--help')).out);
    const texts = await Promise.all(names.map(async (name) => [name, await helpOf(name)] as const));
    const wrong = texts.filter(
      ([name, text]) => !new RegExp(`^Usage: (npx )?altbroker-gateway ${name}\\b`).test(text),
    );
    expect(wrong).toEqual([]);
    expect(new Set(texts.map(([, text]) => text)).size).toBe(names.length);
    const local = texts.filter(([name]) => isLocal(name) && name !== 'start');
    expect(local.filter(([, text]) => text.includes('npm start'))).toEqual([]);
  });

  it.each([
    ['demo --help', 'demo break hang_after|kill'],
    ['start -h', 'Ctrl+C stops it'],
    ['keys add --help', 'keys rotate ID'],
  ])('%s is printed by the program itself', async (words, has) => {
    const main = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, [main, ...words.split(' ')]);
    expect(stdout).toContain(has);
  });

  it('of the demo is not one of its settings', () => {
    const words = [['--help'], ['buy', '-h'], ['APP_A=--help'], []];
    expect(words.map(isForHelp)).toEqual([true, true, false, false]);
  });

  it('of each command that uses the gateway has --json, and needs no gateway', async () => {
    const names = commandsIn((await run('--help')).out).filter((name) => !isLocal(name));
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
