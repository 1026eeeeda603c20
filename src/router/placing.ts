import type { BrokerId } from '../domain/broker.ts';
import type { Instrument } from '../domain/instrument.ts';
import { isFinal, type OrderRequest } from '../domain/order.ts';
import { GatewayProblem } from '../domain/problem.ts';
import type { Clock, Moment } from '../platform/clock.ts';
import type { InstrumentDirectory } from '../instruments/directory.ts';
import type { Execution } from '../execution/execution.ts';
import type { PlaceCommand, PlaceResult } from '../execution/submit/place-command.ts';
import type { ResolveSpelling } from '../execution/submit/request-identity.ts';
import type { OrderRecord } from '../execution/order/order.ts';
import type { CallContext, ExecutionResult } from './gateway.ts';
import { answeredOrder, type AnswerParts } from './order-details.ts';
import { tradingCandidates, type BrokerView } from './policy.ts';
import { mustBeOfMode, notServed } from './reads.ts';

export interface PlacingParts {
  readonly execution: Execution;
  /** The trading route. */
  readonly route: readonly BrokerId[];
  readonly paperOnOutage: boolean;
  readonly view: (broker: BrokerId) => BrokerView;
  readonly clock: Clock;
  readonly instrument: (text: string) => Promise<Instrument>;
  readonly resolveSpelling: ResolveSpelling;
  /** Why a broker's own lists allow it no order for the instrument; null where they do. */
  readonly refusal: InstrumentDirectory['refusal'];
}

/** What the router does for an order before execution has it; it sends nothing. */
export interface Placing {
  /** The order that the key has made, for the same request; null where there is none yet. */
  known(request: OrderRequest, context: CallContext): Promise<PlaceResult | null>;
  /** The instrument and the candidate brokers of an order. Rejects where it names what there is not. */
  command(request: OrderRequest, context: CallContext, arrived: Moment): Promise<PlaceCommand>;
}

export function createPlacing(parts: PlacingParts): Placing {
  const { execution } = parts;

  function checkNamedBroker(broker: BrokerId, { mode }: OrderRequest): void {
    const view = parts.view(broker);
    mustBeOfMode(view, mode);
    if (execution.poller(broker) === null) throw notServed(view, 'orders');
  }

  return {
    async known(request, { caller, idempotencyKey: key }) {
      if (key === null) return null;
      return execution.repeated(caller, key, request, parts.resolveSpelling);
    },
    async command(request, context, arrived) {
      if (request.broker !== null) checkNamedBroker(request.broker, request);
      const instrument = await parts.instrument(request.instrument);
      const route = request.broker ? [request.broker] : parts.route;
      const choice = tradingCandidates(route.map(parts.view), request, parts.paperOnOutage);
      const chosen = choice.kind === 'brokers' ? choice.brokers : [];
      const candidates = listing(chosen, instrument, parts);
      return {
        arrived,
        caller: context.caller,
        idempotencyKey: context.idempotencyKey,
        request: { ...request, instrument: instrument.name },
        instrument,
        written: request.instrument,
        candidates: candidates.flatMap((broker) => execution.poller(broker)?.trading ?? []),
        route: parts.route,
        forcedBy: context.force === true ? context.caller : null,
        blocked: choice.kind === 'none' ? choice.blocked : null,
      };
    },
  };
}

/**
 * The candidates whose own lists have the instrument. Throws where that leaves no live broker of
 * those that there were: a list never turns a live order into a paper one.
 */
function listing(
  candidates: readonly BrokerId[],
  instrument: Instrument,
  parts: Pick<PlacingParts, 'refusal' | 'view'>,
): readonly BrokerId[] {
  const told = candidates.map((broker) => ({ broker, refusal: parts.refusal(broker, instrument) }));
  const left = told.flatMap(({ broker, refusal }) => (refusal === null ? broker : []));
  const first = told.find(({ refusal }) => refusal !== null);
  const refusal = first?.refusal;
  if (!refusal || left.some((each) => parts.view(each).mode === 'live')) return left;
  throw new GatewayProblem({
    code: refusal.isLasting ? 'unknown_instrument' : 'no_broker',
    detail: refusal.reason,
    broker: first.broker,
    mayHaveExecuted: false,
  });
}

/** An order as a caller is told of it after a placing or a change. */
export function executionResult(
  parts: AnswerParts,
  order: OrderRecord,
  idempotencyKey: string,
  repeated: boolean,
): ExecutionResult {
  const response = answeredOrder(parts, order);
  const { status } = response;
  // The outcome is not known while the request is on its way or uncertain.
  const settled = status === 'working' || isFinal(status);
  return { order: response, idempotencyKey, settled, repeated };
}

export const placedResult = (
  parts: AnswerParts,
  { order, idempotencyKey, repeated }: PlaceResult,
): ExecutionResult => executionResult(parts, order, idempotencyKey, repeated);
