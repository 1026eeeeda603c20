import type { Scope } from '../../src/callers/caller.ts';
import { createSignIns, type SignIns } from '../../src/callers/sign-ins.ts';
import type { Clock } from '../../src/platform/clock.ts';
import type { Ids } from '../../src/platform/ids.ts';
import { createLog, createPino } from '../../src/platform/log.ts';
import { sha256 } from '../../src/platform/secret.ts';
import type { DashboardFiles } from '../../src/routes/dashboard.ts';
import { memoryFiles } from '../token-store/support/memory-files.ts';

/** Sign-ins without a disk, for the keys `key_read`, `key_trade` and `key_admin`, and a page that says only what it is. */
export function memorySignIns(
  clock: Clock,
  ids: Ids,
): { readonly signIns: SignIns; readonly dashboard: DashboardFiles } {
  const scopes: readonly Scope[] = ['read', 'trade', 'admin'];
  const signIns = createSignIns({
    ...{ clock, ids, files: memoryFiles(), path: 'data/sign-ins.json' },
    log: createLog(createPino('silent', { write: () => undefined })),
    callers: {
      current(id) {
        const scope = scopes.find((each) => id === `key_${each}`);
        if (scope === undefined) return null;
        const caller = { id, name: scope, scope, broker: null, mode: null };
        return { caller, sha256: sha256(id) };
      },
    },
    ended: () => undefined,
  });
  return { signIns, dashboard: (name) => `the file ${name}` };
}
