import type { AttemptId, BrokerOrderId, OrderId } from '../../units/branded.ts';
import type { CancelAttemptRecord, ModifyAttemptRecord } from '../order/attempt.ts';

interface OfExternal {
  readonly brokerOrderId: BrokerOrderId;
  /** A caller, or an exit. */
  readonly by: string;
  /** The caller's; the id of the request where there was none. */
  readonly idempotencyKey: string;
  /** SHA-256 of what was asked for: tells a repeat from another request under the same key. */
  readonly requestHash: string;
}

/**
 * A request to change an order that was placed elsewhere, as the journal has it: who asked for what, when,
 * and with what outcome (docs/orders.md, "Orders placed elsewhere"). Its `orderId` is `<broker>:<brokerOrderId>`.
 */
export type ExternalChangeRecord = (CancelAttemptRecord | ModifyAttemptRecord) & OfExternal;

interface WithChanges {
  readonly externalChanges: ReadonlyMap<AttemptId, ExternalChangeRecord>;
}

/** The requests of the last days to change an order placed elsewhere, oldest first. */
export const changesOfExternal = (
  state: WithChanges,
  id: OrderId,
): readonly ExternalChangeRecord[] =>
  [...state.externalChanges.values()].filter(({ orderId }) => orderId === id);

/** What a key was used for; a request that is known not to have left has not used its key. */
export function usedForExternal(
  state: WithChanges,
  asked: Pick<ExternalChangeRecord, 'orderId' | 'kind' | 'by' | 'idempotencyKey' | 'day'>,
): ExternalChangeRecord | null {
  const found = changesOfExternal(state, asked.orderId).findLast(
    ({ kind, by, idempotencyKey, day, state: { kind: is } }) =>
      kind === asked.kind &&
      by === asked.by &&
      idempotencyKey === asked.idempotencyKey &&
      day === asked.day &&
      is !== 'not_sent',
  );
  return found ?? null;
}
