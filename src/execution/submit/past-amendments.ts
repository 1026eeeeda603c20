import { GatewayProblem } from '../../domain/problem.ts';
import type { OrderId } from '../../units/branded.ts';
import type { Journal } from '../journal/journal.ts';
import { mustNotBeQuarantined } from '../journal/quarantined.ts';
import type { AmendmentMethod, AmendmentRequest } from '../journal/records.ts';
import type { ExecutionState } from '../journal/state.ts';
import type { OrderRecord } from '../order/order.ts';
import type { Amend } from './amend.ts';
import { type AmendmentKey, amendmentRequest, keyOfSlices, usedKey } from './amendment-keys.ts';
import { conflict } from './request-identity.ts';
import type { Resolve } from './resolve-order.ts';

type Asked = Parameters<typeof amendmentRequest>[2];

/**
 * Cancels, modifications and resolutions of orders that are no longer in memory. What is older than memory
 * reaches is final, and its book long gone, so nothing is sent: what a key was used for is answered with the
 * order as it stands, and under any other key they throw `order_state`.
 */
export interface PastAmendments extends Amend {
  readonly resolve: Resolve;
}

export function createPastAmendments(state: ExecutionState, journal: Journal): PastAmendments {
  async function changedUnder(
    orderId: OrderId,
    method: AmendmentMethod,
    asked: Asked,
    key: AmendmentKey | null,
  ): Promise<OrderRecord> {
    mustNotBeQuarantined(state.quarantine, orderId);
    const order = await journal.order(orderId);
    const requests = order && key ? await requestsUnder(order, method, asked, key) : [];
    for (const request of requests) {
      const known = await usedKey(state, journal, request);
      if (order === null || known === null) continue;
      if (known.requestHash !== request.requestHash) throw conflict(known.idempotencyKey, null);
      return order;
    }
    throw new GatewayProblem({
      code: 'order_state',
      detail: `order ${orderId} is of an earlier week: nothing about it can change`,
      mayHaveExecuted: false,
    });
  }

  /** What a key may have been used for: of the cancel of a sliced order, the cancel of each slice. */
  async function requestsUnder(
    order: OrderRecord,
    method: AmendmentMethod,
    asked: Asked,
    key: AmendmentKey,
  ): Promise<readonly AmendmentRequest[]> {
    if (order.state.kind !== 'sliced' || method !== 'cancel') {
      return [amendmentRequest(method, order.id, asked, key)];
    }
    const slices = (await journal.ordersOn(order.day)).filter((each) => each.parentId === order.id);
    const ofSlices = keyOfSlices(order.id, key);
    return slices.map(({ id }) => amendmentRequest(method, id, null, ofSlices));
  }

  return {
    async amend(orderId, changes, key) {
      const method = changes === null ? 'cancel' : 'modify';
      const order = await changedUnder(orderId, method, changes, key);
      return { order, settled: true, repeated: true };
    },
    async resolve(orderId, resolution, by, idempotencyKey) {
      const key = idempotencyKey === null ? null : { caller: by, idempotencyKey };
      return { order: await changedUnder(orderId, 'resolve', resolution, key), repeated: true };
    },
  };
}
