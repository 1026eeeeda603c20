import { memoryEnvironment } from '../../../src/platform/environment.ts';
import { type Files } from '../../../src/platform/files.ts';
import { silentLog } from '../../../src/platform/log.ts';
import { createTokenStore, type StoredToken } from '../../../src/token-store/token-store.ts';
import { VirtualTime } from '../../support/virtual-time.ts';
import { memoryFiles } from './memory-files.ts';
import { epochMs } from '../../../src/units/branded.ts';

export const NAME = 'APP_ALT_BROKER_ACCESS_TOKEN';
export const PATH = 'data/token.json';
export const MORNING = epochMs(Date.parse('2026-11-20T08:00:00+05:30'));
export const NEXT_SIX = epochMs(Date.parse('2026-11-21T06:00:00+05:30'));

export const token = (accessToken: string, changes: Partial<StoredToken> = {}): StoredToken => ({
  accessToken,
  userId: 'AB1234',
  obtainedAt: MORNING,
  expiresAt: NEXT_SIX,
  ...changes,
});

/** A machine on which the gateway can be started more than once. */
export function machine(set: { environment?: string; configuration?: string } = {}) {
  const files = memoryFiles();
  const time = new VirtualTime(MORNING);
  const errors: string[] = [];
  const start = (over: { files?: Files; path?: string; configuration?: string | null } = {}) => {
    const environment = memoryEnvironment({ [NAME]: set.environment });
    const store = createTokenStore({
      files: over.files ?? files,
      environment,
      log: { ...silentLog, error: (message) => void errors.push(message) },
      clock: time,
      path: over.path ?? PATH,
      environmentName: NAME,
      configurationToken:
        over.configuration === undefined ? (set.configuration ?? null) : over.configuration,
    });
    return { store, environment, read: () => store.read(time.now()) };
  };
  return { files, time, errors, start };
}
