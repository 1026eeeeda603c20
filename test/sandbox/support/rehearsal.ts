import { seededRandom } from '../../../sandbox/kernel/ports.ts';
import type { Sandbox, SandboxSettings } from '../../../sandbox/kernel/sandbox.ts';
import { createSandbox } from '../../../sandbox/kernel/sandbox.ts';
import type { WireReaction, WireRequest } from '../../../sandbox/kernel/wire.ts';
import type { ManualClock } from './manual-clock.ts';
import { manualClock } from './manual-clock.ts';

export const kiteOrigin = 'http://kite.sandbox';
export const primaryOrigin = 'http://primary.sandbox';
/** Friday 6 November 2026, 11:00 IST: an ordinary trading day. */
export const fridayMorning = Date.parse('2026-11-06T11:00:00+05:30');

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
  // Tests read whatever the broker wrote.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  json: any;
}

export interface Rehearsal {
  clock: ManualClock;
  sandbox: Sandbox;
  posts: WireRequest[];
  token: string;
  /** A call to Kite with the live token; the reaction as it is. */
  kiteWire(method: string, path: string, form?: Record<string, string>): WireReaction;
  kite(method: string, path: string, form?: Record<string, string>): Answer;
  primaryWire(method: string, path: string, body?: unknown): WireReaction;
  primary(method: string, path: string, body?: unknown): Answer;
}

export function answerOf(reaction: WireReaction): Answer {
  if (reaction.kind !== 'answer') throw new Error(`no answer: ${reaction.kind}`);
  const { status, headers, body } = reaction;
  let json: unknown = null;
  try {
    json = JSON.parse(body);
  } catch {
    // Not every answer is JSON.
  }
  return { status, headers, body, json };
}

export type RehearsalOptions = Partial<Omit<SandboxSettings, 'kite' | 'primary'>> & {
  at?: number;
  seed?: string;
  kite?: Partial<SandboxSettings['kite']>;
  primary?: Partial<SandboxSettings['primary']>;
};

export function rehearse(options: RehearsalOptions = {}): Rehearsal {
  const { at, seed, kite, primary, ...rest } = options;
  const clock = manualClock(at ?? fridayMorning);
  const posts: WireRequest[] = [];
  const sandbox = createSandbox({
    clock,
    random: seededRandom(seed ?? 'rehearsal'),
    market: 'always-open',
    enforceLimits: false,
    orderStepMs: [10, 10],
    post: (request) => void posts.push(request),
    ...rest,
    kite: {
      apiKey: 'key',
      apiSecret: 'secret',
      userId: 'AB1234',
      origin: kiteOrigin,
      redirectUrl: 'http://gateway.test/callback',
      postbackUrl: 'http://gateway.test/postback',
      ...kite,
    },
    primary: { accessToken: 'raw-token', clientId: '1234567', origin: primaryOrigin, ...primary },
  });
  const token = sandbox.kite.loginDirect();
  const kiteWire: Rehearsal['kiteWire'] = (method, path, form) =>
    sandbox.handle({
      method,
      url: `${kiteOrigin}${path}`,
      headers: { authorization: `token key:${token}`, 'x-kite-version': '3' },
      body: form ? new URLSearchParams(form).toString() : '',
    });
  const primaryWire: Rehearsal['primaryWire'] = (method, path, body) =>
    sandbox.handle({
      method,
      url: `${primaryOrigin}${path}`,
      headers: { authorization: 'raw-token', 'content-type': 'application/json' },
      body: body === undefined ? '' : JSON.stringify(body),
    });
  return {
    clock,
    sandbox,
    posts,
    token,
    kiteWire,
    kite: (...call) => answerOf(kiteWire(...call)),
    primaryWire,
    primary: (...call) => answerOf(primaryWire(...call)),
  };
}

/** A Kite order form for INFY. */
export const kiteOrder = (more: Record<string, string> = {}): Record<string, string> => ({
  exchange: 'NSE',
  tradingsymbol: 'INFY',
  transaction_type: 'BUY',
  quantity: '10',
  product: 'CNC',
  order_type: 'MARKET',
  validity: 'DAY',
  market_protection: '-1',
  ...more,
});

/** A primary order body for INFY. */
export const primaryOrder = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  txn_type: 'BUY',
  exchange: 'NSE',
  segment: 'EQUITY',
  product: 'CNC',
  order_type: 'MARKET',
  validity: 'DAY',
  security_id: '1594',
  qty: 10,
  is_amo: false,
  algo_id: '99999',
  ...more,
});
