import type { GatewayProblem } from '../../domain/problem.ts';
import type { Moment } from '../../platform/clock.ts';
import type { CheckedOrder } from '../submit/check-order.ts';
import type { PlaceResult } from '../submit/place-command.ts';
import type { KeyedCommand } from '../submit/submit.ts';

/** One order of a basket, as the router has found it. */
export type BasketOrder =
  /** Its key has made an order before, by the same request. */
  | { readonly kind: 'known'; readonly result: PlaceResult }
  | { readonly kind: 'asked'; readonly command: KeyedCommand }
  /** It cannot be placed: there is no such instrument, for one. */
  | { readonly kind: 'refused'; readonly problem: GatewayProblem };

/** Orders that are asked for together, in the order in which the caller gave them (docs/many-orders.md). */
export interface BasketCommand {
  readonly arrived: Moment;
  /** One after the other, up to the first that is not acknowledged. */
  readonly ordered: boolean;
  /** Only checks. */
  readonly dryRun: boolean;
  readonly orders: readonly BasketOrder[];
}

/** What has become of one of them. */
export type BasketOutcome =
  | { readonly kind: 'placed'; readonly result: PlaceResult }
  /** A GatewayProblem, unless nobody has foreseen it. */
  | { readonly kind: 'failed'; readonly error: unknown }
  /** It was kept back because of another order of the basket: known not to have left, and its key is free. */
  | { readonly kind: 'kept'; readonly reason: string }
  /** It would be sent: the basket was only checked. */
  | { readonly kind: 'checked' };

export interface BasketResult {
  /** Whether an order was refused by the checks: then none was sent. */
  readonly refused: boolean;
  /** By the orders of the command. */
  readonly outcomes: readonly BasketOutcome[];
}

/** One order, once the whole basket was checked. */
export type CheckedItem =
  /** It was asked for before, and nothing is sent for it now. Never rejects. */
  | { readonly kind: 'before'; readonly outcome: Promise<BasketOutcome> }
  | { readonly kind: 'ready'; readonly command: KeyedCommand; readonly order: CheckedOrder }
  | {
      readonly kind: 'refused';
      readonly problem: GatewayProblem;
      /** Absent where it was refused before it was a command. */
      readonly command?: KeyedCommand;
    };

/** What becomes of a promised order; never rejects. */
export async function outcomeOf(placing: Promise<PlaceResult>): Promise<BasketOutcome> {
  try {
    return { kind: 'placed', result: await placing };
  } catch (error) {
    return { kind: 'failed', error };
  }
}

/** As callers count them: the first order of a request is `orders[0]`. */
export const placeInBasket = (index: number): string => `orders[${index}]`;
