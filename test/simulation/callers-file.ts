import { createHash } from 'node:crypto';
import { NO_KEY_LIMITS, NO_MARKS } from '../../src/callers/caller.ts';
import type { SeedPlan } from './plan.ts';
import type { PlannedKeys } from './planned-keys.ts';
import { HOOK_KEYS, HOOKS } from './signal-hooks.ts';

/** The callers of a day that is played over HTTP. `person` has an admin key, the others may trade. */
const CALLERS = ['caller-1', 'caller-2', 'caller-3', 'clearing', 'person'] as const;

export const keyOf = (caller: string): string => `CANARY-key-of-${caller}`;

/** The keys of all callers, to be found in no log and in no journal. */
export const CALLER_KEYS: readonly string[] = [
  ...[...CALLERS, ...HOOK_KEYS.map(({ id }) => id)].map(keyOf),
  ...HOOKS.map(({ secret }) => secret),
];

/** The content of `callers.json` with a key for each caller, under the ids that the checker knows. */
export function callersFile(
  at: number,
  { keys, signals }: Pick<SeedPlan, 'keys' | 'signals'>,
): string {
  const isSecond = keys !== undefined || signals !== undefined;
  const named = [...CALLERS, ...(signals ? HOOK_KEYS.map(({ id }) => id) : [])];
  const callers = named.map((id) => ({
    id,
    name: id,
    scope: id === 'person' ? 'admin' : 'trade',
    sha256: createHash('sha256').update(keyOf(id)).digest('hex'),
    createdAt: at,
    rotatedAt: null,
    ...(isSecond ? own(keys, id) : {}),
  }));
  return JSON.stringify({ version: isSecond ? 2 : 1, callers });
}

/** What the second version of the file has besides. */
const own = (keys: PlannedKeys | undefined, id: string) => ({
  broker: keys?.confined?.caller === id ? keys.confined.broker : null,
  mode:
    keys?.confined?.caller === id
      ? keys.confined.mode
      : (HOOK_KEYS.find((each) => each.id === id)?.mode ?? null),
  limits: keys?.limited?.caller === id ? keys.limited.limits : NO_KEY_LIMITS,
  ...{ marks: NO_MARKS, stopped: null },
  ...{ createdBy: null, rotatedBy: null, revokedAt: null, revokedBy: null },
});
