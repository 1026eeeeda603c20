import { z } from 'zod';
import type { Caller } from '../callers/caller.ts';
import { GatewayProblem } from '../domain/problem.ts';
import type { Route } from './define-route.ts';

/** The checked query and body of a request. */
interface Inputs {
  readonly query: unknown;
  readonly body: unknown;
}

/**
 * A key that is confined to one broker (docs/keys.md) uses that broker alone: a request that names another
 * one is refused, and one that names none gets it, wherever the route takes a broker. Market data are the
 * same at every broker, so that they are not confined. Throws `forbidden`.
 */
export function confined(
  route: Pick<Route, 'query' | 'body' | 'isMarketData'>,
  caller: Pick<Caller, 'name' | 'broker'> | null,
  { query, body }: Inputs,
): Inputs {
  if (caller === null || caller.broker === null || route.isMarketData) return { query, body };
  const { broker, name } = caller;
  for (const named of [brokerIn(query), brokerIn(body), ...brokersOfOrders(body)]) {
    if (named === undefined || named === broker) continue;
    throw new GatewayProblem({
      code: 'forbidden',
      detail: `The key ${name} may use ${broker} alone, and the request names ${named}: leave broker out, or use another key.`,
      mayHaveExecuted: false,
    });
  }
  if (takesBroker(route.query)) return { query: { ...Object(query), broker }, body };
  if (takesBroker(route.body)) return { query, body: { ...Object(body), broker } };
  return { query, body };
}

function brokerIn(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'broker' in value
    ? value.broker
    : undefined;
}

/** Orders of a basket, or of a request for margins, may each name one. */
function brokersOfOrders(body: unknown): readonly unknown[] {
  const isList = typeof body === 'object' && body !== null && 'orders' in body;
  return isList && Array.isArray(body.orders) ? body.orders.map(brokerIn) : [];
}

/** Whether a schema of a query or a body has the field, also where the body may be absent. */
export function takesBroker(schema: z.ZodType | undefined): boolean {
  if (schema instanceof z.ZodOptional) return takesBroker(schema.unwrap() as z.ZodType);
  return schema instanceof z.ZodObject && 'broker' in schema.shape;
}
