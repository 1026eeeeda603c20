import type { z } from 'zod';
import type { ProblemCode } from '../domain/problem.ts';
import { takesBroker } from './confinement.ts';
import type { Route } from './define-route.ts';

/**
 * Which problems a route may answer (docs/problems.md). A route declares those of its own
 * work; what every route of its kind may answer, `problemsOf` adds. Tests compare each problem that is
 * answered over HTTP with this declaration.
 */

const BROKER_READS = [
  'no_broker',
  'not_supported',
  'broker_unavailable',
  'broker_refused',
  'token_absent',
] as const satisfies readonly ProblemCode[];

export const EVENT_READS: readonly ProblemCode[] = [
  'cursor_expired',
  'journal_unavailable',
  'forbidden',
];

/** Of whatever names an instrument. */
export const NAMING = [
  'unknown_instrument',
  'ambiguous_instrument',
] as const satisfies readonly ProblemCode[];

export const ACCOUNT_READS: readonly ProblemCode[] = BROKER_READS;
export const MARKET_READS: readonly ProblemCode[] = [...BROKER_READS, ...NAMING];
export const CANDLE_READS: readonly ProblemCode[] = [...MARKET_READS, 'empty_range', 'not_offered'];
export const CHAIN_READS: readonly ProblemCode[] = [...MARKET_READS, 'not_offered'];
export const MARGIN_READS: readonly ProblemCode[] = [
  ...MARKET_READS,
  'several_brokers',
  'wrong_mode',
];
export const TRADE_READS: readonly ProblemCode[] = [...MARKET_READS, 'wrong_cursor'];
export const ORDER_LISTS: readonly ProblemCode[] = [...BROKER_READS, 'wrong_cursor'];
export const ORDER_READS: readonly ProblemCode[] = [
  ...BROKER_READS,
  'unknown_order',
  // The row of the journal that has the order may not fit.
  'journal_unavailable',
];

/** Of the terms of an order. */
const TERMS = [
  'price_off_tick',
  'lot_size',
  'quantity_too_large',
  'trigger_side',
  'not_tradable',
  'wrong_mode',
] as const satisfies readonly ProblemCode[];

/** Of whatever sends an order. */
const SENDING = [
  ...BROKER_READS,
  ...NAMING,
  ...TERMS,
  'idempotency_conflict',
  'recovering',
  'order_refused',
  'order_not_sent',
  'kill_switch',
  'disarmed',
  'disk_full',
  'limit_reached',
  'market_closed',
  'wrong_account',
  'journal_unavailable',
] as const satisfies readonly ProblemCode[];

export const PLACING: readonly ProblemCode[] = SENDING;
/** What concerns one order of a basket is in its own entry of the answer. */
export const PLACING_BASKET: readonly ProblemCode[] = [
  ...SENDING,
  'basket_refused',
  'repeated_key',
];

/** What a new order may be refused for, and a change of one that is there may not. */
const OF_NEW_ORDERS: ReadonlySet<ProblemCode> = new Set([
  ...NAMING,
  ...(['not_tradable', 'wrong_mode', 'market_closed', 'order_refused'] as const),
]);

/** Of a request about an order that is there. */
const ABOUT_ORDER = ['unknown_order', 'order_state', 'change_refused'] as const;

export const CHANGING: readonly ProblemCode[] = [
  ...SENDING.filter((code) => !OF_NEW_ORDERS.has(code) && code !== 'recovering'),
  ...ABOUT_ORDER,
  'change_under_way',
  'modified_too_often',
];

/** A cancel is a way out: no brake, no limit and no full disk refuses it. */
export const CANCELLING: readonly ProblemCode[] = [
  ...BROKER_READS,
  ...ABOUT_ORDER,
  'disarmed',
  'order_not_sent',
  'idempotency_conflict',
  'journal_unavailable',
];

export const CANCELLING_ALL: readonly ProblemCode[] = [
  'disarmed',
  ...BROKER_READS,
  ...NAMING,
  'idempotency_conflict',
  'order_not_sent',
  'journal_unavailable',
];

export const RESOLVING: readonly ProblemCode[] = [
  ...BROKER_READS,
  'unknown_order',
  'order_state',
  'wrong_account',
  'idempotency_conflict',
  'journal_unavailable',
];

export const TRIGGER_READS: readonly ProblemCode[] = ['unknown_trigger', 'unknown_order'];

export const CHANGING_TRIGGERS: readonly ProblemCode[] = [
  ...CHANGING,
  'unknown_trigger',
  'recovering',
];

export const DELETING_TRIGGERS: readonly ProblemCode[] = [...CANCELLING, 'unknown_trigger'];

export const RESOLVING_TRIGGERS: readonly ProblemCode[] = [...RESOLVING, 'unknown_trigger'];

export const EXITING: readonly ProblemCode[] = [
  'disarmed',
  ...BROKER_READS,
  ...NAMING,
  'unknown_order',
  'idempotency_conflict',
  'order_state',
  'wrong_account',
  'wrong_mode',
  'order_not_sent',
  'exit_running',
  'journal_unavailable',
];

export const CLOSING: readonly ProblemCode[] = [
  'disarmed',
  ...BROKER_READS,
  ...NAMING,
  'several_products',
  'idempotency_conflict',
  'order_not_sent',
  'order_state',
  'wrong_account',
  'journal_unavailable',
];

export const CHANGING_KEY: readonly ProblemCode[] = [
  'unknown_key',
  ...(['name_taken', 'key_revoked', 'admin_key'] as const),
  'forbidden',
  'journal_unavailable',
];

export const LOGGING_IN: readonly ProblemCode[] = [
  ...BROKER_READS,
  'login_refused',
  'login_failed',
];

export const RECEIVING: readonly ProblemCode[] = [
  'unauthorized',
  'not_supported',
  'no_broker',
  'disk_full',
  'journal_unavailable',
];

export const TAKING_SIGNALS: readonly ProblemCode[] = [
  'unknown_hook',
  'stale_signal',
  'forbidden',
  'too_many_requests',
  'idempotency_conflict',
  'disk_full',
  'journal_unavailable',
];

type Declared = Pick<
  Route,
  'method' | 'scope' | 'query' | 'body' | 'isMarketData' | 'only' | 'keyElsewhere' | 'problems'
>;

/** All problems of a route: its own, and those of every route of its kind. */
export function problemsOf(route: Declared): readonly ProblemCode[] {
  const { method, scope, only, keyElsewhere } = route;
  const codes = new Set<ProblemCode>(['invalid_request', 'wrong_host', 'internal']);
  if (scope !== 'none') codes.add('unauthorized').add('too_many_requests');
  if (mayBeForbidden(route)) codes.add('forbidden');
  const isOfBrowsers = only === 'navigation' || keyElsewhere === true;
  if (method !== 'GET' || isOfBrowsers) codes.add('foreign_origin');
  if (method !== 'GET') codes.add('unsupported_media_type').add('body_too_large');
  for (const code of route.problems) codes.add(code);
  return [...codes];
}

/** Every key may read; the broker of a request may be one that the key is not confined to. */
function mayBeForbidden({ scope, query, body, isMarketData }: Declared): boolean {
  if (scope === 'none') return false;
  const namesBroker = [query, body].some((schema: z.ZodType | undefined) => takesBroker(schema));
  return scope !== 'read' || (namesBroker && !isMarketData);
}
