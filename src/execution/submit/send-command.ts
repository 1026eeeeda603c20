import type { BrokerId, Mode } from '../../domain/broker.ts';
import type { Segment } from '../../domain/instrument.ts';
import { tradingDay } from '../../domain/ist.ts';
import type { OrderMarks, OrderTerms } from '../../domain/order.ts';
import type { AppliedLimits } from '../../domain/order-limits.ts';
import type { OrderRecord, OrderState } from '../order/order.ts';
import type { AttemptId, EpochMs, OrderId, TradingDay } from '../../units/branded.ts';
import type { AccountKnowledge } from './brakes.ts';

/** All that one placing needs, gathered before it is decided. */
export interface SendCommand {
  readonly orderId: OrderId;
  readonly attemptId: AttemptId;
  readonly tag: string;
  /** Whether the broker is sent the tag. */
  readonly tagSent: boolean;
  readonly caller: string;
  readonly idempotencyKey: string;
  readonly requestHash: string;
  readonly callerTag: string | null;
  readonly terms: OrderTerms;
  readonly scripCode: string | null;
  readonly writtenAs?: string;
  readonly segment: Segment;
  readonly broker: BrokerId;
  readonly mode: Mode;
  /** See Trading. */
  readonly marketAsLimit?: boolean;
  /** Ids in the broker's book before the send; null where rows carry our tag. */
  readonly baseline: readonly string[] | null;
  /** Why the book could not be read before an exit; null, or absent, where it was read. */
  readonly unwatched?: string | null;
  /** The account of the session; null where that is not known. */
  readonly account: string | null;
  /** The broker's time (epoch ms); null where it has not told it just now. */
  readonly brokerAt: EpochMs | null;
  /** See Trading; absent where its requests carry none. */
  readonly marks?: OrderMarks;
  /** What is known of the account; null where no brake held when it was prepared. */
  readonly knowledge: AccountKnowledge | null;
  /** See OutgoingOrder. */
  readonly limits?: AppliedLimits | null;
  readonly at: EpochMs;
  /** The broker's day, where its clock is known to differ from ours; that of `at` when absent. */
  readonly day?: TradingDay;
}

/** The broker's day on which it is decided. */
export const dayOf = ({ at, day }: Pick<SendCommand, 'at' | 'day'>): TradingDay =>
  day ?? tradingDay(at);

/** What an order is asked for with; what is sent of it comes later. */
export type OrderCommand = Omit<
  SendCommand,
  | 'attemptId'
  | 'marks'
  | 'tag'
  | 'tagSent'
  | 'baseline'
  | 'unwatched'
  | 'account'
  | 'brokerAt'
  | 'knowledge'
>;

export function newOrder(command: OrderCommand, state: OrderState): OrderRecord {
  return {
    id: command.orderId,
    caller: command.caller,
    idempotencyKey: command.idempotencyKey,
    requestHash: command.requestHash,
    parentId: null,
    day: dayOf(command),
    terms: command.terms,
    scripCode: command.scripCode,
    ...(command.writtenAs === undefined ? {} : { writtenAs: command.writtenAs }),
    segment: command.segment,
    callerTag: command.callerTag,
    broker: command.broker,
    mode: command.mode,
    state,
    createdAt: command.at,
    updatedAt: command.at,
  };
}
