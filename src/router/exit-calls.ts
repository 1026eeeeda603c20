import type { BrokerId } from '../domain/broker.ts';
import type { Instrument } from '../domain/instrument.ts';
import type { Trading } from '../domain/ports.ts';
import { GatewayProblem } from '../domain/problem.ts';
import type { Execution } from '../execution/execution.ts';
import { exitResponse } from '../execution/exits/exit-response.ts';
import { type ExitRecord, legKey } from '../execution/exits/exit.ts';
import { tradingDay } from '../domain/ist.ts';
import type { Clock } from '../platform/clock.ts';
import type { ExitId, TradingDay } from '../units/branded.ts';
import { accountOfExit, exitAccounts, type ExitShares } from './exit-account.ts';
import type { CallContext, ExitRequest, ExitWithLegs, Gateway } from './gateway.ts';
import { isHeldAt } from './held-listing.ts';
import type { NamedInstruments } from './named-instruments.ts';
import { answeredOrder } from './order-details.ts';
import type { OrderReads } from './order-reads.ts';
import type { BrokerView } from './policy.ts';
import { asProblems } from './problems.ts';
import { mustBeOfMode, notServed } from './reads.ts';
import { createKeyTurns, underKey, type Used } from './used-keys.ts';

export type ExitCalls = Pick<Gateway, 'startExit' | 'getExit' | 'getExits' | 'cancelExit'>;

export interface ExitCallsParts {
  readonly execution: Execution;
  readonly reads: OrderReads;
  /** The trading route. */
  readonly route: readonly BrokerId[];
  readonly view: (broker: BrokerId) => BrokerView;
  readonly ofHeld: NamedInstruments['ofHeld'];
  readonly isinOf: (instrument: string) => string | null;
  readonly clock: Clock;
}

type Place = Omit<Parameters<Execution['exits']['begin']>[0], 'caller' | 'idempotencyKey'>;

/** All calls about exits: the router chooses the account, and execution does the rest (docs/exits.md). */
export function createExitCalls(parts: ExitCallsParts): ExitCalls {
  const { execution, reads } = parts;
  const { exits } = execution;

  const inTurn = createKeyTurns(execution);

  async function start(request: ExitRequest, context: CallContext) {
    const { caller, idempotencyKey } = context;
    const begin = (place: Place) => exits.begin({ ...place, caller, idempotencyKey });
    const before = await repeatOf(exits, request, context);
    if (before) return { exit: exitResponse(before), repeated: true };
    const { exit, repeated } = await underKey(
      async () =>
        request.kind === 'order'
          ? await begin(await ofOrder(request.orderId))
          : await ofPosition(request, begin),
      () => usedBy(exits, context),
    );
    return { exit: exitResponse(exit), repeated };
  }

  async function ofOrder(id: string): Promise<Place> {
    const order = await reads.ownOrder(id);
    const { instrument, product } = order.terms;
    return {
      ...{ trading: tradingOf(order.broker), instrument, product },
      ...{ quantity: null, orderId: order.id },
    };
  }

  async function ofPosition<T>(
    request: Extract<ExitRequest, { kind: 'position' }>,
    begin: (place: Place) => Promise<T>,
  ): Promise<T> {
    const { product, quantity, broker: named, mode = null, cancelExternal = false } = request;
    if (named !== null) mustBeOfMode(parts.view(named), mode);
    const accounts = named === null ? exitAccounts(parts.route.map(parts.view), mode) : [];
    const brokers = named === null ? accounts.map(({ broker }) => broker) : [named];
    const shares = (instrument: string): ExitShares => ({ instrument, product });
    // With one account there is nothing to choose: the exit reads it itself.
    if (brokers.length > 1) await exits.readAccounts(brokers, shares(request.instrument));
    const isDelivery = product === 'CNC';
    const of = { brokers, product, holdings: isDelivery };
    const isHeld = ({ name }: Instrument): boolean => isHeldAt(execution.state, name, of);
    return parts.ofHeld(request.instrument, { isHeld, areOneShare: isDelivery }, async (name) => {
      const broker = named ?? (await accountOfExit(parts, accounts, shares(name)));
      const place = { trading: tradingOf(broker), askedBroker: named, instrument: name, product };
      return begin({ ...place, quantity, orderId: null, cancelExternal });
    });
  }

  function tradingOf(broker: BrokerId): Trading {
    const view = parts.view(broker);
    const trading = execution.poller(broker)?.trading;
    if (!trading) throw notServed(view, 'orders');
    return trading;
  }

  function withLegs(exit: ExitRecord): ExitWithLegs {
    const { state } = execution;
    const orders = exit.legs.flatMap(({ number }) => {
      const id = state.orderByKey.get(`${exit.caller}\n${legKey(exit.id, number)}`);
      const order = id === undefined ? undefined : state.orders.get(id);
      return order === undefined ? [] : answeredOrder(parts, order);
    });
    return { ...exitResponse(exit), orders };
  }

  return {
    startExit: (request, context) =>
      asProblems(() => inTurn(context, () => start(request, context))),
    getExit: (id) => asProblems(async () => withLegs(await known(exits, id))),
    getExits: (day: TradingDay | null) =>
      asProblems(async () => {
        const found = await exits.exitsOn(day ?? tradingDay(parts.clock.now()));
        return found.map((exit) => exitResponse(execution.state.exits.get(exit.id) ?? exit));
      }),
    cancelExit: (id) =>
      asProblems(async () => {
        const exit = await known(exits, id);
        return exitResponse(exit.over === null ? await exits.cancel(exit.id) : exit);
      }),
  };
}

async function known(exits: Execution['exits'], id: ExitId): Promise<ExitRecord> {
  const exit = await exits.exit(id);
  if (exit) return exit;
  throw new GatewayProblem({
    code: 'unknown_exit',
    detail: `There is no exit ${id}: GET /api/v1/exits lists those of a day.`,
  });
}

type Key = Pick<CallContext, 'caller' | 'idempotencyKey'>;

/** The exit that a key has begun by the same request, where no list is needed to tell; else null. */
async function repeatOf(
  exits: Execution['exits'],
  request: ExitRequest,
  { caller, idempotencyKey }: Key,
): Promise<ExitRecord | null> {
  const before = await exits.underKey(caller, idempotencyKey);
  if (before === null || !isOfSame(request, before)) return null;
  const { instrument, product, orderId } = before;
  const asked = request.kind === 'order' ? { quantity: null } : askedOf(request);
  return exits.repeated({ instrument, product, orderId, ...asked, caller, idempotencyKey });
}

async function usedBy(
  exits: Execution['exits'],
  { caller, idempotencyKey }: Key,
): Promise<Used | null> {
  const known = await exits.underKey(caller, idempotencyKey);
  return known && { what: `exit ${known.id}`, extra: { exit: exitResponse(known) } };
}

/** Whether what a key has begun is of the order or the instrument that is asked for, where that needs no list to tell. */
const isOfSame = (request: ExitRequest, { orderId, instrument }: ExitRecord): boolean =>
  request.kind === 'order'
    ? request.orderId === orderId
    : orderId === null && request.instrument.toUpperCase() === instrument;

const askedOf = ({
  product,
  quantity,
  broker,
  cancelExternal = false,
}: Extract<ExitRequest, { kind: 'position' }>) => ({
  ...{ product, quantity, askedBroker: broker, cancelExternal },
});
