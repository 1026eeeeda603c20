import { join } from 'node:path';
import { build } from 'vite';

/*
 * Builds the dashboard into dashboard/dist, and the bar of the demo beside it, into dashboard/demo/dist, which git ignores.
 * The generated part of the client has to be there: the page uses the client.
 */

// The page is built for its users, whatever this shell is set to: a build for tests has the paths of this machine in it.
process.env.NODE_ENV = 'production';

for (const folder of ['dashboard', 'dashboard/demo']) {
  await build({
    configFile: join(import.meta.dirname, '..', folder, 'vite.config.ts'),
    logLevel: 'warn',
  });
}
