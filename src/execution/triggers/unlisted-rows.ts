import type { BrokerId } from '../../domain/broker.ts';
import type { Clock } from '../../platform/clock.ts';
import type { SingleWriter } from '../../platform/single-writer.ts';
import { type BrokerOrderId, type ElapsedMs, LONG_AGO, plus } from '../../units/branded.ts';
import type { Change } from '../journal/records.ts';
import type { ExecutionState } from '../journal/execution-state.ts';

/**
 * Orders placed elsewhere of which no list of triggers says yet whether a trigger has placed them: the book may show
 * such an order before the list names it.
 */
export interface UnlistedRows {
  has(brokerOrderId: BrokerOrderId): boolean;
  any(): boolean;
}

/** A list that began so long after the book had shown an order names the trigger that has placed it. */
const LIST_FOLLOWS_MS = 1_000;
/** A row that was written down longer ago is one that a read of long ago had shown. */
const JUST_NOW_MS = 1_000;

/** `lastBegun`: when the last list that was taken in began to be read; null before one in this process. */
export function createUnlistedRows(
  {
    broker,
    writer,
    clock,
  }: {
    readonly broker: BrokerId;
    readonly writer: SingleWriter<ExecutionState, Change>;
    readonly clock: Clock;
  },
  lastBegun: () => ElapsedMs | null,
  tell: () => void,
): UnlistedRows {
  /** When a book has first shown each in this process. */
  const seen = new Map<BrokerOrderId, ElapsedMs>();
  const isOpen = (at: ElapsedMs): boolean => plus(at, LIST_FOLLOWS_MS) > (lastBegun() ?? LONG_AGO);

  function forgetListed(): void {
    for (const [id, at] of seen) if (!isOpen(at)) seen.delete(id);
  }

  writer.onChange(({ table, row }) => {
    if (table !== 'observed' || row === null || row.orderId !== null) return;
    if (row.broker !== broker || clock.now() - row.seenAt > JUST_NOW_MS) return;
    if (seen.has(row.brokerOrderId)) return;
    forgetListed();
    seen.set(row.brokerOrderId, clock.elapsed());
    tell();
  });

  return {
    has: (id) => {
      if (lastBegun() === null) return true;
      const at = seen.get(id);
      return at !== undefined && isOpen(at);
    },
    any: () => [...seen.values()].some(isOpen),
  };
}
