import { GatewayProblem } from '../domain/problem.ts';
import type { Execution } from '../execution/execution.ts';
import { callerKey } from '../execution/journal/records.ts';
import { orderResponse } from '../execution/order/order-response.ts';
import { createTurns } from '../platform/turns.ts';
import type { CallContext } from './gateway.ts';

/** What a key has begun before, in words, with what an answer shows of it. */
export interface Used {
  readonly what: string;
  readonly extra?: GatewayProblem['fields']['extra'];
}

/**
 * Begins something under a key. Where that fails for what is known now (no list to compare the instrument with, no
 * broker), and the key has begun something before, the problem says so: that may have done what is asked for again.
 */
export async function underKey<T>(
  begin: () => Promise<T>,
  used: () => Promise<Used | null> | Used | null,
): Promise<T> {
  try {
    return await begin();
  } catch (error) {
    if (!(error instanceof GatewayProblem) || error.code === 'idempotency_conflict') throw error;
    const before = await used();
    if (before === null) throw error;
    const detail =
      `the key has begun ${before.what}, and whether this request is the same cannot be told now ` +
      `(${error.fields.detail}): read that one, or send the request again later under the same key`;
    const extra = before.extra === undefined ? {} : { extra: before.extra };
    throw new GatewayProblem({ code: 'no_broker', detail, mayHaveExecuted: true, ...extra }, error);
  }
}

/** Runs the work of a request in the turn of its key. */
export type InTurnOfKey = <T>(
  context: Pick<CallContext, 'caller' | 'idempotencyKey'>,
  work: () => Promise<T>,
) => Promise<T>;

/**
 * Requests of one key wait for each other: until the first has written down what it begins, no other can tell that it will,
 * and one that fails by itself would be answered that nothing has happened. What waits keeps the journal open.
 */
export function createKeyTurns({ track }: Pick<Execution, 'track'>): InTurnOfKey {
  const inTurn = createTurns();
  return ({ caller, idempotencyKey }, work) =>
    track(idempotencyKey === null ? work() : inTurn(callerKey(caller, idempotencyKey), work));
}

/** The keys of the orders of baskets that are under way: most of them wait for their turn, and leave later. */
export interface BasketKeys {
  hold<T>(keys: readonly string[], work: () => Promise<T>): Promise<T>;
  has(key: string): boolean;
}

export function createBasketKeys(): BasketKeys {
  const held: (readonly string[])[] = [];
  return {
    async hold(keys, work) {
      held.push(keys);
      try {
        return await work();
      } finally {
        held.splice(held.indexOf(keys), 1);
      }
    },
    has: (key) => held.some((keys) => keys.includes(key)),
  };
}

/** What the request that a key came with before may have placed, or a basket that is under way may place. */
export function placedUnder(
  { madeUnder }: Pick<Execution, 'madeUnder'>,
  { caller, idempotencyKey }: Pick<CallContext, 'caller' | 'idempotencyKey'>,
  baskets: Pick<BasketKeys, 'has'> | null,
): Used | null {
  if (idempotencyKey === null) return null;
  const made = madeUnder(caller, idempotencyKey);
  if (made === null) {
    const isInBasket = baskets?.has(callerKey(caller, idempotencyKey)) ?? false;
    return isInBasket ? { what: 'an order of a basket that is under way' } : null;
  }
  return made === 'under_way'
    ? { what: 'an order that is under way' }
    : { what: `order ${made.id}`, extra: { order: orderResponse(made) } };
}
