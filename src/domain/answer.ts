import type { BrokerId, Mode } from './broker.ts';
import type { EpochMs } from '../units/branded.ts';

/** Where an answer came from and how old it is. Every answer of the gateway carries this. */
export interface AnswerMeta {
  readonly broker: BrokerId;
  /** Whether the account is real; always `live` for market data. */
  readonly mode: Mode;
  /** Epoch ms at which the broker was asked. */
  readonly asOf: EpochMs;
  readonly ageMs: number;
}

export interface Answer<T> {
  readonly data: T;
  readonly meta: AnswerMeta;
}
