import { createHash } from 'node:crypto';
import type { Mode } from '../../src/domain/broker.ts';
import type { OrderRequest } from '../../src/domain/order.ts';

/** A hook of a day with signals. */
export interface PlayedHook {
  readonly id: string;
  /** The key whose orders they are. */
  readonly caller: string;
  readonly mode: Mode;
  /** The secret of its path. */
  readonly secret: string;
  /** Several orders an alert. */
  readonly isList: boolean;
}

const hook = (name: string, mode: Mode, isList: boolean): PlayedHook => ({
  ...{ id: `hook_${name}`, caller: `signal-${mode}`, mode, isList },
  secret: `sig_CANARY-hook-${name}`,
});

/** One for real money, one for paper, and one whose alerts name several shares. */
export const HOOKS = [
  hook('live', 'live', false),
  hook('paper', 'paper', false),
  hook('list', 'live', true),
] as const;

/** The keys of hooks, with the mode that each may use; null for both. */
export const HOOK_KEYS = [
  { id: 'signal-live', mode: 'live' },
  { id: 'signal-paper', mode: null },
] as const;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The content of `hooks.json`. `at` in epoch ms. */
export function hooksFile(at: number, maxAgeSeconds: number | null): string {
  const hooks = HOOKS.map(({ id, caller, mode, secret, isList }) => ({
    ...{ id, name: id, key: caller, mode, sha256: sha256(secret) },
    template: {
      ...{ id: '{id}', time: '{at}', text: null, words: {}, maxQuantity: 1_000 },
      forEach: isList ? ['stocks'] : [],
      order: {
        instrument: isList ? 'NSE:{stocks}' : 'NSE:{ticker}',
        ...{ side: '{action}', quantity: '{quantity}', orderType: 'MARKET', product: 'INTRADAY' },
      },
    },
    ...{ addresses: null, maxAgeSeconds, createdAt: at, createdBy: 'person' },
    ...{ rotatedAt: null, rotatedBy: null },
  }));
  return JSON.stringify({ version: 1, hooks });
}

/** The key under which an order of an alert is placed. */
export const keyOfAlert = ({ id }: PlayedHook, alertId: string, index: number): string =>
  `sig-${sha256(`${id}\n${alertId}`).slice(0, 40)}-${index}`;

/** An alert as a program posts it. */
export interface PostedSignal {
  readonly id: string;
  readonly action: 'buy' | 'sell';
  readonly tickers: readonly string[];
  readonly quantity: number;
  /** Epoch ms. */
  readonly at: number;
}

export const bodyOf = ({ isList }: PlayedHook, alert: PostedSignal): string => {
  const { id, action, tickers, quantity, at } = alert;
  const named = isList ? { stocks: tickers.join(',') } : { ticker: tickers[0] };
  return JSON.stringify({ id, action, quantity, at, ...named });
};

/** The orders that it asks for. */
export const ordersOf = (
  { mode }: PlayedHook,
  { action, tickers, quantity }: PostedSignal,
): OrderRequest[] =>
  tickers.map((ticker) => ({
    ...{ instrument: `NSE:${ticker}`, quantity, orderType: 'MARKET', product: 'INTRADAY' },
    ...{ side: action === 'buy' ? 'BUY' : 'SELL', validity: 'DAY', price: null },
    ...{ triggerPrice: null, amo: false, tag: null, broker: null, mode },
  }));
