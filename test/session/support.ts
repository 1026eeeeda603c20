import { createSession } from '../../src/session/create-session.ts';
import type { LoginCallback, SessionChange } from '../../src/session/session.ts';
import { explainLoginRefusal } from '../../src/adapters/alt/login.ts';
import type { LoginBroker, SessionGrant } from '../../src/domain/ports.ts';
import { memoryEnvironment } from '../../src/platform/environment.ts';
import { createIds } from '../../src/platform/ids.ts';
import { silentLog, type Log } from '../../src/platform/log.ts';
import { createTokenStore } from '../../src/token-store/token-store.ts';
import { VirtualTime } from '../support/virtual-time.ts';
import { memoryFiles } from '../token-store/support/memory-files.ts';
import { epochMs } from '../../src/units/branded.ts';

/** A broker whose answers a test sets, and that records each call. */
export function fakeLoginBroker() {
  const asked: string[] = [];
  const broker = {
    broker: 'alt' as const,
    asked,
    loginUrl: (state: string) => `https://login.test/?state=${state}`,
    onExchange: async (): Promise<Partial<SessionGrant>> => ({}),
    onVerify: async (): Promise<{ userId: string } | null> => ({ userId: 'AB1234' }),
    onEnd: async (): Promise<void> => undefined,
  };
  const port: LoginBroker = {
    broker: 'alt',
    explainRefusal: explainLoginRefusal,
    loginUrl: broker.loginUrl,
    async exchange(requestToken) {
      asked.push(`exchange ${requestToken}`);
      const granted = await broker.onExchange();
      return { accessToken: 'token-1', userId: 'AB1234', obtainedAt: START, ...granted };
    },
    async verify(accessToken) {
      asked.push(`verify ${accessToken}`);
      return broker.onVerify();
    },
    async end(accessToken) {
      asked.push(`end ${accessToken}`);
      return broker.onEnd();
    },
  };
  return { broker, port };
}

export const START = epochMs(Date.parse('2026-11-20T09:00:00+05:30'));
export const NEXT_SIX = Date.parse('2026-11-21T06:00:00+05:30');
export const PATH = 'data/token.json';

export function sessionBench(
  options: {
    userId?: string | null;
    accountsInUse?: readonly string[];
    environment?: string;
    configuration?: string;
  } = {},
) {
  const time = new VirtualTime(START);
  const files = memoryFiles();
  const { broker, port } = fakeLoginBroker();
  const warnings: string[] = [];
  const log: Log = { ...silentLog, warn: (message) => void warnings.push(message) };
  let counter = 0;
  const ids = createIds((count) => {
    const bytes = new Uint8Array(count);
    new DataView(bytes.buffer).setUint32(count - 4, ++counter);
    return bytes;
  });
  const start = () => {
    const tokens = createTokenStore({
      files,
      environment: memoryEnvironment({ APP_ALT_BROKER_ACCESS_TOKEN: options.environment }),
      log: silentLog,
      clock: time,
      path: PATH,
      environmentName: 'APP_ALT_BROKER_ACCESS_TOKEN',
      configurationToken: options.configuration ?? null,
    });
    return createSession({
      login: port,
      tokens,
      clock: time,
      ids,
      log,
      title: 'alternative broker',
      userId: options.userId ?? null,
      userSetting: 'APP_ALT_BROKER_USER_ID',
      accountsInUse: () => options.accountsInUse ?? [],
    });
  };
  const session = start();
  const changes: SessionChange[] = [];
  session.onChange((change) => changes.push(change));
  const callback = (more: Partial<LoginCallback> = {}): LoginCallback => {
    const { state } = session.begin();
    return { requestToken: 'request1', status: 'success', state, cookieState: state, ...more };
  };
  return {
    session,
    broker,
    time,
    files,
    warnings,
    changes,
    callback,
    /** The gateway after a restart, on the same disk. */
    restarted: start,
    logIn: () => session.complete(callback()),
  };
}
