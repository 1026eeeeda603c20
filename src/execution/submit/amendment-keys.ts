import type { OrderModification } from '../../domain/order.ts';
import { sha256 } from '../../platform/secret.ts';
import { ifReadable } from '../journal/if-readable.ts';
import type { Journal } from '../journal/journal.ts';
import {
  amendmentKey,
  type AmendmentMethod,
  type AmendmentRecord,
  type AmendmentRequest,
} from '../journal/records.ts';
import type { ExecutionState } from '../journal/state.ts';
import type { ManualResolution } from '../reconcile/resolve.ts';
import { conflict } from './request-identity.ts';
import type { OrderId } from '../../units/branded.ts';

/** The key under which a caller asks for a cancel, a modification or a resolution. */
export interface AmendmentKey {
  readonly caller: string;
  readonly idempotencyKey: string;
}

/** What is asked for under a key, so that it can be told from anything else under the same one. */
export function amendmentRequest(
  method: AmendmentMethod,
  orderId: OrderId,
  asked: OrderModification | ManualResolution | null,
  key: AmendmentKey,
): AmendmentRequest {
  const fields = Object.entries(asked ?? {}).sort(([left], [right]) => (left < right ? -1 : 1));
  const { caller, idempotencyKey } = key;
  return { method, orderId, caller, idempotencyKey, requestHash: sha256(JSON.stringify(fields)) };
}

/**
 * Under what a cancel of a sliced order is kept for each of its slices, so that a key which was used to
 * cancel the slice alone is another one. The line feed is in no caller's key.
 */
export const keyOfSlices = (parentId: OrderId, key: AmendmentKey): AmendmentKey => ({
  caller: key.caller,
  idempotencyKey: `${parentId}\n${key.idempotencyKey}`,
});

/** What a key was used for, also before a restart; null while it is free. */
export async function usedKey(
  state: ExecutionState,
  journal: Journal,
  request: AmendmentRequest,
): Promise<AmendmentRecord | null> {
  const known = state.amendments.get(amendmentKey(request)) ?? (await onDisk(journal, request));
  return known?.state === 'used' ? known : null;
}

/** A cancel goes out also where the disk cannot be read. */
function onDisk(journal: Journal, request: AmendmentRequest): Promise<AmendmentRecord | null> {
  const found = journal.amendment(request);
  return request.method === 'cancel' ? ifReadable(found) : found;
}

/** Does what is asked for under a key once; without a key, each time. */
export type Once<Result extends { readonly repeated: boolean }> = (
  request: AmendmentRequest | null,
  work: () => Promise<Result>,
  repeat: (row: AmendmentRecord) => Result,
) => Promise<Result>;

/**
 * Does something once for each key: a repeat while it is under way shares its result, a later one
 * answers `repeat`. Throws `idempotency_conflict` where the key was used for something else
 * (docs/orders.md, "The key").
 */
export function createAmendmentKeys<Result extends { readonly repeated: boolean }>(
  state: ExecutionState,
  journal: Journal,
): Once<Result> {
  interface UnderWay {
    readonly hash: string;
    readonly result: Promise<Result>;
  }
  const underWay = new Map<string, UnderWay>();

  return async function once(
    request: AmendmentRequest | null,
    work: () => Promise<Result>,
    repeat: (row: AmendmentRecord) => Result,
  ): Promise<Result> {
    if (request === null) return work();
    const asked = request;
    const name = amendmentKey(request);
    const ahead = underWay.get(name);
    if (ahead) {
      if (ahead.hash !== request.requestHash) throw conflict(request.idempotencyKey, null);
      return { ...(await ahead.result), repeated: true };
    }
    const result = onceAlone();
    underWay.set(name, { hash: request.requestHash, result });
    try {
      return await result;
    } finally {
      underWay.delete(name);
    }

    async function onceAlone(): Promise<Result> {
      const known = await usedKey(state, journal, asked);
      if (known === null) return work();
      if (known.requestHash !== asked.requestHash) throw conflict(known.idempotencyKey, null);
      return repeat(known);
    }
  };
}
