import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import packageJson from '../package.json' with { type: 'json' };

/*
 * Writes the JavaScript and the types of the package into dist, which git ignores: Node refuses TypeScript under
 * node_modules. `npm pack` runs it first.
 */

const ROOT = join(import.meta.dirname, '..');
const DIST = join(ROOT, 'dist');

function node(...args: readonly string[]): void {
  const { status } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) throw new Error(`node ${args.join(' ')} has failed`);
}

/** The compiler leaves the ending .ts in the imports of declarations, which not every reader of them resolves. */
function nameJavaScriptIn(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts')) continue;
    const path = join(folder, name);
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replaceAll(/(from ["']\.{1,2}\/[^"']+)\.ts(["'])/g, '$1.js$2'));
  }
}

rmSync(DIST, { recursive: true, force: true });
node('packaging/generate-client.ts');
node('packaging/build-dashboard.ts');
for (const built of ['dashboard/dist', 'dashboard/demo/dist']) {
  cpSync(join(ROOT, built), join(DIST, built), { recursive: true });
}
const compiler = 'node_modules/typescript/bin/tsc';
node(compiler, '--project', 'packaging/tsconfig.gateway.json');
node(compiler, '--project', 'packaging/tsconfig.client.json');
nameJavaScriptIn(join(DIST, 'client'));
// The compiler copies package.json, because the gateway reads its own name and version there.
const { name, version, type } = packageJson;
writeFileSync(join(DIST, 'package.json'), `${JSON.stringify({ name, version, type }, null, 2)}\n`);
