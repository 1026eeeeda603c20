import { type InstrumentLookup } from '../../domain/instrument.ts';
import { isFinalRow } from '../../domain/order.ts';
import type { Triggers } from '../../domain/ports.ts';
import {
  type BrokerTrigger,
  isWordOfWaiting,
  type TriggerLeg,
  type TriggerStatus,
  type UnreadTrigger,
} from '../../domain/trigger.ts';
import type { BrokerOrder } from '../../domain/broker-order.ts';
import { messageOf } from '../../platform/values.ts';
import { mapOrder } from './book-mapping.ts';
import type { PrimaryClient } from './client.ts';
import { isSmartType } from './mapping.ts';
import { orderRow, type OrderRow } from './schemas.ts';

export interface TriggersParts {
  readonly client: Pick<PrimaryClient, 'orderBook'>;
  /** The same, for reads that a caller asks for. */
  readonly asked: Pick<PrimaryClient, 'orderBook'>;
  readonly instruments: InstrumentLookup;
  readonly extraTerminalStatuses: readonly string[];
}

/**
 * Smart orders as triggers (docs/triggers.md). The brokerage has no list of them: they are rows of the
 * order book of the day, told by their type.
 */
export function createTriggers(parts: TriggersParts): Triggers {
  return {
    broker: 'primary',
    inBook: true,
    async list(reader) {
      const rows = await parts[reader === 'caller' ? 'asked' : 'client'].orderBook();
      const triggers: BrokerTrigger[] = [];
      const unread: UnreadTrigger[] = [];
      for (const each of rows) {
        const row = orderRow.safeParse(each).data;
        // A row without a readable type may be a smart order.
        if (row && row.orderType !== null && !isSmartType(row.orderType)) continue;
        try {
          if (!row) throw new Error('a row of the order book is not an object');
          if (row.orderType === null) throw new Error(`order ${row.id ?? ''} has no readable type`);
          triggers.push(
            toTrigger(row, mapOrder(row, parts.instruments, parts.extraTerminalStatuses)),
          );
        } catch (error) {
          unread.push({ triggerId: row?.id ?? null, instrument: null, reason: messageOf(error) });
        }
      }
      return { triggers, unread };
    },
  };
}

function toTrigger(row: OrderRow, order: BrokerOrder): BrokerTrigger {
  const { side, quantity, product, orderType } = order;
  const pairs = [row.stopLoss, row.target].filter(({ trigger, limit }) => trigger ?? limit);
  const placed = hasTriggered(order);
  const leg = (triggerPrice: number | null, price: number | null): TriggerLeg => ({
    ...{ triggerPrice, side, quantity, product, orderType, price },
    // The order at the exchange goes on under the same row, or under one that does not name this one.
    brokerOrderId: placed && pairs.length < 2 ? order.brokerOrderId : null,
    reason: order.reason,
  });
  return {
    triggerId: order.brokerOrderId,
    instrument: order.instrument,
    status: statusOf(order),
    rawStatus: order.rawStatus,
    legs:
      pairs.length === 0
        ? [leg(order.triggerPrice, order.price)]
        : pairs.map(({ trigger, limit }) => leg(trigger, limit)),
    createdAt: order.createdAt,
    updatedAt: order.updatedAt,
    expiresAt: null,
  };
}

function hasTriggered(order: BrokerOrder): boolean {
  const { status, exchangeOrderId, filledQuantity, rawStatus } = order;
  if (status === 'filled' || (filledQuantity ?? 0) > 0) return true;
  return exchangeOrderId !== null && !isFinalRow(status) && !isWordOfWaiting(rawStatus);
}

function statusOf(order: BrokerOrder): TriggerStatus {
  if (hasTriggered(order)) return 'triggered';
  if (isFinalRow(order.status)) return 'ended';
  return order.status === 'unrecognised' ? 'unrecognised' : 'waiting';
}
