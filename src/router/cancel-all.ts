import type { BrokerId } from '../domain/broker.ts';
import type { LimitBucket } from '../domain/limits.ts';
import { type Instrument, plainSymbolOf } from '../domain/instrument.ts';
import type { OrderResponse } from '../domain/order.ts';
import type { Broker } from '../domain/ports.ts';
import type { CancelAllResult } from '../execution/cancel-all/cancel-all.ts';
import {
  brokerOfItem,
  type CancelItem,
  isOpenItem,
  withDisk,
} from '../execution/cancel-all/cancel-items.ts';
import type { Filtered } from '../execution/cancel-all/set-of-run.ts';
import type { Execution } from '../execution/execution.ts';
import type { InstrumentDirectory } from '../instruments/directory.ts';
import type { Clock } from '../platform/clock.ts';
import { sha256 } from '../platform/secret.ts';
import { messageOf } from '../platform/values.ts';
import type { CallContext, CancelAllAnswer, CancelAllRequest, Gateway } from './gateway.ts';
import { answeredOrder } from './order-details.ts';
import type { OrderReads } from './order-reads.ts';
import type { BrokerView } from './policy.ts';
import { asProblems } from './problems.ts';
import { notServed } from './reads.ts';

export interface CancelAllCallParts {
  readonly brokers: readonly Broker[];
  readonly execution: Execution;
  readonly directory: Pick<InstrumentDirectory, 'resolve' | 'listings'>;
  readonly instrument: (text: string) => Promise<Instrument>;
  readonly view: (broker: BrokerId) => BrokerView;
  readonly reads: Pick<OrderReads, 'shownExternal'>;
  readonly clock: Clock;
}

/** Cancels many orders: the router says at which brokers, and execution does the rest. */
export function createCancelAllCall(parts: CancelAllCallParts): Gateway['cancelAll'] {
  const { execution, clock } = parts;

  async function cancelAll(
    request: CancelAllRequest,
    { caller, idempotencyKey }: CallContext,
  ): Promise<CancelAllAnswer> {
    const { scope, broker, instrument, product, side, triggers = false } = request;
    const brokers = brokersOf(broker);
    const limits = new Map(parts.brokers.map((each) => [each.id, each.limits?.() ?? []]));
    const at = clock.now();
    const result = await execution.cancelAll({
      ...{ caller, idempotencyKey, scope, brokers },
      matches: matcher(request),
      triggers,
      requestHash: sha256(
        JSON.stringify([scope, broker, instrument, product, side, ...(triggers ? [triggers] : [])]),
      ),
    });
    const { items, unread, doubts, asked, repeated } = result;
    const ofTriggers = result.triggers ?? [];
    if (items.length + ofTriggers.length === 0) {
      // "Nothing to cancel" is said only where that is known. On a disk that takes nothing, an earlier request under the
      // key may have cancelled what was there: no error may say that nothing was done.
      const [first] = unread.filter(({ isUnwritten }) => isUnwritten !== true);
      if (first && unread.length === asked) throw first.why;
      if (instrument !== null && parts.directory.listings(instrument).length === 0) {
        await parts.instrument(instrument);
      }
    }
    return {
      orders: items.map((item) => ({
        order: responseOf(parts, item),
        result: item.result,
        reason: item.reason,
        ...withDisk(item.onDisk),
      })),
      ...(triggers ? { triggers: ofTriggers } : {}),
      errors: [...unread, ...doubts].map(({ broker: of, why }) => ({
        ...{ broker: of, reason: messageOf(why) },
      })),
      estimatedSeconds: Math.max(
        0,
        ...[...limits].map(([of, buckets]) => secondsFor(requestsAt(of, result), buckets, at)),
      ),
      ...{ idempotencyKey: result.idempotencyKey, repeated },
      settled: unread.length + doubts.length === 0 && ![...items, ...ofTriggers].some(isOpenItem),
    };
  }

  function brokersOf(named: BrokerId | null): readonly BrokerId[] {
    if (named === null) {
      return parts.brokers.map(({ id }) => id).filter((id) => execution.poller(id) !== null);
    }
    const view = parts.view(named);
    if (execution.poller(named) === null) throw notServed(view, 'orders');
    return [named];
  }

  /** A cancel does not wait for instrument lists: an order is also found by what is typed. */
  function matcher(request: CancelAllRequest): (order: Filtered) => boolean {
    const { broker, instrument, product, side } = request;
    const written = instrument?.toUpperCase() ?? null;
    // A symbol alone is that of every exchange: no order of it is left open because another one was meant.
    const symbol = instrument === null ? null : plainSymbolOf(instrument);
    const name = instrument === null ? null : (parts.directory.resolve(instrument)?.name ?? null);
    return (order) =>
      (broker === null || order.broker === broker) &&
      (product === null || order.product === product) &&
      (side === null || order.side === side) &&
      (written === null ||
        [name, written].includes(order.instrument) ||
        order.scripCode === written ||
        (symbol !== null && order.instrument.endsWith(`:${symbol}`)));
  }

  return (request, context) => asProblems(() => cancelAll(request, context));
}

/** As `GET /orders` shows it, with the time that an order placed elsewhere keeps there. */
function responseOf(parts: CancelAllCallParts, { order }: CancelItem): OrderResponse {
  return order.kind === 'own'
    ? answeredOrder(parts, order.order)
    : parts.reads.shownExternal(order.source.broker, order.row);
}

const requestsAt = (broker: BrokerId, { items }: CancelAllResult): number =>
  items
    .filter((item) => brokerOfItem(item) === broker)
    .reduce((sum, { requests }) => sum + requests, 0);

/** How long so many requests take at a broker's limits on orders, as they stood at `at`. */
function secondsFor(requests: number, buckets: readonly LimitBucket[], at: number): number {
  if (requests === 0) return 0;
  const orders = buckets.find(({ name }) => name === 'orders');
  const pauseMs = Math.max(0, (orders?.pausedUntil ?? at) - at);
  const waits = (orders?.windows ?? []).map(({ limit, left, perMs }) =>
    requests <= left ? 0 : Math.ceil((requests - left) / limit) * perMs,
  );
  return Math.ceil((pauseMs + Math.max(0, ...waits)) / 1_000);
}
