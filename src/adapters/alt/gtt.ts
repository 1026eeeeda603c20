import { BrokerError, type BrokerFailure, notSent } from '../../domain/outcome.ts';
import type { InstrumentName } from '../../domain/instrument.ts';
import type { Side } from '../../domain/order.ts';
import type { TriggerOutcome, TriggerPort } from '../../domain/ports.ts';
import type { TriggerAttempt } from '../../domain/trigger.ts';
import type { KiteClient } from './client.ts';
import { type OrderCall, outcomeOf } from './errors.ts';
import { type GuardedCalls, type KiteAnswer, permit } from './calls.ts';
import { instrumentOfRow, plainWord } from '../kit/row-words.ts';
import { toProduct, wallTime } from './mapping.ts';
import type { RateLimitQueues } from './rate-limits.ts';
import { isOrderId, PRODUCTS } from './request.ts';
import { parseAs, triggerAcknowledgement, type TriggerLegRow, type TriggerRow } from './schemas.ts';
import type { SdkGttParams } from './sdk.ts';
import type { BrokerOrderId, EpochMs } from '../../units/branded.ts';

export interface GttParts {
  readonly client: KiteClient;
  readonly changes: GuardedCalls;
  readonly queues: RateLimitQueues;
}

const NO_ID = 'not a trigger id of this broker';

/**
 * Good-till-triggered orders: one request each, sent once (docs/spec/kite-gtt.md). A GTT carries no tag, so
 * an identical one made by hand at the same moment cannot be told apart.
 */
export function createAltGtt({ client, changes, queues }: GttParts): TriggerPort {
  async function change(
    call: OrderCall,
    wayOut: boolean,
    send: (token: string) => Promise<KiteAnswer>,
  ): Promise<TriggerOutcome> {
    try {
      await permit(wayOut ? { ...queues.triggers, priority: 'way_out' } : queues.triggers);
      const triggerId = await changes.change(
        send,
        (data) => parseAs(triggerAcknowledgement, data).trigger_id,
        wayOut,
      );
      return { kind: 'acknowledged', triggerId };
    } catch (error) {
      const failure: BrokerFailure =
        error instanceof BrokerError
          ? error.failure
          : { kind: 'bad_payload', message: String(error) };
      const outcome = outcomeOf(call, failure);
      if (outcome.kind !== 'acknowledged') return outcome;
      return { kind: 'uncertain', failure, reason: failure.message };
    }
  }

  return {
    async place({ wayOut = false, mayLeave, ...attempt }) {
      const params = gttParams(attempt);
      const leaving = { wayOut, ...(mayLeave ? { mayLeave } : {}) };
      return change('place', wayOut, (token) => client.placeTrigger(token, params, leaving));
    },

    async modify(triggerId, { wayOut = false, mayLeave, ...attempt }) {
      if (!isOrderId(triggerId)) return notSent('not_open', NO_ID);
      const params = gttParams(attempt);
      const leaving = { wayOut, ...(mayLeave ? { mayLeave } : {}) };
      return change('modify', wayOut, (token) =>
        client.modifyTrigger(token, triggerId, params, leaving),
      );
    },

    async remove(triggerId) {
      if (!isOrderId(triggerId)) return notSent('not_open', NO_ID);
      return change('cancel', true, (token) => client.deleteTrigger(token, triggerId));
    },
  };
}

export interface GttRowLeg {
  readonly trigger: number | null;
  readonly side: Side;
  readonly quantity: number;
  readonly product: string;
  readonly orderType: string;
  readonly price: number;
  /** The order that the leg placed. Null until then, and where the order was refused. */
  readonly brokerOrderId: BrokerOrderId | null;
  readonly reason: string | null;
}

/** A trigger in the broker's list, with the broker's words. Times are epoch ms. */
export interface Gtt {
  readonly id: string;
  readonly instrument: InstrumentName;
  /**
   * active, triggered, disabled, expired, cancelled, rejected or deleted; other values may occur.
   */
  readonly status: string;
  readonly legs: readonly GttRowLeg[];
  readonly createdAt: EpochMs | null;
  readonly updatedAt: EpochMs | null;
  readonly expiresAt: EpochMs | null;
}

export function gttParams({ instrument, lastPrice, terms }: TriggerAttempt): SdkGttParams {
  const { legs } = terms;
  return {
    trigger_type: legs.length === 1 ? 'single' : 'two-leg',
    exchange: instrument.exchange,
    tradingsymbol: instrument.tradingSymbol,
    trigger_values: legs.map((leg) => leg.triggerPrice),
    last_price: lastPrice,
    orders: legs.map((leg) => ({
      transaction_type: leg.side,
      // The SDK does not pass on market protection, so no other type would be accepted.
      order_type: 'LIMIT',
      product: PRODUCTS[leg.product],
      quantity: leg.quantity,
      price: leg.price,
    })),
  };
}

export function toGtt(row: TriggerRow): Gtt {
  const { condition } = row;
  return {
    id: row.id,
    instrument: instrumentOfRow(condition.exchange, condition.tradingsymbol),
    status: row.status,
    legs: row.orders.map((leg, place) => toLeg(leg, condition.trigger_values[place] ?? null)),
    createdAt: wallTime(row.created_at),
    updatedAt: wallTime(row.updated_at),
    expiresAt: wallTime(row.expires_at),
  };
}

function toLeg(row: TriggerLegRow, trigger: number | null): GttRowLeg {
  const result = row.result?.order_result;
  const orderId = result?.order_id ?? '';
  return {
    trigger,
    side: row.transaction_type,
    quantity: row.quantity,
    product: toProduct(row.product),
    orderType: plainWord(row.order_type),
    price: row.price,
    brokerOrderId: isOrderId(orderId) ? orderId : null,
    reason: result?.rejection_reason || null,
  };
}
