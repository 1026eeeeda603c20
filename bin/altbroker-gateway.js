#!/usr/bin/env node
// Starts the gateway of the installed package. Old versions of Node have to understand this file, so that they can
// say what is needed instead of ending with an error of syntax.

const NEEDED = 24;
const major = Number(process.versions.node.split('.')[0]);

if (major < NEEDED) {
  process.stderr.write(
    `altbroker-gateway: the gateway needs Node ${NEEDED} or newer, and this is ${process.version}. ` +
      'Install a newer one, and start it again. (The client alone works on Node 20.)\n',
  );
  process.exitCode = 1;
} else if (process.argv[2] === 'demo') {
  process.argv.splice(2, 1);
  import('../dist/sandbox/demo.js');
} else {
  import('../dist/src/main.js');
}
