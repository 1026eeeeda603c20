import type { BrokerId, Mode } from './broker.ts';

/** Where an answer came from and how old it is; every answer of the gateway can say so. */
export interface AnswerMeta {
  readonly broker: BrokerId;
  /** Whether the account behind it is real; for market data, always `live`. */
  readonly mode: Mode;
  /** Epoch ms at which the broker was asked. */
  readonly asOf: number;
  readonly ageMs: number;
}

export interface Answer<T> {
  readonly data: T;
  readonly meta: AnswerMeta;
}
