import { z } from 'zod';
import type { BrokerOrderDetails, IcebergDetails } from '../../domain/broker-order-details.ts';
import { lastOnly } from '../../platform/last-only.ts';
import { redact, type Redacted } from '../../platform/redaction.ts';
import { fieldOf } from '../../platform/values.ts';
import type { BrokerOrderId } from '../../units/branded.ts';
import { beginningOf, isTooLong, LONGEST_NAME, shownWords } from '../kit/row-texts.ts';
import { rowInstrument } from '../kit/row-words.ts';
import { icebergField } from './iceberg.ts';
import { wallTime } from './mapping.ts';

/** One that is of another type is null: nothing decides by it (docs/spec/kite-payloads.md). */
const figure = z.number().nullish().catch(null);
const words = z.string().nullish().catch(null);
const name = z.string().max(LONGEST_NAME).nullish().catch(null);

const iceberg = z.object({
  leg: figure,
  legs: figure,
  leg_quantity: figure,
  total_quantity: figure,
  remaining_quantity: figure,
});

const detailsRow = z.object({
  exchange: name,
  tradingsymbol: name,
  placed_by: name,
  parent_order_id: name,
  variety: name,
  modified: z.boolean().nullish().catch(null),
  disclosed_quantity: figure,
  validity_ttl: figure,
  meta: z.unknown().optional(),
  pending_quantity: figure,
  cancelled_quantity: figure,
  market_protection: figure,
  status_message: words,
  status_message_raw: words,
  order_timestamp: name,
  exchange_timestamp: name,
  exchange_update_timestamp: name,
});

/** What the rows of a book tell of their orders besides; read only when somebody asks. */
export function createOrderDetails(hidden: () => Redacted) {
  let rows: readonly unknown[] = [];
  const indexOf = lastOnly((all: readonly unknown[]): ReadonlyMap<unknown, unknown> => {
    return new Map(all.map((row) => [String(fieldOf(row, 'order_id')), row]));
  });
  return {
    /** The rows of the last book. */
    note(next: readonly unknown[]): void {
      rows = next;
    },
    of(brokerOrderId: BrokerOrderId): BrokerOrderDetails | null {
      const row = detailsRow.safeParse(indexOf(rows).get(brokerOrderId)).data;
      return row === undefined ? null : toDetails(row, hidden());
    },
  };
}

function toDetails(row: z.infer<typeof detailsRow>, hidden: Redacted): BrokerOrderDetails {
  const { exchange, tradingsymbol, status_message_raw: raw } = row;
  return {
    instrument: rowInstrument(exchange, tradingsymbol),
    isin: null,
    variety: row.variety || null,
    amo: row.variety ? row.variety === 'amo' : null,
    disclosedQuantity: row.disclosed_quantity ?? null,
    iceberg: icebergDetails(row.meta),
    validityMinutes: row.validity_ttl ?? null,
    marketProtection: row.market_protection ?? null,
    pendingQuantity: row.pending_quantity ?? null,
    cancelledQuantity: row.cancelled_quantity ?? null,
    rawReason: raw ? shownWords(redact(beginningOf(raw), hidden)) : null,
    placedBy: row.placed_by || null,
    parentBrokerOrderId: isTooLong(row.parent_order_id) ? null : row.parent_order_id || null,
    modified: row.modified ?? null,
    registeredAt: wallTime(row.order_timestamp),
    exchangeAt: wallTime(row.exchange_timestamp),
    exchangeUpdatedAt: wallTime(row.exchange_update_timestamp),
    stopLoss: null,
    target: null,
  };
}

function icebergDetails(meta: unknown): IcebergDetails | null {
  const told = iceberg.safeParse(icebergField(meta)).data;
  if (told === undefined) return null;
  return {
    leg: told.leg ?? null,
    legs: told.legs ?? null,
    legQuantity: told.leg_quantity ?? null,
    totalQuantity: told.total_quantity ?? null,
    remainingQuantity: told.remaining_quantity ?? null,
  };
}
