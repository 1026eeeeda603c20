import type { MarketMode } from '../exchange/calendar.ts';
import type { SandboxClock, SandboxRandom } from './ports.ts';
import type { WireRequest } from './wire.ts';

export interface KiteSettings {
  apiKey: string;
  apiSecret: string;
  userId: string;
  /** `http://kite.sandbox`: scheme, host, port, nothing after. */
  origin: string;
  /** Where the login page is told to be; `<origin>/connect/login` when absent. */
  loginUrl?: string;
  /** The gateway's callback. */
  redirectUrl: string;
  /** Where postbacks go; null for none. */
  postbackUrl: string | null;
  /**
   * How a lack of funds or holdings shows: as a REJECTED row after the acknowledgement (what Kite
   * mostly does), or as an error answer (MarginException, HoldingException). `row` when absent.
   */
  rmsRejects?: 'row' | 'answer';
}

export interface PrimarySettings {
  accessToken: string;
  clientId: string;
  origin: string;
  /** Order calls only from 127.0.0.1, as the served door tells it (`x-sandbox-remote`). */
  enforceIpv4?: boolean;
  /** Rows echo `remarks`: the changelog's unreleased feature. False when absent. */
  remarks?: boolean;
  /** For `POST /generate/token`; sandbox-key, 1234 and 123456 when absent. */
  apiKey?: string;
  mpin?: string;
  totp?: string;
  /** Base32, for codes of the half minute, which are taken besides `totp`; one of its own when absent. */
  totpSecret?: string;
  /** False: the account trades no derivatives, and is refused when it asks for them. */
  derivatives?: boolean;
}

export interface SandboxSettings {
  clock: SandboxClock;
  random: SandboxRandom;
  kite: KiteSettings;
  primary: PrimarySettings;
  /** Sessions and holidays, or a market that never shuts. */
  market: MarketMode;
  /** How long answers take, [min, max] ms; [0, 0] when absent. */
  latencyMs?: readonly [number, number];
  /** How long each step of an order inside a broker takes, [min, max] ms; [15, 60] when absent. */
  orderStepMs?: readonly [number, number];
  /** How long a postback is under way, [min, max] ms; [40, 400] when absent. */
  postbackMs?: readonly [number, number];
  /** Limits are answered with 429. True when absent. */
  enforceLimits?: boolean;
  /** How postbacks leave the sandbox. */
  post(request: WireRequest): void;
}
