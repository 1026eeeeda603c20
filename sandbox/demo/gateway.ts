import { compose, type Composed } from '../../src/compose.ts';
import { additionsOfDemo, readBuilt } from './page-additions.ts';
import type { FromGateway } from './gateway-messages.ts';
import { CONTROL_VARIABLE } from './settings.ts';

/**
 * The gateway of the demo, in a process of its own, so that it can be killed and started again under an open page. It
 * is the whole gateway, wired by compose, and its page has the bar of the demo. It ends with the demo, however that ends: the channel between the two closes.
 */

let composed: Composed | null = null;
let isEnding = false;

function tell(message: FromGateway, then: () => void = () => undefined): void {
  process.send?.(message, then);
}

async function end(): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  await composed?.[Symbol.asyncDispose]();
  process.exit();
}

process.once('disconnect', () => void end());
process.once('SIGTERM', () => void end());
// Ctrl+C in a terminal reaches both processes: the demo decides when its gateway ends.
process.on('SIGINT', () => undefined);

try {
  const control = process.env[CONTROL_VARIABLE] ?? '';
  composed = await compose(additionsOfDemo({ control, fetch, built: readBuilt }));
  const { url } = await composed.listen();
  tell({ kind: 'listening', url, link: composed.adminLink() });
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  process.exitCode = 1;
  tell({ kind: 'failed', reason }, () => void end());
}
