import type { MarginEstimate, MarginQuery } from '../../domain/margin.ts';
import { difference, sum, toPaisa } from '../../domain/money.ts';
import type { KiteClient } from './client.ts';
import type { GuardedCalls } from './calls.ts';
import { toFunds } from './mapping-portfolio.ts';
import type { RateLimitQueues } from './rate-limits.ts';
import { PRODUCTS, varietyOf } from './request.ts';
import {
  basketReply,
  type BasketReply,
  type ChargesRow,
  type MarginRow,
  marginRows,
  parseAs,
} from './schemas.ts';
import { margins as funds } from './schemas-portfolio.ts';
import type { SdkParams } from './sdk.ts';

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
  const queue = queues.asked;

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

/**
 * What orders would block and cost, in rupees (docs/spec/kite-payloads.md). `available` is that of
 * the segment.
 */
export function ofOneOrder(row: MarginRow, available: number | null): MarginEstimate {
  return estimate(row, row.charges ? [row.charges] : [], available);
}

/**
 * `final` is what the orders block together, with hedging benefits. `initial` is what they would
 * need if placed one after the other, the dearest first.
 */
export function ofBasket(reply: BasketReply, available: number | null): MarginEstimate {
  const each = reply.orders.flatMap((order) => (order.charges ? [order.charges] : []));
  const whole = each.length === reply.orders.length ? each : [];
  const { parts, ...rest } = estimate(
    reply.final,
    reply.charges && reply.charges.total > 0 ? [reply.charges] : whole,
    available,
  );
  return {
    ...{ ...rest, parts: { ...parts, initial_total: toPaisa(reply.initial.total) } },
    alone: toPaisa(sum(reply.orders.map(({ total }) => total))),
  };
}

function estimate(
  row: MarginRow,
  charges: readonly ChargesRow[],
  available: number | null,
): MarginEstimate {
  const required = toPaisa(row.total);
  return {
    required,
    available,
    shortfall: available === null ? null : Math.max(0, difference(required, available)),
    parts: numbersOf(row),
    charges: chargesOf(charges),
  };
}

/**
 * The sum over the orders. Null where it would be 0: no order is free of charges, and the broker
 * writes zeros where it has not calculated them.
 */
function chargesOf(rows: readonly ChargesRow[]): MarginEstimate['charges'] {
  const total = sum(rows.map((row) => row.total));
  if (total <= 0) return null;
  const parts: Record<string, number> = {};
  for (const row of rows) {
    const amounts = { ...numbersOf(row), ...(row.gst?.total ? { gst: row.gst.total } : {}) };
    for (const [name, amount] of Object.entries(amounts)) {
      parts[name] = toPaisa(sum([parts[name] ?? 0, amount]));
    }
  }
  return { total: toPaisa(total), parts };
}

/** `total` is a sum and `leverage` a factor: neither is a part of the charges. */
const NO_PARTS: ReadonlySet<string> = new Set(['total', 'leverage']);

function numbersOf(row: Readonly<Record<string, unknown>>): Record<string, number> {
  const numbers: Record<string, number> = {};
  for (const [name, value] of Object.entries(row)) {
    if (typeof value === 'number' && !NO_PARTS.has(name)) numbers[name] = toPaisa(value);
  }
  return numbers;
}

/** The broker takes 0 where there is no price. */
export function marginParams(order: MarginQuery): SdkParams {
  const { price, triggerPrice } = order.terms;
  return { ...aboutOf(order), price: price ?? 0, trigger_price: triggerPrice ?? 0 };
}

function aboutOf({ terms, instrument }: MarginQuery): SdkParams {
  return {
    exchange: instrument.exchange,
    tradingsymbol: instrument.tradingSymbol,
    transaction_type: terms.side,
    variety: varietyOf(terms),
    product: PRODUCTS[terms.product],
    order_type: terms.orderType,
    quantity: terms.quantity,
  };
}
