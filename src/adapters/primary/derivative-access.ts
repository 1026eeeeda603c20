import { z } from 'zod';
import type { Clock } from '../../platform/clock.ts';
import type { PrimaryClient } from './client.ts';
import type { ElapsedMs } from '../../units/branded.ts';

/** Whether the account may trade derivatives; null where the broker does not say. */
export interface DerivativeAccess {
  /** Rejects with a BrokerError when the profile cannot be read. */
  granted(): Promise<boolean | null>;
}

const KEPT_MS = 15 * 60_000;
const FLAGS = ['is_nse_fno_onboarded', 'is_bse_fno_onboarded'] as const;

const profile = z.record(z.string(), z.unknown()).transform((fields) => {
  const flags = FLAGS.map((name) => fields[name]);
  if (flags.includes(true)) return true;
  return flags.every((flag) => flag === false) ? false : null;
});

export function createDerivativeAccess(client: PrimaryClient, clock: Clock): DerivativeAccess {
  let told: { readonly granted: boolean | null; readonly at: ElapsedMs } | null = null;
  return {
    async granted() {
      if (told && clock.elapsed() - told.at < KEPT_MS) return told.granted;
      const at = clock.elapsed();
      told = { granted: profile.safeParse(await client.profile()).data ?? null, at };
      return told.granted;
    },
  };
}
