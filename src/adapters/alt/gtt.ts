import { BrokerError, type BrokerFailure, notSent } from '../../domain/outcome.ts';
import { type Instrument, instrumentName, type InstrumentName } from '../../domain/instrument.ts';
import type { Product, Side } from '../../domain/order.ts';
import type { TriggerOutcome } from '../../domain/ports.ts';
import type { KiteClient } from './client.ts';
import { type OrderCall, outcomeOf } from './errors.ts';
import { type GuardedCalls, type KiteAnswer, permit } from './calls.ts';
import { toProduct, wallTime } from './mapping.ts';
import type { RateLimitQueues } from './rate-limits.ts';
import { isOrderId, PRODUCTS } from './request.ts';
import {
  parseAs,
  triggerAcknowledgement,
  type TriggerLegRow,
  triggerRow,
  type TriggerRow,
  triggerRows,
} from './schemas.ts';
import type { SdkGttParams } from './sdk.ts';
import type { BrokerOrderId, EpochMs } from '../../units/branded.ts';

export interface GttParts {
  readonly client: KiteClient;
  readonly changes: GuardedCalls;
  readonly reads: GuardedCalls;
  readonly queues: RateLimitQueues;
}

/**
 * `known` holds the triggers that existed before the call. A similar one that is not among them may
 * be the one we placed.
 */
export interface OpenGtt {
  readonly terms: GttTerms;
  readonly known: ReadonlySet<string>;
}

/** `unseen` does not mean "not placed": rows can appear late. */
export type GttSearch =
  | { readonly kind: 'found'; readonly gtt: Gtt }
  | { readonly kind: 'several'; readonly gtts: readonly Gtt[] }
  | { readonly kind: 'unseen' };

/**
 * Good-till-triggered orders. The journal does not keep them: the caller keeps what `place`
 * returns, and never sends it again while it is uncertain. A GTT carries no tag, so an identical
 * one made by hand at the same moment cannot be told apart.
 */
export interface AltGtt {
  list(): Promise<readonly Gtt[]>;
  get(triggerId: string): Promise<Gtt>;
  /** Reads the whole list, then sends one request, once. Never rejects. */
  place(
    terms: GttTerms,
  ): Promise<{ readonly outcome: TriggerOutcome; readonly open: OpenGtt | null }>;
  /** Looks for what an uncertain `place` may have made. */
  find(open: OpenGtt): Promise<GttSearch>;
  modify(triggerId: string, terms: GttTerms): Promise<TriggerOutcome>;
  remove(triggerId: string): Promise<TriggerOutcome>;
}

const NO_ID = 'not a trigger id of this broker';

export function createAltGtt({ client, changes, reads, queues }: GttParts): AltGtt {
  const list = (): Promise<readonly Gtt[]> =>
    reads.read(queues.account, client.triggers, (data) => parseAs(triggerRows, data).map(toGtt));

  async function change(
    call: OrderCall,
    send: (token: string) => Promise<KiteAnswer>,
  ): Promise<TriggerOutcome> {
    const wayOut = call === 'cancel';
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
    list,

    async get(triggerId) {
      if (!isOrderId(triggerId)) {
        throw new BrokerError('alt', { kind: 'not_sent', reason: 'not_open', message: NO_ID });
      }
      return reads.read(
        queues.account,
        (token) => client.trigger(token, triggerId),
        (data) => toGtt(parseAs(triggerRow, data)),
      );
    },

    async place(terms) {
      let known: ReadonlySet<string>;
      try {
        known = new Set((await list()).map(({ id }) => id));
      } catch (error) {
        const reason = `the triggers could not be read before placing: ${String(error)}`;
        return { outcome: notSent('baseline', reason), open: null };
      }
      const params = gttParams(terms);
      const outcome = await change('place', (token) => client.placeTrigger(token, params));
      return { outcome, open: outcome.kind === 'uncertain' ? { terms, known } : null };
    },

    async find({ terms, known }) {
      const gtts = (await list()).filter((gtt) => !known.has(gtt.id) && isLike(gtt, terms));
      const [gtt] = gtts;
      if (!gtt) return { kind: 'unseen' };
      return gtts.length === 1 ? { kind: 'found', gtt } : { kind: 'several', gtts };
    },

    async modify(triggerId, terms) {
      if (!isOrderId(triggerId)) return notSent('not_open', NO_ID);
      const params = gttParams(terms);
      return change('modify', (token) => client.modifyTrigger(token, triggerId, params));
    },

    async remove(triggerId) {
      if (!isOrderId(triggerId)) return notSent('not_open', NO_ID);
      return change('cancel', (token) => client.deleteTrigger(token, triggerId));
    },
  };
}

/**
 * A LIMIT order that the broker places when the price is reached. Prices in rupees, quantity in
 * shares.
 */
export interface GttLeg {
  readonly trigger: number;
  readonly side: Side;
  readonly quantity: number;
  readonly product: Product;
  readonly price: number;
}

/** One leg, or two legs: the first to be reached cancels the other. */
export interface GttTerms {
  readonly instrument: Instrument;
  /** The present price: it tells the broker from which side a trigger is reached. */
  readonly lastPrice: number;
  readonly legs: readonly [GttLeg] | readonly [GttLeg, GttLeg];
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

export function gttParams({ instrument, lastPrice, legs }: GttTerms): SdkGttParams {
  return {
    trigger_type: legs.length === 1 ? 'single' : 'two-leg',
    exchange: instrument.exchange,
    tradingsymbol: instrument.tradingSymbol,
    trigger_values: legs.map((leg) => leg.trigger),
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
    instrument: instrumentName(condition.exchange, condition.tradingsymbol),
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
    orderType: row.order_type,
    price: row.price,
    brokerOrderId: isOrderId(orderId) ? orderId : null,
    reason: result?.rejection_reason || null,
  };
}

/** Whether a row has the same terms, whatever its state. */
export function isLike(gtt: Gtt, { instrument, legs }: GttTerms): boolean {
  const sameLeg = (leg: GttLeg, row: GttRowLeg | undefined): boolean =>
    row !== undefined &&
    leg.trigger === row.trigger &&
    leg.side === row.side &&
    leg.quantity === row.quantity &&
    leg.product === row.product &&
    leg.price === row.price;
  return (
    gtt.instrument === instrumentName(instrument.exchange, instrument.tradingSymbol) &&
    gtt.legs.length === legs.length &&
    legs.every((leg, place) => sameLeg(leg, gtt.legs[place]))
  );
}
