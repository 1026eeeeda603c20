import type { OrderStatus } from '../../src/domain/order.ts';
import type { ProblemCode } from '../../src/domain/problem.ts';

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
      readonly wanted: string;
      readonly code: ProblemCode | 'unforeseen';
      readonly detail: string;
      /** What the problem says of the order: that none was placed, or that nothing is known. */
      readonly mayHaveExecuted: boolean;
      /** How many events there were by then. */
      readonly events: number;
    };
