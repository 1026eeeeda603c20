import { join } from 'node:path';
import { build } from 'vite';

/*
 * Builds the dashboard into dashboard/dist, and the bar of the demo beside it, into dashboard/demo/dist, which git ignores.
 * The generated part of the client has to be there: the page uses the client.
 */

for (const folder of ['dashboard', 'dashboard/demo']) {
  await build({
    configFile: join(import.meta.dirname, '..', folder, 'vite.config.ts'),
    logLevel: 'warn',
  });
}
