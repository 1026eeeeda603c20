import type {
  BasketAnswer,
  BasketMargin,
  BasketOrderAnswer,
  BasketOrderResult,
  BasketRequest,
} from '../domain/basket.ts';
import type { BrokerId } from '../domain/broker.ts';
import type { OrderRequest } from '../domain/order.ts';
import { GatewayProblem, type ProblemFields } from '../domain/problem.ts';
import type { BasketOrder, BasketOutcome } from '../execution/baskets/basket.ts';
import { callerKey } from '../execution/journal/records.ts';
import { momentOf, type Moment } from '../platform/clock.ts';
import { createTurns } from '../platform/turns.ts';
import { messageOf, must } from '../platform/values.ts';
import type { ExecutionResult, Gateway } from './gateway.ts';
import type { AnswerParts } from './order-details.ts';
import { createPlacing, placedResult, type PlacingParts } from './placing.ts';
import { asProblems, toProblem } from './problems.ts';
import { type BasketKeys, placedUnder, underKey } from './used-keys.ts';

export interface BasketCallParts extends PlacingParts {
  readonly margins: Gateway['getMargins'];
  readonly basketKeys: BasketKeys;
}

/** Places many orders: the router finds the brokers of each, and execution does the rest. */
export function createBasketCall(parts: BasketCallParts): Gateway['placeBasket'] {
  const { execution, clock } = parts;
  const placing = createPlacing(parts);
  const inTurn = createTurns();

  /**
   * Baskets that share a key wait for each other: what one of them keeps back, or does not come to, another one that is
   * under way may have sent, or may still send.
   */
  async function placeBasket(basket: BasketRequest, caller: string): Promise<BasketAnswer> {
    const arrived = momentOf(clock);
    mustHaveOwnKeys(basket);
    if (basket.dryRun) return placeNow(basket, caller, arrived);
    const keys = basket.orders.map(({ clientOrderId }) => callerKey(caller, clientOrderId));
    const work = () => inTurn(keys, () => placeNow(basket, caller, arrived));
    return execution.track(parts.basketKeys.hold(keys, work));
  }

  async function placeNow(
    basket: BasketRequest,
    caller: string,
    arrived: Moment,
  ): Promise<BasketAnswer> {
    const { ordered, dryRun } = basket;
    const orders = await Promise.all(basket.orders.map((each) => found(each, caller, arrived)));
    const result = await execution.placeBasket({ arrived, ordered, dryRun, orders });
    const { refused, outcomes } = result;
    // What was placed before has to be told: a problem of the whole could not.
    if (refused && outcomes.every(({ kind }) => kind !== 'placed')) throw refusalOf(outcomes);
    const margins = dryRun && !refused ? await marginsOf(orders, outcomes) : null;
    const answers = basket.orders.map(({ clientOrderId }, index) =>
      answerOf(
        parts,
        clientOrderId,
        asItStands(must(outcomes[index], 'there is an outcome for each order')),
      ),
    );
    return { orders: answers, margins };
  }

  /** An order may have changed since its own answer came, while the basket waited for those of others. */
  function asItStands(outcome: BasketOutcome): BasketOutcome {
    if (outcome.kind !== 'placed') return outcome;
    const { result } = outcome;
    const order = execution.state.orders.get(result.order.id) ?? result.order;
    return { kind: 'placed', result: { ...result, order } };
  }

  async function found(
    { request, clientOrderId, force = false }: BasketRequest['orders'][number],
    caller: string,
    arrived: Moment,
  ): Promise<BasketOrder> {
    const context = { caller, idempotencyKey: clientOrderId, force };
    try {
      const result = await placing.known(request, context);
      if (result) return { kind: 'known', result };
      const command = await underKey(
        () => placing.command(request, context, arrived),
        // The baskets that share this key are over: only its own holds it.
        () => placedUnder(execution, context, null),
      );
      return { kind: 'asked', command: { ...command, idempotencyKey: clientOrderId } };
    } catch (error) {
      const problem = toProblem(error);
      if (problem instanceof GatewayProblem) return { kind: 'refused', problem };
      throw problem;
    }
  }

  /** By the account to which each order would go first. What was placed before is not counted. */
  async function marginsOf(
    orders: readonly BasketOrder[],
    outcomes: readonly BasketOutcome[],
  ): Promise<readonly BasketMargin[]> {
    const byBroker = new Map<BrokerId, OrderRequest[]>();
    for (const [index, order] of orders.entries()) {
      if (order.kind !== 'asked' || outcomes[index]?.kind !== 'checked') continue;
      const { candidates, request } = order.command;
      for (const { broker } of candidates.slice(0, 1)) {
        byBroker.set(broker, [...(byBroker.get(broker) ?? []), request]);
      }
    }
    return Promise.all(
      [...byBroker].map(async ([broker, requests]): Promise<BasketMargin> => {
        const { mode } = parts.view(broker);
        const of = { broker, mode, orders: requests.length };
        try {
          const { data } = await parts.margins(requests, { broker });
          return { ...of, estimate: data, error: null };
        } catch (error) {
          return { ...of, estimate: null, error: messageOf(error) };
        }
      }),
    );
  }

  return (basket, caller) => asProblems(() => placeBasket(basket, caller));
}

/** Throws `invalid_request` where two orders have the same key: only one of them would be placed. */
function mustHaveOwnKeys({ orders }: BasketRequest): void {
  const first = new Map<string, number>();
  const errors = orders.flatMap(({ clientOrderId }, index) => {
    const other = first.get(clientOrderId);
    if (other === undefined) {
      first.set(clientOrderId, index);
      return [];
    }
    const message = `is also that of orders[${other}]: give each order a key of its own`;
    return [{ path: pathOf(index, 'clientOrderId'), message }];
  });
  if (errors.length === 0) return;
  throw new GatewayProblem({
    code: 'repeated_key',
    detail: `${errors.map(({ path, message }) => `${path}: ${message}`).join('; ')}. ${NONE}`,
    mayHaveExecuted: false,
    errors,
  });
}

const NONE = 'None of the basket was placed.';

/** As the paths of other errors of a body. */
const pathOf = (index: number, field?: string): string =>
  ['body.orders', index, ...(field === undefined ? [] : [field])].join('.');

/** As a part of a sentence. */
const withoutStop = (detail: string): string => detail.replace(/\.$/, '');

/** One problem for the whole basket, with an error for each order that was refused. */
function refusalOf(outcomes: readonly BasketOutcome[]): GatewayProblem {
  const wrong = outcomes.flatMap((outcome, index) =>
    outcome.kind === 'failed' ? [{ problem: problemOf(outcome.error), index }] : [],
  );
  const errors = wrong.map(({ problem: { code, detail, field, nearest }, index }) => ({
    ...{ path: pathOf(index, field), message: withoutStop(detail), code },
    ...(nearest === undefined ? {} : { nearest }),
  }));
  const [first, ...others] = wrong.map(({ problem }) => problem);
  const isOfOneKind = first !== undefined && others.every(({ code }) => code === first.code);
  const open = wrong.find(({ problem }) => problem.mayHaveExecuted === true);
  const none = open ? 'None of the basket was sent now.' : NONE;
  const detail = `${errors.map(({ path, message }) => `${path}: ${message}`).join('; ')}. ${none}`;
  if (isOfOneKind) {
    return new GatewayProblem({ ...(open?.problem ?? first), detail, errors, extra: {} });
  }
  const mayHaveExecuted = open !== undefined;
  return new GatewayProblem({ code: 'basket_refused', detail, mayHaveExecuted, errors });
}

function answerOf(
  parts: AnswerParts,
  clientOrderId: string,
  outcome: BasketOutcome,
): BasketOrderAnswer {
  switch (outcome.kind) {
    case 'placed': {
      const placed = placedResult(parts, outcome.result);
      return { clientOrderId, result: resultOf(placed), placed, problem: null };
    }
    case 'failed': {
      const problem = problemOf(outcome.error);
      const result = problem.mayHaveExecuted === true ? 'uncertain' : 'not_sent';
      return { clientOrderId, result, placed: null, problem };
    }
    case 'kept': {
      const detail = `${outcome.reason}; nothing was sent`;
      const problem = { code: 'order_not_sent', detail, mayHaveExecuted: false } as const;
      return { clientOrderId, result: 'not_sent', placed: null, problem };
    }
    case 'checked':
      return { clientOrderId, result: 'checked', placed: null, problem: null };
  }
}

function resultOf({ order, settled }: ExecutionResult): BasketOrderResult {
  const { status, filledQuantity } = order;
  if (!settled || status === 'uncertain' || status === 'disputed') return 'uncertain';
  if (status === 'rejected') return filledQuantity === null ? 'uncertain' : 'refused';
  return status === 'not_sent' ? 'not_sent' : 'acknowledged';
}

/** Of an error that nobody has foreseen it is not known whether the order was placed. */
function problemOf(error: unknown): ProblemFields {
  const problem = toProblem(error);
  if (problem instanceof GatewayProblem) return problem.fields;
  const detail =
    'an unexpected error; the order may have been placed: send it again with the same key, which answers how ' +
    'it stands';
  return { code: 'internal', detail, mayHaveExecuted: true };
}
