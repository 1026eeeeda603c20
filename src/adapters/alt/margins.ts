import type { MarginEstimate, MarginQuery } from '../../domain/margin.ts';
import type { GuardedCalls } from './guarded-calls.ts';
import type { KiteClient } from './client.ts';
import { ofBasket, ofOneOrder } from './mapping-margins.ts';
import { toFunds } from './mapping-portfolio.ts';
import type { RateLimitQueues } from './rate-limits.ts';
import { marginParams } from './request-margins.ts';
import { margins as funds, parseAs } from './schemas.ts';
import { basketReply, marginRows } from './schemas-margins.ts';

export interface MarginsParts {
  readonly client: KiteClient;
  readonly guardedCalls: GuardedCalls;
  readonly queues: RateLimitQueues;
}

const NOTHING: MarginEstimate = {
  required: 0,
  available: null,
  shortfall: null,
  parts: {},
  charges: null,
};

/** What orders would block and cost (docs/spec/alt-operations.md). Places nothing. */
export function createAltMargins({ client, guardedCalls, queues }: MarginsParts) {
  const queue = queues.account;

  /** Commodities have separate funds, which the gateway does not read. */
  async function available(orders: readonly MarginQuery[]): Promise<number | null> {
    if (orders.some(({ instrument }) => instrument.exchange === 'MCX')) return null;
    return guardedCalls.read(
      queue,
      client.equityMargins,
      (data) => toFunds(parseAs(funds, data)).available,
    );
  }

  return {
    async margins(orders: readonly MarginQuery[]): Promise<MarginEstimate> {
      if (orders.length === 0) return NOTHING;
      const params = orders.map(marginParams);
      const [estimate, free] = await Promise.all([
        orders.length === 1
          ? guardedCalls.read(
              queue,
              (token) => client.orderMargins(token, params),
              (data) => {
                const rows = parseAs(marginRows, data);
                const row = rows[0];
                if (!row || rows.length !== 1)
                  throw new Error('the margins do not have one row for the one order');
                return (free: number | null) => ofOneOrder(row, free);
              },
            )
          : guardedCalls.read(
              queue,
              (token) => client.basketMargins(token, params),
              (data) => {
                const basket = parseAs(basketReply, data);
                if (basket.orders.length !== orders.length) {
                  throw new Error('the charges do not have one row for each order');
                }
                return (free: number | null) => ofBasket(basket, free);
              },
            ),
        available(orders),
      ]);
      return estimate(free);
    },
  };
}
