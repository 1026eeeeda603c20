import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/*
 * `npm ci` runs this in a clone: it makes what git ignores and the commands need. Where only the packages that the
 * gateway runs with are installed, there is nothing to make it with, and the gateway itself does not need it.
 */

function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false;
  }
}

if (isInstalled('openapi-typescript')) {
  const program = join(import.meta.dirname, 'generate-client.ts');
  const { status } = spawnSync(process.execPath, [program], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
