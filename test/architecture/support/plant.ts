import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cruise, type Cruised } from './cruise.ts';

/** What the planted package.json lists, and one library that is installed without being listed. */
const DEPENDENCIES = [
  ...['big.js', 'express', 'helmet', 'kiteconnect', 'lowdb', 'node-cron', 'pino', 'pino-http'],
  ...['prom-client', 'telegraf', 'undici', 'zod', 'zod-openapi', '@modelcontextprotocol/sdk'],
];
const DEVELOPMENT = ['vitest'];
const UNLISTED = ['ws'];

const versions = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, '1.0.0']));

/**
 * Writes these texts, by path, and empty packages into a temporary directory, checks the imports
 * there, and removes the directory.
 */
export async function cruisePlanted(sources: ReadonlyMap<string, string>): Promise<Cruised> {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'planted-')));
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  };
  try {
    const dependencies = versions(DEPENDENCIES);
    const devDependencies = versions(DEVELOPMENT);
    write('package.json', JSON.stringify({ type: 'module', dependencies, devDependencies }));
    for (const name of [...DEPENDENCIES, ...DEVELOPMENT, ...UNLISTED]) {
      write(
        `node_modules/${name}/package.json`,
        JSON.stringify({ name, version: '1.0.0', main: 'index.js' }),
      );
      write(`node_modules/${name}/index.js`, '');
    }
    for (const [path, text] of sources) write(path, text);
    const folders = new Set([...sources.keys()].map((path) => path.split('/')[0] ?? ''));
    return await cruise(directory, [...folders]);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
