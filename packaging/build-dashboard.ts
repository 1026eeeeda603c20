import { join } from 'node:path';
import { build } from 'vite';

/*
 * Builds the dashboard into dashboard/dist, which git ignores. The generated part of the client has to be there: the
 * page uses the client.
 */

await build({
  configFile: join(import.meta.dirname, '../dashboard/vite.config.ts'),
  logLevel: 'warn',
});
