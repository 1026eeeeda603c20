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

const PROGRAMS = ['generate-client.ts', 'build-dashboard.ts'];

if (['openapi-typescript', 'vite', 'preact'].every(isInstalled)) {
  for (const name of PROGRAMS) {
    const program = join(import.meta.dirname, name);
    const { status } = spawnSync(process.execPath, [program], { stdio: 'inherit' });
    process.exitCode ||= status ?? 1;
  }
}
