import type { Sandbox } from '../../sandbox/kernel/sandbox.ts';
import type { WireReaction } from '../../sandbox/kernel/wire.ts';
import type { Composed } from '../../src/compose.ts';
import type { ExecutionState } from '../../src/execution/journal/state.ts';
import type { HttpRequest } from '../../src/platform/http.ts';
import { KITE_ORIGIN } from './world-settings.ts';

interface Parts {
  readonly sandbox: Sandbox;
  readonly last: () => Composed | null;
}

/**
 * Hands a request to its broker. Where it has read the positions while an exit is under way, orders that rest for its
 * position fill: what was answered does not show that any more, and the next book shows no order that rests.
 */
export function fillingBetweenReads(
  arrive: () => WireReaction,
  request: Pick<HttpRequest, 'method' | 'url'>,
  { sandbox, last }: Parts,
): () => WireReaction {
  return () => {
    const reaction = arrive();
    const state = last()?.execution.state;
    const isOfPositions = request.method === 'GET' && /\/portfolio\/positions\b/.test(request.url);
    if (isOfPositions && state !== undefined) fillResting(request.url, sandbox, state);
    return reaction;
  };
}

/**
 * Hands a request to its broker. Just before a leg of an exit arrives, orders of others fill that rest for its position: an
 * exit that has not kept free what they take sells it a second time.
 */
export function fillingBeforeLegs(
  arrive: () => WireReaction,
  request: Pick<HttpRequest, 'method' | 'url'>,
  { sandbox, last }: Parts,
): () => WireReaction {
  return () => {
    const state = last()?.execution.state;
    const isPlacing = request.method === 'POST' && /\/(?:orders\/regular|order)$/.test(request.url);
    if (isPlacing && state !== undefined) fillResting(request.url, sandbox, state);
    return arrive();
  };
}

/**
 * Hands a request to its broker. Just before the cancel of an order arrives while an exit of its position is under way,
 * the order fills, every other time: a target can be faster than its cancel.
 */
export function fillingBeforeCancels({ sandbox, last }: Parts) {
  let count = 0;
  return (
      arrive: () => WireReaction,
      { method, url, body }: Pick<HttpRequest, 'method' | 'url' | 'body'>,
    ): (() => WireReaction) =>
    () => {
      const isKite = url.startsWith(KITE_ORIGIN);
      const isCancel = isKite ? method === 'DELETE' : url.endsWith('/order/cancel');
      if (!isCancel) return arrive();
      const inspector = isKite ? sandbox.kite : sandbox.primary;
      const order = inspector
        .orders()
        .find(({ orderId }) => `${url} ${String(body)}`.includes(orderId));
      const isClosed = [...(last()?.execution.state.exits.values() ?? [])].some(
        ({ over, instrument }) => over === null && instrument === order?.instrument,
      );
      if (!isClosed || order?.phase !== 'open' || order.limitPaise === null) return arrive();
      count += 1;
      if (count % 2 === 1) {
        inspector.fillByHand(
          order.orderId,
          order.quantity - order.filledQuantity,
          order.limitPaise,
        );
      }
      return arrive();
    };
}

function fillResting(url: string, sandbox: Sandbox, state: ExecutionState): void {
  const isKite = url.startsWith(KITE_ORIGIN);
  const inspector = isKite ? sandbox.kite : sandbox.primary;
  const running = [...state.exits.values()].filter(
    ({ broker, over }) => over === null && broker === (isKite ? 'alt' : 'primary'),
  );
  for (const { instrument, side } of running) {
    for (const order of inspector.orders()) {
      const rests = order.phase === 'open' && order.placedBy === 'hand';
      if (!rests || order.instrument !== instrument || order.side !== side) continue;
      const left = order.quantity - order.filledQuantity;
      inspector.fillByHand(order.orderId, left, order.limitPaise);
    }
  }
}

/**
 * Hands a request to its broker. Where it has read the positions while an exit is under way, a person leaves an order
 * resting for its position, once for each exit: the book by which the exit has cancelled does not show it.
 */
export function restingBetweenReads({ sandbox, last }: Parts) {
  const done = new Set<string>();
  return (
      arrive: () => WireReaction,
      { method, url }: Pick<HttpRequest, 'method' | 'url'>,
    ): (() => WireReaction) =>
    () => {
      const reaction = arrive();
      if (method !== 'GET' || !/\/portfolio\/positions\b/.test(url)) return reaction;
      const isKite = url.startsWith(KITE_ORIGIN);
      for (const exit of last()?.execution.state.exits.values() ?? []) {
        const { id, broker, instrument, side, over } = exit;
        const away = REST_AT_PAISE[instrument];
        if (over !== null || broker !== (isKite ? 'alt' : 'primary') || done.has(id)) continue;
        done.add(id);
        if (side !== 'SELL' || away === undefined) continue;
        const order = { instrument, side, quantity: 30, product: 'intraday' as const };
        (isKite ? sandbox.kite : sandbox.primary).placeByHand({ ...order, limitPaise: away });
      }
      return reaction;
    };
}

/** Prices at which a sale rests. */
const REST_AT_PAISE: Readonly<Record<string, number>> = { 'NSE:INFY': 158_000, 'NSE:ITC': 43_500 };
