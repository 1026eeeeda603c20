import { cpSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { inProcessHttp } from '../support/in-process-http.ts';
import type { VirtualTime } from '../support/virtual-time.ts';
import type { Stretch } from './hours.ts';
import type { Lives } from './lives.ts';
import type { Mishap } from './mishaps.ts';
import type { Timeline } from './timeline.ts';
import { SECRETS } from './world-settings.ts';

/** The gateway is killed, and its data directory copied by hand; the copy is armed after a while. */
export type CopiedMishap = Extract<Mishap, { readonly kind: 'copied' }>;

interface CopyParts {
  readonly directory: string;
  readonly time: VirtualTime;
  readonly timeline: Timeline;
  readonly lives: Lives;
  readonly impaired: Stretch[];
  /** When the gateway ran on a copy that nobody had armed; see World. */
  readonly copies: Stretch[];
}

const AGAIN_MS = 5_000;
/** A start, and an answer to the person. */
const SLACK_MS = 15_000;

/** The gateway is killed and started again on a copy of its directory; a person arms the copy after a while. */
export function copyDirectory(parts: CopyParts, { forMs }: CopiedMishap): void {
  const { directory, time, timeline, lives, impaired, copies } = parts;
  const data = join(directory, 'data');
  const copy = join(directory, 'copy');
  const disarmed = { from: time.now(), until: Infinity };
  copies.push(disarmed);
  impaired.push({ from: time.now(), until: time.now() + forMs + SLACK_MS });
  lives.restart({
    between() {
      cpSync(data, copy, { recursive: true, preserveTimestamps: true });
      rmSync(data, { recursive: true });
      renameSync(copy, data);
      timeline.note('world', 'the data directory is a copy');
    },
  });

  /** A person says that the gateway of the original is stopped, until the gateway has heard it. */
  async function arm(): Promise<void> {
    const incarnation = lives.current();
    const composed = incarnation?.composed;
    if (!incarnation || !composed) return void time.after(AGAIN_MS, () => void arm());
    const asked = time.now();
    const headers = { authorization: `Bearer ${SECRETS.adminKey}` };
    const answer = inProcessHttp(composed.apps.main)({
      ...{ method: 'POST', path: '/api/v1/arm', headers, json: { oldGatewayIsStopped: true } },
    }).catch(() => null);
    const reply = await Promise.race([answer, incarnation.died]);
    if (reply === null || reply === 'died' || reply.status !== 200) {
      return void time.after(AGAIN_MS, () => void arm());
    }
    disarmed.until = asked;
    timeline.note('world', `armed: ${reply.text}`);
  }
  time.after(forMs, () => void arm());
}
