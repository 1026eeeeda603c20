import type { LoginSession } from '../../../src/routes/login.ts';
import type { LoginCallback, SessionState } from '../../../src/session/session.ts';
import { NOW } from './samples.ts';
import { epochMs } from '../../../src/units/branded.ts';

export const VALID: Extract<SessionState, { state: 'valid' }> = {
  state: 'valid',
  accessToken: 'the-access-token',
  userId: 'AB1234',
  obtainedAt: NOW,
  expiresAt: epochMs(NOW + 3_600_000),
  source: 'memory',
  verifiedAt: null,
};

export interface FakeSession {
  readonly session: LoginSession;
  readonly callbacks: LoginCallback[];
  begun: number;
  state: SessionState;
  /** What the completion of a login throws instead. */
  failure: unknown;
  ended: number;
}

export function fakeSession(): FakeSession {
  const fake: FakeSession = {
    callbacks: [],
    begun: 0,
    state: VALID,
    failure: null,
    ended: 0,
    session: {
      broker: 'alt',
      current: () => fake.state,
      check: async () => fake.state,
      begin() {
        fake.begun += 1;
        return { url: 'https://broker.example/login?v=3', state: 'one-time-state' };
      },
      async complete(callback) {
        fake.callbacks.push(callback);
        if (fake.failure !== null) throw fake.failure;
        return VALID;
      },
      async end() {
        fake.ended += 1;
        return { persisted: true, endedAtBroker: false };
      },
    },
  };
  return fake;
}
