import type { BrokerOrder, IdentifiedRow } from '../../domain/broker-order.ts';
import type { BrokerId } from '../../domain/broker.ts';
import type { Clock } from '../../platform/clock.ts';
import type { SingleWriter } from '../../platform/single-writer.ts';
import type { Journal } from '../journal/journal.ts';
import type { Change } from '../journal/records.ts';
import { required, type ExecutionState } from '../journal/state.ts';
import { isInstrumentOf } from '../order/attempt.ts';
import type { OrderRecord } from '../order/order.ts';
import { bookDays } from '../order/order-day.ts';
import type { BookPoller } from '../reconcile/book-poller.ts';
import { hasId } from '../reconcile/match-unread.ts';
import { decideResolve, type ManualResolution } from '../reconcile/resolve.ts';
import type { AmendResult } from './amend.ts';
import { amendmentRequest, createAmendmentKeys } from './amendment-keys.ts';
import type { createChanged } from './prepare.ts';
import type { BrokerOrderId, OrderId, TradingDay } from '../../units/branded.ts';

/** The order as it stands after it; `repeated` where the key was used for the same before. */
export type ResolveResult = Pick<AmendResult, 'order' | 'repeated'>;

/** `by` is the caller who says it; the key is null where the caller gave none. */
export type Resolve = (
  orderId: OrderId,
  resolution: ManualResolution,
  by: string,
  idempotencyKey: string | null,
) => Promise<ResolveResult>;

/** Resolves an order as a person says; its book is then read. */
export function createResolve(parts: {
  readonly writer: SingleWriter<ExecutionState, Change>;
  readonly clock: Clock;
  readonly journal: Journal;
  readonly changed: ReturnType<typeof createChanged>;
  readonly poller: (broker: BrokerId) => BookPoller | null;
}): Resolve {
  const { writer, journal, clock, changed, poller } = parts;
  const { state } = writer;
  const once = createAmendmentKeys<ResolveResult>(state, journal);

  /** The row that a person has named, as the broker shows it now; of several, the one like the order. */
  async function rowOf(
    order: OrderRecord,
    resolution: ManualResolution,
  ): Promise<BrokerOrder | IdentifiedRow | null> {
    if (resolution.kind === 'absent') return null;
    const { brokerOrderId, force } = resolution;
    const { broker } = order;
    const wasObserved = (day: TradingDay): boolean =>
      state.observedIn.get(broker, day, brokerOrderId) !== undefined;
    // Nothing is compared then: only a row that no book has shown whole has to be looked for.
    if (force === true && bookDays(order).some(wasObserved)) return null;
    try {
      const read = await poller(broker)?.read(clock.elapsed());
      const isNamed = (row: { readonly brokerOrderId: BrokerOrderId | null }): boolean =>
        row.brokerOrderId === brokerOrderId;
      const named = (read?.rows ?? []).filter(isNamed);
      const { side } = order.terms;
      const alike = named.find((row) => row.side === side && isInstrumentOf(order, row));
      return alike ?? named[0] ?? (read?.unread ?? []).filter(hasId).find(isNamed) ?? null;
    } catch {
      return null;
    }
  }

  return async (orderId, resolution, by, idempotencyKey) => {
    const key = idempotencyKey === null ? null : { caller: by, idempotencyKey };
    const request = key && amendmentRequest('resolve', orderId, resolution, key);
    return once(
      request,
      async (): Promise<ResolveResult> => {
        const row = await rowOf(required(state.orders, orderId, 'order'), resolution);
        const command = { orderId, resolution, by, request, row, at: clock.now() };
        const order = await writer.submit((current) => decideResolve(current, command));
        changed.notify();
        poller(order.broker)?.wake();
        return { order, repeated: false };
      },
      () => ({ order: required(state.orders, orderId, 'order'), repeated: true }),
    );
  };
}
