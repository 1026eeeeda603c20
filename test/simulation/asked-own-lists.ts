import type { OwnListKind, ToldOwnList } from './http-own-lists.ts';

/** A list of the orders or trades of a key, as it was answered. Epoch ms. */
export interface AskedOwnList {
  readonly at: number;
  readonly answeredAt: number;
  readonly caller: string;
  readonly what: OwnListKind;
  readonly told: ToldOwnList;
}
