import type { BrokerName, FaultKind, FaultRule, FaultSwitch } from '../../sandbox/kernel/faults.ts';
import type { Outcome } from '../../src/domain/outcome.ts';
import type { BrokerUnderTest, PlacingTrouble, Trouble } from './under-test.ts';

/** A broker whose wire a test can spoil. */
export interface Spoilt extends BrokerUnderTest {
  readonly faults: FaultSwitch;
}

const strikeWith =
  (rule: FaultRule) =>
  (under: BrokerUnderTest): void => {
    (under as Spoilt).faults.add(rule);
  };

const READING: readonly (readonly [string, FaultKind, FaultRule['params']?])[] = [
  ['the connection is refused', 'refuse'],
  ['the broker never answers', 'hang_before'],
  ['the broker answers 503', 'error_before', { status: 503 }],
  ['a proxy answers 502 with a page', 'error_before', { status: 502, body: 'html' }],
  ['the broker says that the limit is exceeded', 'rate_limited'],
  ['a page comes with status 200', 'html_2xx_after'],
  ['a failure comes with status 200', 'lying_2xx_after'],
  ['the answer is not JSON', 'lying_2xx_after', { body: 'ok' }],
  ['the body is cut', 'cut_after'],
  ['the body trickles and never ends', 'trickle_after'],
  ['the connection is reset', 'reset_after'],
  ['the broker redirects', 'redirect'],
  ['the token is dead', 'dead_token'],
];

/** What can go wrong with a read; nothing of it is an empty list. */
export function readTroubles(broker: BrokerName): readonly Trouble[] {
  return READING.map(([name, kind, params]) => ({
    name,
    strike: strikeWith({ broker, kind, ...(params ? { params } : {}) }),
  }));
}

type Row = readonly [
  name: string,
  kind: FaultKind,
  outcome: Partial<Outcome>,
  orders: 0 | 1,
  params?: FaultRule['params'],
];
const OPEN = { kind: 'uncertain' } as const;
const LOST_BEFORE = 0;
const LOST_AFTER = 1;

const PLACING: readonly Row[] = [
  ['the connection is refused', 'refuse', { kind: 'not_sent', cause: 'connect' }, 0],
  ['the limit is exceeded', 'rate_limited', { kind: 'refused', rejection: 'rate_limited' }, 0],
  ['the token is dead', 'dead_token', { kind: 'refused', rejection: 'auth' }, 0],
  ['nothing answers, and nothing was placed', 'hang_before', OPEN, LOST_BEFORE],
  ['502, and nothing was placed', 'error_before', OPEN, LOST_BEFORE],
  ['a 504 page, and nothing was placed', 'error_before', OPEN, 0, { status: 504, body: 'html' }],
  ['a reset, and nothing was placed', 'reset_before', OPEN, LOST_BEFORE],
  ['a failure with status 200, and nothing was placed', 'lying_2xx_before', OPEN, LOST_BEFORE],
  ['a redirect', 'redirect', OPEN, LOST_BEFORE],
  ['nothing answers, and it was placed', 'hang_after', OPEN, LOST_AFTER],
  ['502, and it was placed', 'error_after', OPEN, LOST_AFTER],
  ['a 500 page, and it was placed', 'error_after', OPEN, 1, { status: 500, body: 'html' }],
  ['a failure with status 200, and it was placed', 'lying_2xx_after', OPEN, LOST_AFTER],
  ['a page with status 200', 'html_2xx_after', OPEN, LOST_AFTER],
  ['a success without an id', 'no_id_2xx_after', OPEN, LOST_AFTER],
  ['a body that is cut', 'cut_after', OPEN, LOST_AFTER],
  ['a body that trickles', 'trickle_after', OPEN, LOST_AFTER],
  ['a reset, and it was placed', 'reset_after', OPEN, LOST_AFTER],
];

/** What can come of one request to place, and what the broker then has. */
export function placingTroubles(broker: BrokerName): readonly PlacingTrouble[] {
  const match = { method: 'POST' };
  return PLACING.map(([name, kind, outcome, orders, params]) => ({
    name,
    outcome,
    orders,
    strike: strikeWith({ broker, kind, match, times: 1, ...(params ? { params } : {}) }),
  }));
}

/** This broker's own: a 400 that says "timed out", and the order some seconds after it. */
export const timedOutWith400: PlacingTrouble = {
  name: '400 "timed out", and it was placed later',
  outcome: OPEN,
  orders: 1,
  strike: strikeWith({ broker: 'kite', kind: 'timeout_400', times: 1 }),
};
