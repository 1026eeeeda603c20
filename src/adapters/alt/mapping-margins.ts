import type { MarginEstimate } from '../../domain/margin.ts';
import { difference, sum, toPaisa } from '../../domain/money.ts';
import type { BasketReply, ChargesRow, MarginRow } from './schemas-margins.ts';

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
  return { ...rest, parts: { ...parts, initial_total: toPaisa(reply.initial.total) } };
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
