import { createHash } from 'node:crypto';
import { MINUTE_MS, brokerDayEnd, istStamp } from '../kernel/ist.ts';
import type { SandboxClock, SandboxRandom } from '../kernel/ports.ts';
import type { KiteSettings } from '../kernel/settings.ts';
import { KiteRefusal, badInput } from './refusal.ts';

const REQUEST_TOKEN_MS = 3 * MINUTE_MS;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Kite's part of a login. There is one access token at a time: another login ends it. */
export interface KiteSession {
  issueRequestToken(): string;
  /** Exchanges a request token for a session; returns the data of `POST /session/token`. */
  exchange(form: URLSearchParams): Record<string, unknown>;
  /** Begins a session without a browser, for tests. Returns the access token. */
  loginDirect(): string;
  end(accessToken: string): boolean;
  kill(): void;
  /** The access token that is valid now, or null. */
  liveToken(): string | null;
}

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export function createKiteSession(
  settings: KiteSettings,
  clock: SandboxClock,
  random: SandboxRandom,
): KiteSession {
  const requestTokens = new Map<string, number>();
  let live: { token: string; until: number } | null = null;

  const newToken = (): string =>
    Array.from({ length: 32 }, () => ALPHABET[Math.floor(random.next() * ALPHABET.length)]).join(
      '',
    );

  function open(): string {
    const now = clock.now();
    live = { token: newToken(), until: brokerDayEnd(now) };
    return live.token;
  }

  return {
    issueRequestToken() {
      const token = newToken();
      requestTokens.set(token, clock.now() + REQUEST_TOKEN_MS);
      return token;
    },
    exchange(form) {
      const [apiKey, requestToken, checksum] = ['api_key', 'request_token', 'checksum'].map(
        (name) => form.get(name) ?? '',
      );
      if (!apiKey || !requestToken || !checksum) {
        throw badInput('Missing `api_key`, `request_token` or `checksum`.');
      }
      if (apiKey !== settings.apiKey) throw badInput('Invalid `api_key`.');
      if (checksum !== sha256(apiKey + requestToken + settings.apiSecret)) {
        throw new KiteRefusal(403, 'TokenException', 'Invalid `checksum`.');
      }
      const until = requestTokens.get(requestToken);
      requestTokens.delete(requestToken);
      if (until === undefined || clock.now() >= until) {
        throw new KiteRefusal(403, 'TokenException', 'Token is invalid or has expired.');
      }
      return {
        user_type: 'individual',
        email: 'trader@sandbox.example',
        user_name: 'Sandbox Trader',
        user_shortname: 'Sandbox',
        broker: 'ZERODHA',
        exchanges: ['NSE', 'NFO', 'BSE'],
        products: ['CNC', 'NRML', 'MIS'],
        order_types: ['MARKET', 'LIMIT', 'SL', 'SL-M'],
        avatar_url: null,
        user_id: settings.userId,
        api_key: apiKey,
        access_token: open(),
        public_token: newToken(),
        enctoken: newToken(),
        refresh_token: '',
        silo: '',
        login_time: istStamp(clock.now()),
        meta: { demat_consent: 'consent' },
      };
    },
    loginDirect: open,
    end(accessToken) {
      if (live?.token !== accessToken) return false;
      live = null;
      return true;
    },
    kill: () => {
      live = null;
    },
    liveToken: () => (live && clock.now() < live.until ? live.token : null),
  };
}
