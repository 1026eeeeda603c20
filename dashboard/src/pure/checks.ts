import type { Schemas } from '../../../client/index.ts';
import type { PageState } from './state.ts';

/** What was read for the checklist; a text where it could not be, and why. */
export interface Found {
  readonly calendar: Schemas['Calendar'] | string;
  readonly readiness: { readonly missing: readonly Schemas['Missing'][] } | string;
  readonly limits: readonly Schemas['BrokerLimits'][] | string;
  readonly funds: Schemas['Funds'] | string;
  /** Of the account to which orders go. */
  readonly holdings: readonly Schemas['Holding'][] | string;
  /** Contracts that are held, and those of the indices that expire today or on the next trading day. */
  readonly expiring: readonly Expiring[] | string;
  /** How far the clock of the gateway's machine is before that of this one, ms; null where it is not told. */
  readonly clock: number | null;
}

export interface Expiring {
  readonly name: string;
  /** `2026-11-24` */
  readonly expiry: string;
  readonly isHeld: boolean;
}

export interface Check {
  /** `unknown` is never good: nobody could tell. */
  readonly is: 'ok' | 'look' | 'fail' | 'unknown';
  readonly what: string;
  readonly words: string;
}

export const READY_WORDS: Readonly<Record<Check['is'], string>> = {
  ok: '✓ OK',
  look: '! LOOK',
  fail: '✗ NO',
  unknown: '? NOT KNOWN',
};

export type Page = Pick<PageState, 'session' | 'brokers' | 'overview' | 'accounts' | 'orders'>;
