import { createHash } from 'node:crypto';
import { istIso } from '../../../src/domain/ist.ts';
import type { OrderResponse } from '../../../src/domain/order.ts';
import type { Gateway, OrderFill } from '../../../src/router/gateway.ts';
import type { DayKind } from '../hours.ts';
import { planDay } from '../plan.ts';
import { playSeed } from '../run-seed.ts';
import type { World } from '../world.ts';
import { epochMs } from '../../../src/units/branded.ts';

/** What two versions of the gateway are compared by, for one seed. */
export interface DayDigests {
  /** Of all requests to the brokers, in the order in which they were sent. 12 hex digits. */
  readonly requests: string;
  /** Of the orders and fills as callers see them when the day is over. 12 hex digits. */
  readonly orders: string;
}

/** The same as text, one request, order or fill a line, for `diff`. */
export interface DayLog {
  readonly requests: readonly string[];
  readonly orders: readonly string[];
}

/** Plays the day of a seed and writes down what it sent and how it ended. */
export function playForLog(kind: DayKind, seed: string): Promise<DayLog> {
  return playSeed(planDay(seed, null, kind), async ({ world }) => {
    const requests = requestLines(world.sent);
    return { requests, orders: await orderLines(world) };
  });
}

export const digestsOf = ({ requests, orders }: DayLog): DayDigests => ({
  requests: digest(requests),
  orders: digest(orders),
});

const digest = (lines: readonly string[]): string =>
  createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 12);

const TAG = /(?:tag=|"remarks":")([A-Za-z0-9]{20})/;

/** Reads of the instrument lists. */
const LIST = /^http:\/\/(kite\.test|primary\.test\/market)\/instruments/;

/**
 * Virtual time, broker, method, URL and body. Reads of the instrument lists are left out: no order
 * follows from when a list is read, and since each list stands by itself, each is read at a time of
 * its own. One thing is replaced: the tag of an order is random, and a version that draws one more
 * identifier for something else draws another tag. Each tag is written as `TAG-n` by first
 * appearance, so that the same tag twice still shows.
 */
function requestLines(sent: World['sent']): string[] {
  const names = new Map<string, string>();
  return sent
    .filter(({ request }) => !LIST.test(request.url))
    .map(({ at, broker, request }) => {
      const { method, url, body = '' } = request;
      const line = `${istIso(epochMs(at))} ${broker} ${method} ${url} ${body}`;
      const tag = TAG.exec(body)?.[1];
      if (tag === undefined) return line;
      if (!names.has(tag)) names.set(tag, `TAG-${names.size + 1}`);
      return line.replaceAll(tag, names.get(tag)!);
    });
}

const HOUR_MS = 3_600_000;
const BROKERS = ['alt', 'primary', 'paper'] as const;
const DAYS = ['2026-11-05', '2026-11-06'] as const;

/**
 * Asks the gateway as a caller would. An hour after the end of the day, by which time the gateway's
 * clock is past 06:00 even where it was set back: of a past day it lists its own orders alone and
 * asks no broker.
 */
async function orderLines(world: World): Promise<string[]> {
  await world.runUntil(world.plan.hours.end + HOUR_MS);
  const gateway = world.current()?.composed?.gateway;
  if (!gateway) return ['the gateway is not up when the day is over'];
  const orders = await ordersOf(gateway);
  const named = await Promise.all(
    [...orders.values()].map(async (order) =>
      lineOf(order, await gateway.getFills(order.id), orders),
    ),
  );
  return named.sort();
}

async function ordersOf(gateway: Gateway): Promise<ReadonlyMap<string, OrderResponse>> {
  const orders = new Map<string, OrderResponse>();
  for (const broker of BROKERS) {
    for (const day of DAYS) {
      const { data } = await gateway.getOrders({ broker, day });
      for (const order of data) orders.set(order.id, order);
    }
  }
  return orders;
}

/**
 * An order with its fills: the fields that a caller sees, by name, so that a new field is no
 * difference. Left out are `id`, which is random, `updatedAt`, which moves with each write whether or
 * not a caller sees what it changes, and the words of `reason`, which may be put better. An id within
 * another field is replaced by key and time of the order that it names.
 */
function lineOf(
  order: OrderResponse,
  fills: readonly OrderFill[],
  orders: ReadonlyMap<string, OrderResponse>,
): string {
  const { broker, mode, brokerOrderId, exchangeOrderId, clientOrderId, parentId, createdAt } =
    order;
  const { instrument, side, quantity, orderType, product, validity, price, triggerPrice } = order;
  const { filledQuantity, remainingQuantity, averagePrice, fillPriceSource } = order;
  const { status, boundBy, absentSince, external, amo, tag, reason } = order;
  const names = { broker, mode, brokerOrderId, exchangeOrderId, clientOrderId, parentId, tag };
  const terms = { instrument, side, quantity, orderType, product, validity, price, triggerPrice };
  const filled = { filledQuantity, remainingQuantity, averagePrice, fillPriceSource };
  const line = JSON.stringify({
    createdAt: istIso(createdAt),
    ...names,
    ...terms,
    amo,
    status,
    ...filled,
    ...{ boundBy, absentSince, external, hasReason: reason !== null },
    fills: fills
      .map(
        ({ id, quantity, price, at }) =>
          `${id}: ${quantity} at ${price}, ${at === null ? 'at no time' : istIso(at)}`,
      )
      .sort(),
  });
  return line.replace(ORDER_ID, (id) => {
    const other = orders.get(id);
    return other ? `<${other.clientOrderId}, ${istIso(other.createdAt)}>` : id;
  });
}

const ORDER_ID = /ord_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
