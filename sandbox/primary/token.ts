import { DAY_MS, MINUTE_MS } from '../kernel/ist.ts';
import type { SandboxClock, SandboxRandom } from '../kernel/ports.ts';
import type { Route } from '../kernel/routes.ts';
import { jsonOf, recordOf } from '../kernel/routes.ts';
import type { PrimarySettings } from '../kernel/settings.ts';
import type { Reply, WireRequest } from '../kernel/wire.ts';
import { jsonReply } from '../kernel/wire.ts';
import { textOf } from './place.ts';
import { primarySuccess, refused, unauthorized } from './refusal.ts';
import { isCode, SANDBOX_TOTP_SECRET } from './totp.ts';

const LOCK_MS = 15 * MINUTE_MS;
const MAX_WRONG = 5;

/** Authorization at the primary brokerage: raw tokens that last 24 hours, one at a time. */
export interface PrimarySession {
  authorize(request: WireRequest, category: string): Reply | null;
  kill(): void;
  /** The access token that is valid now, or null. */
  liveToken(): string | null;
  route: Route;
}

export function createPrimarySession(
  settings: PrimarySettings,
  clock: SandboxClock,
  random: SandboxRandom,
): PrimarySession {
  let live: { token: string; until: number } | null = {
    token: settings.accessToken,
    until: clock.now() + (settings.accessTokenMs ?? DAY_MS),
  };
  let wrong: number[] = [];
  const liveToken = (): string | null => (live && clock.now() < live.until ? live.token : null);

  function generate(request: WireRequest): Reply {
    const now = clock.now();
    wrong = wrong.filter((at) => at > now - LOCK_MS);
    if (wrong.length >= MAX_WRONG) {
      throw refused(403, 'UserException', 'Too many wrong attempts. Try again in 15 minutes.');
    }
    if (request.headers['x-api-key'] !== (settings.apiKey ?? 'sandbox-key')) {
      throw refused(403, 'UserException', 'Invalid api key');
    }
    const body = recordOf(jsonOf(request));
    const code = textOf(body, 'totp');
    const secret = settings.totpSecret ?? SANDBOX_TOTP_SECRET;
    const right =
      textOf(body, 'mpin') === (settings.mpin ?? '1234') &&
      (code === (settings.totp ?? '123456') || isCode(secret, code, now));
    if (!right) {
      wrong.push(now);
      throw refused(403, 'UserException', 'Invalid mpin or totp');
    }
    const digits = Array.from({ length: 40 }, () => Math.floor(random.next() * 16).toString(16));
    live = { token: digits.join(''), until: now + DAY_MS };
    return primarySuccess({ token: live.token });
  }

  return {
    liveToken,
    kill: () => {
      live = null;
    },
    authorize(request, category) {
      const given = request.headers['authorization'];
      if (given === undefined || given === '') {
        return unauthorized(400, 'authorization not sent in request. Please try again.');
      }
      if (given.startsWith('Bearer ')) return unauthorized(401, 'Invalid access token');
      if (given !== liveToken()) {
        return jsonReply(403, {
          status: 'error',
          message: 'Invalid or expired token',
          error_type: 'TokenException',
        });
      }
      const remote = request.headers['x-sandbox-remote'];
      if (settings.enforceIpv4 && category === 'order' && remote !== '127.0.0.1') {
        return jsonReply(403, {
          status: 'error',
          message: 'IP address is not whitelisted',
          error_code: 'UserException',
        });
      }
      return null;
    },
    route: {
      method: 'POST',
      pattern: '/generate/token',
      category: 'token',
      open: true,
      run: (call) => generate(call.request),
    },
  };
}
