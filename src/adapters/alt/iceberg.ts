import { z } from 'zod';
import type { IcebergLeg } from '../../domain/broker-order.ts';
import { fieldOf } from '../../platform/values.ts';
import { plainWord } from '../kit/row-words.ts';

const count = z.number().int().nonnegative();
const icebergMeta = z.object({
  leg: count.min(1),
  legs: count.min(1),
  leg_quantity: count.min(1),
  total_quantity: count,
  remaining_quantity: count,
});

/** What a row says of its iceberg order: `meta.iceberg`. Undefined where it says nothing. */
export const icebergField = (meta: unknown): unknown => fieldOf(meta, 'iceberg');

const isIceberg = (variety: unknown): boolean =>
  typeof variety === 'string' && plainWord(variety) === 'ICEBERG';

/**
 * The leg of an iceberg order that a row shows (docs/spec/kite-payloads.md); undefined where the row is of no
 * iceberg order. Null where the row is of one, and a figure is missing or the figures contradict each other:
 * then nobody knows how much the later legs may fill.
 */
export function icebergLeg(variety: unknown, meta: unknown): IcebergLeg | null | undefined {
  const given = icebergField(meta);
  if (given === undefined && !isIceberg(variety)) return undefined;
  const told = icebergMeta.safeParse(given).data;
  if (told === undefined) return null;
  const { leg, legs, leg_quantity: size, total_quantity: total, remaining_quantity: left } = told;
  if (leg > legs || left > total) return null;
  // Where the figures differ, the larger one counts: what may still fill is never understated.
  return { leg, legs, total, later: Math.max(left, total - leg * size) };
}
