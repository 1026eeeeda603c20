import type { BasketOrderResult } from '../../src/domain/basket.ts';
import type { OrderResponse } from '../../src/domain/order.ts';
import { GatewayProblem, isOpenCode, type ProblemCode } from '../../src/domain/problem.ts';

/** What a program is told of an order, whichever way it asks. */
export type ToldOrder = Pick<
  OrderResponse,
  'id' | 'status' | 'filledQuantity' | 'broker' | 'mode' | 'reason'
>;

/** The answer to a placing or a change. */
export interface ToldResult {
  readonly order: ToldOrder;
  /** Whether the key had been used before. */
  readonly repeated: boolean;
  /** Of a cancel that was sent without being on disk. */
  readonly onDisk?: false;
}

/** The answer to one order of a basket. */
export type ToldItem =
  | { readonly kind: 'order'; readonly result: ToldResult }
  | { readonly kind: 'problem'; readonly problem: GatewayProblem };

/** What an element of a basket may call an order of this status; any other is acknowledged. */
const RESULTS: ReadonlyMap<string, BasketOrderResult> = new Map([
  ...(['accepted', 'sending', 'uncertain', 'disputed'] as const).map(
    (status) => [status, 'uncertain'] as const,
  ),
  ...([
    ['rejected', 'refused'],
    ['not_sent', 'not_sent'],
  ] as const),
]);

/** Throws where the parts of an element contradict each other. */
export function itemOf(
  result: BasketOrderResult,
  placed: ToldResult | null,
  problem: ToldProblem | null,
): ToldItem {
  const isMaybe = problem?.mayHaveExecuted === true ? 'uncertain' : 'not_sent';
  const means = placed ? (RESULTS.get(placed.order.status) ?? 'acknowledged') : isMaybe;
  if (result !== means) throw new Error(`an element of a basket is ${result}, and means ${means}`);
  if (placed) return { kind: 'order', result: placed };
  if (problem === null) throw new Error('an element of a basket has neither order nor problem');
  return { kind: 'problem', problem: problemFrom(problem) };
}

/** What a program is told of a problem. */
interface ToldProblem {
  readonly code: ProblemCode;
  readonly detail: string;
  readonly mayHaveExecuted?: boolean;
}

/** The problem as the gateway makes it; throws where its code never leaves open what was done. */
export function problemFrom({
  code,
  detail,
  mayHaveExecuted = false,
}: ToldProblem): GatewayProblem {
  if (isOpenCode(code)) return new GatewayProblem({ code, detail, mayHaveExecuted });
  if (mayHaveExecuted) throw new Error(`${code} says that it may have executed: ${detail}`);
  return new GatewayProblem({ code, detail, mayHaveExecuted });
}
