import type { UnreadRow } from '../../domain/broker-order.ts';
import type { BrokerId } from '../../domain/broker.ts';
import type { OrderTerms } from '../../domain/order.ts';
import type { EpochMs, OrderId } from '../../units/branded.ts';
import type { IsinOf } from './delivered-shares.ts';

/** `orderId` is the order's own: it does not count against itself. */
export interface OrderOfAccount {
  readonly broker: BrokerId;
  readonly terms: OrderTerms;
  readonly orderId: OrderId;
}

/** Shares, moved the same way as an order would move them. */
export interface BesidePositions {
  /** What orders have filled today and the positions do not show yet. */
  readonly moved: number;
  /** The part of it that orders placed elsewhere may have filled which have ended and do not tell it; absent for none. */
  readonly untold?: number;
  /** The part of it that is known to have filled; absent where that is all. */
  readonly told?: number;
  /** Whether the positions show other trades of that side today than the fills that are known; absent where not. */
  readonly isUnexplained?: boolean;
  /**
   * Whether the positions may show another trade in place of a fill of ours of the last seconds, because no earlier look
   * has told which trades they show; absent where not.
   */
  readonly isUnsure?: boolean;
  /** What orders of ours have filled so shortly before the account was read that it may lack them; absent for none. */
  readonly recent?: number;
  /** What is left, by the gateway's own count, of what was known to be held (known-left.ts); absent where nothing is counted. */
  readonly left?: number;
  /** What open orders that are not ours would still fill, as the book was last read. */
  readonly resting: number;
  /** When the book was asked for that was read last (epoch ms); null, or absent, before one. */
  readonly bookAt?: EpochMs | null;
  /** Rows of the book that cannot be read, and may be such orders in any quantity. */
  readonly unread: readonly UnreadRow[];
  readonly isinOf: IsinOf;
}

type Counted = Omit<BesidePositions, 'isinOf'>;

/** Most orders open a position, and for them nobody asks: a book can have thousands of rows. */
export function whenAsked(isinOf: IsinOf, count: () => Counted): BesidePositions {
  let known: Counted | null = null;
  const counted = (): Counted => (known ??= count());
  return {
    isinOf,
    get moved() {
      return counted().moved;
    },
    get untold() {
      return counted().untold ?? 0;
    },
    get told() {
      const { told, moved } = counted();
      return told ?? moved;
    },
    get isUnexplained() {
      return counted().isUnexplained ?? false;
    },
    get isUnsure() {
      return counted().isUnsure ?? false;
    },
    get recent() {
      return counted().recent ?? 0;
    },
    get left() {
      return counted().left ?? Infinity;
    },
    get resting() {
      return counted().resting;
    },
    get bookAt() {
      return counted().bookAt ?? null;
    },
    get unread() {
      return counted().unread;
    },
  };
}
