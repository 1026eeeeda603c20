import { GatewayProblem } from '../../domain/problem.ts';
import type { ExitParts } from './exit-parts.ts';
import { pause } from './exit-run.ts';

const AGAIN_MS = 1_000;

/**
 * Whether a cancel of an exit did not leave, told after a pause. Nothing repeats such a cancel, so the exit has to ask for
 * it again; one that left, or may have, is repeated by itself.
 */
export async function didNotLeave(
  parts: Pick<ExitParts, 'clock' | 'changed' | 'closing'>,
  error: unknown,
): Promise<boolean> {
  if (!(error instanceof GatewayProblem) || error.fields.code !== 'order_not_sent') return false;
  await pause(parts, AGAIN_MS);
  return true;
}
