import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { identifyFile, type Identify } from '../../src/platform/directories.ts';
import type { SeedPlan } from './plan.ts';

/** Whether the data directory is copied on a day. */
export const isCopied = ({ mishaps }: Pick<SeedPlan, 'mishaps'>): boolean =>
  mishaps.some(({ kind }) => kind === 'copied');

/** How files are told apart on such a day: as where a gateway runs. On other days no directory is looked at. */
export const identifyOn = (plan: SeedPlan): Identify =>
  isCopied(plan) ? identifyFile : () => null;

/** By this file a directory is told from a copy of it. The lock itself is not taken in the simulation. */
export const writeAnchor = (directory: string): void =>
  writeFileSync(join(directory, 'data', 'gateway.lock'), '', { mode: 0o600 });
