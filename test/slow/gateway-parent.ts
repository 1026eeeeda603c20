import { launchGateway } from '../../sandbox/demo/launch-gateway.ts';

/** A demo that is about to be killed: it starts the gateway of its environment, and tells where that listens. */
const begun = await launchGateway(
  Object.fromEntries(Object.entries(process.env).map(([name, value]) => [name, value ?? ''])),
).begun;
process.stdout.write(begun.kind === 'listening' ? begun.url : `failed: ${begun.reason}`);
