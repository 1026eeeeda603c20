import type { OrderStatus } from '../../src/domain/order.ts';
import type { ProblemCode } from '../../src/domain/problem.ts';

/**
 * What a problem answers: the placing of an order, alone or in a basket; or what is asked for about orders that there are, or
 * a position. That a change was not sent says nothing of the placing.
 */
export type Answered = 'placing' | 'change' | 'cancel' | 'cancel_all' | 'exit' | 'closing';

/** What the gateway has told a caller, with the instant at which it was told. */
export type Statement =
  | {
      readonly kind: 'order';
      readonly at: number;
      readonly wanted: string;
      readonly orderId: string;
      readonly status: OrderStatus;
      readonly filledQuantity: number | null;
      readonly broker: string;
      readonly reason: string | null;
      /** How many events there were by then. */
      readonly events: number;
    }
  | {
      readonly kind: 'problem';
      readonly at: number;
      /** The number of the call that it answers. */
      readonly call: number;
      readonly wanted: string;
      readonly of: Answered;
      /** The request that it answers, and those before it under its key (call.ts); null where nobody counts them. */
      readonly under: string | null;
      readonly code: ProblemCode | 'unforeseen';
      readonly detail: string;
      /** Whether what was asked for may have happened: where not, that it has not is a claim. */
      readonly mayHaveExecuted: boolean;
      /** How many events there were by then. */
      readonly events: number;
    };
