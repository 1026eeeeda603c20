import type { Instrument } from '../sandbox/exchange/instrument.ts';

export const LEGS = 40;
export const ENTRIES = 1_000;
/** It rests below the market: an entry that filled would open what is being closed. */
export const ENTRY = JSON.stringify({
  ...{ instrument: 'NSE:INFY', side: 'BUY', quantity: 1, product: 'INTRADAY' },
  ...{ orderType: 'LIMIT', price: 1_400 },
});
/** So long entries have been asked for, and nearly all of them still wait, when the exits begin. */
export const QUEUED_FOR_MS = 1_500;

export interface Closed {
  /** From the request of the closing to the last fill at the broker, ms. */
  readonly tookMs: number;
  /** The least that the limits allow, ms. */
  readonly leastMs: number;
  /** Entries that waited when the closing was asked for. */
  readonly queued: number;
  /** Order requests that the broker refused because they were above a limit. */
  readonly limitBreaks: number;
  readonly placed: number;
  /** Answered with 503, and nothing was sent. */
  readonly notSent: number;
  /** Not answered, or answered in another way. */
  readonly unanswered: number;
}

/** Options and shares of the National Stock Exchange, each a position of its own. */
export function legsOf(listed: readonly Instrument[]): readonly Instrument[] {
  return listed
    .filter(({ kind, exchange }) => kind === 'option' || (kind === 'share' && exchange === 'NSE'))
    .slice(0, LEGS);
}

/** 4 % above a price in paise, at a multiple of every tick there; rupees. */
export function farPrice(paise: number): number {
  const far = paise * 1.04;
  const step = far < 100_000 ? 5 : 500;
  return (Math.ceil(far / step) * step) / 100;
}
