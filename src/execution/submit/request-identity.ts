import {
  type Instrument,
  type InstrumentName,
  qualifiedSecurityId,
  type Segment,
} from '../../domain/instrument.ts';
import type { OrderRequest } from '../../domain/order.ts';
import { GatewayProblem } from '../../domain/problem.ts';
import { sha256 } from '../../platform/secret.ts';
import { fillOf, type OrderRecord, statusOf } from '../order/order.ts';
import { orderResponse } from '../order/order-response.ts';

/** What a spelling of an instrument stands for, as far as the lists that are there can tell. */
export interface Spelled {
  /** Null where no list has it, or it has expired. */
  readonly instrument: Instrument | null;
  /** Whether every list is there: only then is a spelling that none has no instrument's. */
  readonly listsAreWhole: boolean;
}
export type ResolveSpelling = (text: string) => Promise<Spelled>;

/** The request that an order was made from, as far as it is needed to recognise a repeat. */
export interface Asked {
  /** Over the request with `name` as its instrument. */
  readonly requestHash: string;
  readonly name: InstrumentName;
  readonly scripCode: string | null;
  readonly segment: Segment;
  /** As the caller wrote it, in capitals, where that is not its name. */
  readonly writtenAs?: string;
}

/** The request with its fields in one order, so that equal requests have equal hashes. */
export function hashOf(request: OrderRequest): string {
  return sha256(JSON.stringify(canonical(request)));
}

function canonical(request: OrderRequest): unknown {
  return Object.entries(request).sort(([left], [right]) => (left < right ? -1 : 1));
}

/** The spelling that is kept with an order, so that a repeat needs no list; none for its name. */
export function spellingOf(written: string, { name }: Instrument): { writtenAs?: string } {
  const inCapitals = written.toUpperCase();
  return inCapitals === name ? {} : { writtenAs: inCapitals };
}

export function askedOf(request: OrderRequest, instrument: Instrument): Asked {
  const { name, segment } = instrument;
  const requestHash = hashOf({ ...request, instrument: name });
  return { requestHash, name, scripCode: qualifiedSecurityId(instrument), segment };
}

export function askedBy({ requestHash, terms, scripCode, segment, writtenAs }: OrderRecord): Asked {
  const spelled = writtenAs === undefined ? {} : { writtenAs };
  return { requestHash, name: terms.instrument, scripCode, segment, ...spelled };
}

/** Whether a request, its instrument apart, is the one that was asked. */
const isSameBeside = (request: OrderRequest, asked: Asked): boolean =>
  hashOf({ ...request, instrument: asked.name }) === asked.requestHash;

/** As `isRepeat`, for a request whose instrument is resolved. */
export function isSameRequest(request: OrderRequest, instrument: Instrument, asked: Asked) {
  return isSameBeside(request, asked) && isSameInstrument(instrument, asked);
}

/** A list that arrives later can give an instrument another name, but not another security id. */
function isSameInstrument(instrument: Instrument, asked: Asked): boolean {
  const { name, segment } = instrument;
  if (name === asked.name) return true;
  const id = qualifiedSecurityId(instrument);
  return id !== null && id === asked.scripCode && segment === asked.segment;
}

/**
 * Whether a request repeats the one that made an order: every field is the same, and the instrument is
 * the same in whatever spelling. `unknown` where the lists that are there cannot tell the latter: such a
 * request is never called another one.
 */
export async function isRepeat(
  request: OrderRequest,
  asked: Asked,
  resolve: ResolveSpelling,
): Promise<boolean | 'unknown'> {
  if (!isSameBeside(request, asked)) return false;
  const written = request.instrument.toUpperCase();
  if (written === asked.name || written === asked.writtenAs) return true;
  // A share's code is its own; that of a derivative can be that of a share, too.
  if (written === asked.scripCode && asked.segment === 'EQUITY') return true;
  const { instrument, listsAreWhole } = await resolve(written);
  if (instrument && isSameInstrument(instrument, asked)) return true;
  // The order's own instrument may have expired, or be in a list that is missing.
  const own = (await resolve(asked.name)).instrument;
  if (instrument && own) return instrument.name === own.name;
  return own && listsAreWhole ? false : 'unknown';
}

/** Whether an order may exist at a broker: all but one that is known not to be there. */
export function mayExist(order: OrderRecord): boolean {
  const status = statusOf(order);
  if (status === 'rejected') return fillOf(order).filledQuantity === null;
  return status !== 'not_sent';
}

/**
 * The key belongs to another request. `order` is what it has made; null while that is on its way, or
 * where the key is that of a change, an exit or a closing: what those have done is not known here.
 */
export function conflict(idempotencyKey: string, order: OrderRecord | null): GatewayProblem {
  const made = order === null ? '' : `: it has made order ${order.id}`;
  return new GatewayProblem({
    code: 'idempotency_conflict',
    detail: `the key ${idempotencyKey} was used for another request${made}`,
    mayHaveExecuted: order === null || mayExist(order),
    ...(order === null ? {} : { extra: { order: orderResponse(order) } }),
  });
}

/** No list can tell whether the instrument is that of the key's order: nothing is sent. */
export function cannotCompare(
  idempotencyKey: string,
  request: OrderRequest,
  order: OrderRecord,
): GatewayProblem {
  return new GatewayProblem({
    code: 'no_broker',
    detail:
      `the key ${idempotencyKey} has made order ${order.id} for ${order.terms.instrument}, and the ` +
      `instrument lists that could tell whether ${request.instrument} is the same are not loaded: ` +
      'read that order, or send the request again later under the same key',
    mayHaveExecuted: mayExist(order),
    extra: { order: orderResponse(order) },
  });
}
