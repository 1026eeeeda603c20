import type { Instrument } from '../../domain/instrument.ts';
import type { OrderRequest, OrderTerms } from '../../domain/order.ts';
import { sha256 } from '../../platform/secret.ts';
import { callerKey } from '../journal/records.ts';
import { required } from '../journal/state.ts';
import {
  conflict,
  type PlaceCommand,
  type PlaceResult,
  type SubmitParts,
} from './place-command.ts';
import { checkNewOrder, freezeQuantityOf, sliceQuantities } from './preflight.ts';
import { createSendOrder, repeat } from './send-order.ts';
import { createSendSlices } from './slices.ts';

export interface Submit {
  place(command: PlaceCommand): Promise<PlaceResult>;
  /**
   * The order that a key has made, for the same request; null for a key that has made none, or whose
   * request is on its way. Needs neither broker nor instrument list: what is known stays known.
   */
  repeated(
    caller: string,
    idempotencyKey: string,
    request: OrderRequest,
  ): Promise<PlaceResult | null>;
}

/**
 * Places orders: once, at one broker at a time, each request on disk before its first byte leaves
 * (docs/orders.md). Rejects with a GatewayProblem for everything that was refused before that.
 */
export function createSubmit(parts: SubmitParts): Submit {
  const { writer, journal, clock, ids } = parts;
  const { state } = writer;
  const sendOrder = createSendOrder(parts);
  const sendSlices = createSendSlices(parts, sendOrder);
  /** Requests under way, by caller and key: a second one joins the first. */
  const underWay = new Map<string, { hash: string; result: Promise<PlaceResult> }>();

  async function place(command: PlaceCommand): Promise<PlaceResult> {
    const idempotencyKey = command.idempotencyKey ?? ids.uuid7(clock.now());
    const name = callerKey(command.caller, idempotencyKey);
    const hash = hashOf(command.request);
    const ahead = underWay.get(name);
    if (ahead) {
      if (ahead.hash !== hash) throw conflict(idempotencyKey);
      return { ...(await ahead.result), repeated: true };
    }
    const known = state.orderByKey.get(name);
    if (known !== undefined)
      return repeat(required(state.orders, known, 'order'), hash, idempotencyKey);
    const result = send(command, idempotencyKey, hash);
    underWay.set(name, { hash, result });
    try {
      return await result;
    } finally {
      underWay.delete(name);
    }
  }

  async function repeated(
    caller: string,
    idempotencyKey: string,
    request: OrderRequest,
  ): Promise<PlaceResult | null> {
    const name = callerKey(caller, idempotencyKey);
    if (underWay.has(name)) return null;
    const inMemory = state.orderByKey.get(name);
    const known =
      inMemory === undefined
        ? await journal.orderUnderKey(caller, idempotencyKey)
        : required(state.orders, inMemory, 'order');
    if (!known) return null;
    // Requests are hashed under the instrument's name; a scrip code is another way to write it.
    const written = request.instrument.toUpperCase();
    const instrument = written === known.scripCode ? known.terms.instrument : written;
    return repeat(known, hashOf({ ...request, instrument }), idempotencyKey);
  }

  async function send(
    command: PlaceCommand,
    idempotencyKey: string,
    requestHash: string,
  ): Promise<PlaceResult> {
    const { request } = command;
    const freezeQuantity = freezeQuantityOf(command.instrument, parts.freezeQuantities);
    const instrument = { ...command.instrument, freezeQuantity };
    const terms = termsOf(request, instrument);
    checkNewOrder(terms, instrument, { at: clock.now(), marketHours: parts.marketHours });
    const orderId = `ord_${ids.uuid7(clock.now())}`;
    const outgoing = {
      command,
      candidates: command.candidates,
      orderId,
      idempotencyKey,
      requestHash,
      terms,
    };
    const quantities = sliceQuantities(terms.quantity, freezeQuantity, instrument.lotSize);
    return quantities.length > 1 ? sendSlices(outgoing, quantities) : sendOrder.sendOne(outgoing);
  }

  return { place, repeated };
}

function termsOf(request: OrderRequest, instrument: Instrument): OrderTerms {
  const { side, quantity, orderType, product, validity, price, triggerPrice, amo } = request;
  return {
    instrument: instrument.name,
    side,
    quantity,
    orderType,
    product,
    validity,
    price,
    triggerPrice,
    amo,
  };
}

/** The request with its fields in one order, so that equal requests have equal hashes. */
export function hashOf(request: OrderRequest): string {
  return sha256(JSON.stringify(canonical(request)));
}

function canonical(request: OrderRequest): unknown {
  return Object.entries(request).sort(([left], [right]) => (left < right ? -1 : 1));
}
