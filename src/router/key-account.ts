import type { Answer } from '../domain/answer.ts';
import type { BrokerId, Mode } from '../domain/broker.ts';
import type { Position } from '../domain/portfolio.ts';
import type { ComparedPosition, HiddenRow } from '../execution/books/compare.ts';
import type { EpochMs, OrderId, TradingDay } from '../units/branded.ts';

/** One position of a key. Rupees; null where a price that it needs is not known. */
export interface PositionOfKey {
  readonly broker: BrokerId;
  readonly mode: Mode;
  /** The user at the broker; null where that was not known when the orders were sent. */
  readonly account: string | null;
  /** `unrealisedPnl` is what is open at the last price; charges are in no figure. */
  readonly position: Position;
}

/** What the orders of one key hold and have made, at all brokers. */
export interface KeyAccount {
  readonly key: string;
  readonly day: TradingDay;
  readonly positions: readonly PositionOfKey[];
  /** Made today by what was closed, made since it was opened by what is open, and both. */
  readonly realisedPnl: number | null;
  readonly unrealisedPnl: number | null;
  readonly pnl: number | null;
  /** The oldest of the last prices; null where none was needed, or none is known. */
  readonly prices: { readonly asOf: EpochMs; readonly ageMs: number } | null;
  /** Orders of which it is not known how much they have filled: the positions may lack that. */
  readonly uncertainOrders: readonly OrderId[];
}

/** The positions of one key at one account. */
export interface OwnPositions extends Answer<readonly Position[]> {
  readonly uncertainOrders: readonly OrderId[];
}

export interface PositionComparison {
  readonly day: TradingDay;
  readonly account: string | null;
  readonly positions: readonly ComparedPosition[];
  /** Of all keys. */
  readonly uncertainOrders: readonly OrderId[];
  /** Rows of the account that cannot be read: figures that they may change are null. */
  readonly unread: readonly ComparedUnread[];
}

export interface ComparedUnread extends HiddenRow {
  /** What is wrong with it, without its values. */
  readonly reason: string;
}

interface OfBroker {
  /** Absent lets the trading route choose. */
  readonly broker?: BrokerId | undefined;
}

export interface KeyPositionReads {
  getKeyAccount(key: string): Promise<KeyAccount>;
  /** `day`: what was traded today alone. */
  getOwnPositions(
    key: string,
    options: OfBroker & { readonly list: 'net' | 'day' },
  ): Promise<OwnPositions>;
  /** Rejects where the account or its book cannot be read. */
  comparePositions(options: OfBroker): Promise<Answer<PositionComparison>>;
}
