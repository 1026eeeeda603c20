import type { OrderRequest } from '../../domain/order.ts';
import { mustNotBeQuarantined } from '../journal/quarantined.ts';
import { callerKey } from '../journal/records.ts';
import type { OrderRecord } from '../order/order.ts';
import { required } from '../journal/state.ts';
import { checkOrder } from './check-order.ts';
import { LEAVES_WITHIN_MS } from './late-orders.ts';
import { limitSets, limitsFor } from './order-limits.ts';
import type { PlaceCommand, PlaceResult, SubmitParts } from './place-command.ts';
import { sliceQuantities } from './preflight.ts';
import {
  type Asked,
  askedBy,
  askedOf,
  cannotCompare,
  conflict,
  isRepeat,
  isSameRequest,
  mayExist,
  type ResolveSpelling,
} from './request-identity.ts';
import { createSendOrder, repeat } from './send-order.ts';
import { createSendSlices } from './slices.ts';

export interface Submit {
  place(command: PlaceCommand): Promise<PlaceResult>;
  /**
   * What has become, or becomes, of a request that came before under the same key; null where there is none
   * in memory. Sends nothing. Throws `idempotency_conflict` where that request had other contents.
   */
  before(command: KeyedCommand): Promise<PlaceResult> | null;
  /**
   * The order that a key has made, for the same request; null for a key that has made none, or whose
   * request is on its way. Needs no broker, and no instrument list unless the instrument is spelled in
   * another way than before: what is known stays known.
   */
  repeated(
    caller: string,
    idempotencyKey: string,
    request: OrderRequest,
    resolve: ResolveSpelling,
  ): Promise<PlaceResult | null>;
  /** What the request under a key that memory knows may have placed, whatever it was; null where it has placed nothing. */
  madeUnder(caller: string, idempotencyKey: string): OrderRecord | 'under_way' | null;
}

export type KeyedCommand = PlaceCommand & { readonly idempotencyKey: string };

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
  const underWay = new Map<string, { asked: Asked; result: Promise<PlaceResult> }>();

  async function place(command: PlaceCommand): Promise<PlaceResult> {
    const idempotencyKey = command.idempotencyKey ?? ids.uuid7(clock.now());
    const name = callerKey(command.caller, idempotencyKey);
    const ahead = before({ ...command, idempotencyKey });
    if (ahead) return ahead;
    const asked = askedOf(command.request, command.instrument);
    const result = send(command, idempotencyKey, asked.requestHash);
    underWay.set(name, { asked, result });
    try {
      return await result;
    } finally {
      underWay.delete(name);
    }
  }

  function before(command: KeyedCommand): Promise<PlaceResult> | null {
    const { caller, idempotencyKey, request, instrument } = command;
    const name = callerKey(caller, idempotencyKey);
    const ahead = underWay.get(name);
    if (ahead) {
      // Whether the other request has left is not known here.
      if (!isSameRequest(request, instrument, ahead.asked)) {
        throw conflict(idempotencyKey, null);
      }
      return ahead.result.then((result) => ({ ...result, repeated: true }));
    }
    const known = state.orderByKey.get(name);
    if (known === undefined) return null;
    return Promise.resolve(repeat(required(state.orders, known, 'order'), command, idempotencyKey));
  }

  async function repeated(
    caller: string,
    idempotencyKey: string,
    request: OrderRequest,
    resolve: ResolveSpelling,
  ): Promise<PlaceResult | null> {
    const name = callerKey(caller, idempotencyKey);
    if (underWay.has(name)) return null;
    const inMemory = state.orderByKey.get(name);
    const known =
      inMemory === undefined
        ? await journal.orderUnderKey(caller, idempotencyKey)
        : required(state.orders, inMemory, 'order');
    if (!known) return null;
    if (inMemory === undefined) mustNotBeQuarantined(state.quarantine, known.id);
    const verdict = await isRepeat(request, askedBy(known), resolve);
    // It can have changed meanwhile.
    const order = state.orders.get(known.id) ?? known;
    if (verdict === 'unknown') throw cannotCompare(idempotencyKey, request, order);
    if (!verdict) throw conflict(idempotencyKey, order);
    return { order, idempotencyKey, repeated: true };
  }

  function madeUnder(caller: string, idempotencyKey: string): OrderRecord | 'under_way' | null {
    const name = callerKey(caller, idempotencyKey);
    if (underWay.has(name)) return 'under_way';
    const id = state.orderByKey.get(name);
    const order = id === undefined ? null : required(state.orders, id, 'order');
    return order !== null && mayExist(order) ? order : null;
  }

  async function send(
    command: PlaceCommand,
    idempotencyKey: string,
    requestHash: string,
  ): Promise<PlaceResult> {
    const { orderId, terms, instrument } = checkOrder(parts, command);
    const outgoing = {
      command,
      candidates: command.candidates,
      orderId,
      idempotencyKey,
      requestHash,
      terms,
      limits: await limitsFor(parts, limitSets(state, parts.limits, command.caller), terms, {
        named: instrument,
        instrument,
      }),
      limit: { since: command.arrived, withinMs: LEAVES_WITHIN_MS },
    };
    const { freezeQuantity, lotSize } = instrument;
    const quantities = sliceQuantities(terms.quantity, freezeQuantity, lotSize);
    return quantities.length > 1 ? sendSlices(outgoing, quantities) : sendOrder.sendOne(outgoing);
  }

  return { place, before, repeated, madeUnder };
}
