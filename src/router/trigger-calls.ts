import type { BrokerId } from '../domain/broker.ts';
import { lacksSession } from '../domain/outcome.ts';
import type { Triggers } from '../domain/ports.ts';
import { GatewayProblem } from '../domain/problem.ts';
import { type Moment, momentOf } from '../platform/clock.ts';
import { ofLeg } from '../execution/triggers/check-trigger.ts';
import { triggerResponse } from '../execution/triggers/trigger-response.ts';
import type { ChangeResult, TriggerResult } from '../execution/triggers/trigger-parts.ts';
import type { Gateway } from './gateway.ts';
import { createPlacing, placedResult, type PlacingParts } from './placing.ts';
import { tradingCandidates } from './policy.ts';
import { createKeyTurns } from './used-keys.ts';
import { asProblems } from './problems.ts';
import { mustBeOfMode, noBroker, notServed, notSupported } from './reads.ts';
import {
  modificationOfTrigger,
  orderForKey,
  orderOfTrigger,
  triggerCallResult,
  triggerOfOrder,
} from './stop-triggers.ts';
import type {
  TriggerCallResult,
  TriggerCalls,
  TriggerContext,
  TriggerModification,
  TriggerPlacing,
  TriggerResolveWord,
} from './triggers.ts';

export interface TriggerCallsParts extends PlacingParts {
  readonly triggers: ReadonlyMap<BrokerId, Triggers>;
  readonly orders: Pick<Gateway, 'modifyOrder' | 'cancelOrder' | 'resolveOrder' | 'getOrder'>;
}

/**
 * Calls about triggers: the router chooses the account, and execution does the rest. At a broker whose triggers
 * are orders of its book, a trigger is an SL order.
 */
export function createTriggerCalls(parts: TriggerCallsParts): Omit<TriggerCalls, 'getTriggers'> {
  const { execution, orders } = parts;
  const { triggers } = execution;
  const placing = createPlacing(parts);
  const inTurn = createKeyTurns(execution);

  /**
   * Requests of one key wait for each other: while one is on its way to a broker, the route may come to lead to another
   * one, where a trigger is an order.
   */
  function place(request: TriggerPlacing, context: TriggerContext): Promise<TriggerCallResult> {
    const arrived = momentOf(parts.clock);
    return inTurn(context, () => placeOne(request, context, arrived));
  }

  async function placeOne(
    request: TriggerPlacing,
    context: TriggerContext,
    arrived: Moment,
  ): Promise<TriggerCallResult> {
    const { caller, idempotencyKey } = context;
    const { lastPrice, ...asked } = request;
    const sought = { caller, idempotencyKey, request: asked, lastPrice };
    const known = await triggers.repeated(sought, parts.instrument);
    if (known) return resultOf(known);
    // The route may have led to another broker then: one key makes one trigger, whichever kind that is.
    const order = await placing.known(orderForKey(asked), context);
    if (order) return triggerCallResult(placedResult(parts, order), 'place');
    const broker = brokerOf(asked);
    const source = parts.triggers.get(broker);
    if (!source) throw notSupported(broker, 'triggers');
    if (source.inBook) {
      orderOfTrigger(asked, broker);
      const placed = await asLeg(async () => {
        const command = await placing.command(orderForKey(asked), context, arrived);
        // At another broker of the route it would be a stop at the exchange, and no trigger.
        const candidates = command.candidates.filter((each) => each.broker === broker);
        return execution.place({ ...command, candidates });
      });
      return triggerCallResult(placedResult(parts, placed), 'place');
    }
    const instrument = await parts.instrument(asked.instrument);
    const refusal = parts.refusal(broker, instrument);
    if (refusal) {
      throw new GatewayProblem({
        code: refusal.isLasting ? 'unknown_instrument' : 'no_broker',
        ...{ detail: refusal.reason, broker },
      });
    }
    const result = await triggers.place({
      ...{ arrived, caller, idempotencyKey, instrument, broker, lastPrice },
      request: { ...asked, instrument: instrument.name },
      route: parts.route,
      forcedBy: context.force === true ? caller : null,
    });
    return resultOf(result);
  }

  /** The account that it goes to: as for an order, except that no other broker is tried after the first. */
  function brokerOf(request: Pick<TriggerPlacing, 'broker' | 'mode'>): BrokerId {
    const route = (request.broker === null ? parts.route : [request.broker]).map(parts.view);
    const named = request.broker === null ? null : (route[0] ?? null);
    if (named !== null) mustBeOfMode(named, request.mode);
    if (named?.notSetUp !== undefined) throw notServed(named, 'triggers');
    const choice = tradingCandidates(route, request, false);
    const [broker] = choice.kind === 'brokers' ? choice.brokers : [];
    if (broker !== undefined) return broker;
    const blocked = choice.kind === 'none' ? choice.blocked : null;
    if (!lacksSession(blocked) || blocked?.cause !== 'token') {
      throw noBroker(blocked?.reason ?? 'no broker takes orders now: GET /api/v1/brokers says why');
    }
    const detail = `${blocked.reason}; nothing was sent`;
    throw new GatewayProblem({ code: 'token_absent', detail, mayHaveExecuted: false });
  }

  return {
    getTrigger: (id) =>
      asProblems(async () => {
        if (isOrder(id)) return triggerOfOrder(await orders.getOrder(id));
        mustBeOurs(id);
        const found = await triggers.trigger(id);
        if (found) return triggerResponse(found);
        throw unknown(`There is no trigger ${id}.`);
      }),
    placeTrigger: (request, context) => asProblems(() => place(request, context)),
    modifyTrigger: (id, changes, context) =>
      asProblems(() => changeTrigger(parts, id, changes, context)),
    deleteTrigger: (id, context) => asProblems(() => changeTrigger(parts, id, null, context)),
    resolveTrigger: (id, word, context) => asProblems(() => resolve(parts, id, word, context)),
  };
}

/** Of an order that a trigger is made as, the fields are those of its one leg: a caller has sent no others. */
async function asLeg<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    throw ofLeg(0, error);
  }
}

/** Modifies a trigger, or deletes it where `changes` is null. */
async function changeTrigger(
  { execution, orders }: TriggerCallsParts,
  id: string,
  changes: TriggerModification | null,
  context: TriggerContext,
): Promise<TriggerCallResult> {
  const { caller, idempotencyKey, force } = context;
  if (isOrder(id)) {
    triggerOfOrder(await orders.getOrder(id));
    const changed =
      changes === null
        ? await orders.cancelOrder(id, context)
        : await asLeg(() => orders.modifyOrder(id, modificationOfTrigger(changes), context));
    return triggerCallResult(changed, changes === null ? 'delete' : 'change');
  }
  mustBeOurs(id);
  return changeResult(
    await execution.triggers.change({
      ...{ id, caller, idempotencyKey, changes: changes?.legs ?? null },
      lastPrice: changes?.lastPrice ?? null,
      forcedBy: force === true ? caller : null,
    }),
  );
}

async function resolve(
  { execution, orders }: TriggerCallsParts,
  id: string,
  word: TriggerResolveWord,
  context: TriggerContext,
): Promise<TriggerCallResult> {
  const { caller, idempotencyKey } = context;
  if (!isOrder(id)) {
    mustBeOurs(id);
    return changeResult(await execution.triggers.resolve({ id, word, caller, idempotencyKey }));
  }
  triggerOfOrder(await orders.getOrder(id));
  if (word.kind === 'filled') {
    const detail = `Trigger ${id} is an order of the book, which tells how much it has filled.`;
    throw new GatewayProblem({ code: 'order_state', detail, mayHaveExecuted: false });
  }
  const said =
    word.kind === 'absent'
      ? word
      : {
          ...{ kind: 'placed' as const, brokerOrderId: word.triggerId },
          ...(word.force ? { force: true as const } : {}),
        };
  return triggerCallResult(await orders.resolveOrder(id, said, context), 'change');
}

const isOrder = (id: string): boolean => id.startsWith('ord_');

/** Throws where an id is one of the broker's. */
function mustBeOurs(id: string): void {
  if (!id.includes(':')) return;
  throw unknown(
    `${id} was placed elsewhere: GET /api/v1/triggers lists it, and the broker's app ends it.`,
  );
}

const unknown = (detail: string): GatewayProblem =>
  new GatewayProblem({ code: 'unknown_trigger', detail });

const resultOf = ({ trigger, idempotencyKey, repeated }: TriggerResult): TriggerCallResult => ({
  ...{ trigger: triggerResponse(trigger), idempotencyKey, repeated, change: null },
});

const changeResult = (result: ChangeResult): TriggerCallResult => ({
  ...resultOf(result),
  change:
    result.change === null ? null : { status: result.change.state, reason: result.change.reason },
  ...(result.onDisk === false ? { onDisk: false } : {}),
});
