import type { MarketMode } from '../exchange/calendar.ts';
import type { SandboxClock, SandboxRandom } from './ports.ts';
import type { WireRequest } from './wire.ts';

export interface KiteSettings {
  apiKey: string;
  apiSecret: string;
  userId: string;
  /**
   * A second user of the same app, as in a family: an account, a book and a session of its own. Nobody
   * when absent.
   */
  otherUserId?: string;
  /** The list of triggers (GTTs) has those that were deleted no more. */
  forgetsTriggers?: true;
  /** `http://kite.sandbox`: scheme, host, port, nothing after. */
  origin: string;
  /** The address of the login page; `<origin>/connect/login` when absent. */
  loginUrl?: string;
  /** The gateway's callback. */
  redirectUrl: string;
  /** The address for postbacks; null for none. */
  postbackUrl: string | null;
  /**
   * How a lack of funds or holdings appears: as a REJECTED row after the acknowledgement (what Kite
   * mostly does), as an error reply (MarginException, HoldingException), or as both. `row` when absent.
   */
  rmsRejects?: RmsRejects;
  /** What stands in the place of the exchange's id where an order has none; null when absent. */
  noExchangeId?: string;
  /** Shares that the holdings tell of beside those that can be sold, by `NSE:INFY`; none when absent. */
  unsellable?: Readonly<Record<string, UnsellableShares>>;
}

export type RmsRejects = 'row' | 'answer' | 'both';

export interface UnsellableShares {
  /** Held under MTF. */
  mtf?: number;
  /** Pledged. */
  collateral?: number;
}

export interface PrimarySettings {
  accessToken: string;
  clientId: string;
  origin: string;
  /**
   * Order calls are accepted only from 127.0.0.1, as the transport reports it (`x-sandbox-remote`).
   */
  enforceIpv4?: boolean;
  /** How long `accessToken` is valid, in ms; 24 hours when absent. */
  accessTokenMs?: number;
  /** Rows echo `remarks`: the changelog's unreleased feature. False when absent. */
  remarks?: boolean;
  /** The list of instruments has the ISINs of shares. False when absent. */
  listsIsins?: boolean;
  /** What it does not list, `NSE:TATASTEEL`; everything when absent. */
  unlisted?: readonly string[];
  /** Rows show MARKET orders as LIMIT ones. False when absent. */
  marketAsLimit?: boolean;
  /** What stands in the place of the exchange's id where an order has none; empty when absent. */
  noExchangeId?: string;
  /** For `POST /generate/token`; sandbox-key, 1234 and 123456 when absent. */
  apiKey?: string;
  mpin?: string;
  totp?: string;
  /**
   * Base32: codes of the present half minute are accepted besides `totp`. A fixed secret when
   * absent.
   */
  totpSecret?: string;
  /** False: the account has no derivatives, and calls that ask for them are refused. */
  derivatives?: boolean;
}

export interface SandboxSettings {
  clock: SandboxClock;
  random: SandboxRandom;
  kite: KiteSettings;
  primary: PrimarySettings;
  /** False: replies have no Date header, so nobody is told the time. */
  tellsTime?: boolean;
  /** Sessions and holidays, or a market that never closes. */
  market: MarketMode;
  /** When the exchange closes on days on which it is not at 15:30: epoch ms, by IST day. */
  closes?: Readonly<Record<string, number>>;
  /** How long answers take, [min, max] ms; [0, 0] when absent. */
  latencyMs?: readonly [number, number];
  /** How long each step of an order inside a broker takes, [min, max] ms; [15, 60] when absent. */
  orderStepMs?: readonly [number, number];
  /** How long a postback takes to arrive, [min, max] ms; [40, 400] when absent. */
  postbackMs?: readonly [number, number];
  /** Whether requests above a limit are answered with 429. True when absent. */
  enforceLimits?: boolean;
  /** So many shares more at the NSE, `NSE:SHARE1` and so on; none when absent. */
  moreShares?: number;
  /** Sends a postback. */
  post(request: WireRequest): void;
}
