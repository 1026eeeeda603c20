#!/usr/bin/env -S node --max-semi-space-size=8
// The command altbroker-gateway, of the installed package and of a clone. Old versions of Node have to understand this file, so that they can
// say what is needed instead of ending with an error of syntax.

import { existsSync } from 'node:fs';

const NEEDED = 24;
const major = Number(process.versions.node.split('.')[0]);

if (major < NEEDED) {
  process.stderr.write(
    `altbroker-gateway: the gateway needs Node ${NEEDED} or newer, and this is ${process.version}. ` +
      'Install a newer one, and start it again. (The client alone works on Node 20.)\n',
  );
  process.exitCode = 1;
} else if (existsSync(new URL('../cli/main.ts', import.meta.url))) {
  // A clone of the repository: the sources as they are.
  import('../cli/main.ts');
} else {
  import('../dist/cli/main.js');
}
