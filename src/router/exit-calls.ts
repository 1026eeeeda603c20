import type { BrokerId } from '../domain/broker.ts';
import type { Instrument } from '../domain/instrument.ts';
import type { Product } from '../domain/order.ts';
import type { Trading } from '../domain/ports.ts';
import { GatewayProblem } from '../domain/problem.ts';
import type { Execution } from '../execution/execution.ts';
import { exitResponse } from '../execution/exits/exit-response.ts';
import { type ExitRecord, legKey } from '../execution/exits/exit.ts';
import { heldOf } from '../execution/reconcile/held.ts';
import { tradingDay } from '../domain/ist.ts';
import type { Clock } from '../platform/clock.ts';
import type { ExitId, TradingDay } from '../units/branded.ts';
import type { CallContext, ExitRequest, ExitWithLegs, Gateway } from './gateway.ts';
import { isHeldAt } from './held-listing.ts';
import type { NamedInstruments } from './named-instruments.ts';
import { answeredOrder } from './order-details.ts';
import type { OrderReads } from './order-reads.ts';
import { accountBroker, type BrokerView } from './policy.ts';
import { asProblems } from './problems.ts';
import { noBroker, notServed } from './reads.ts';
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
    const { product, quantity, broker: named, cancelExternal = false } = request;
    const brokers = named === null ? parts.route : [named];
    const isDelivery = product === 'CNC';
    const of = { brokers, product, holdings: isDelivery };
    const isHeld = ({ name }: Instrument): boolean => isHeldAt(execution.state, name, of);
    return parts.ofHeld(request.instrument, { isHeld, areOneShare: isDelivery }, (name) => {
      const trading = tradingOf(named ?? holderOf(name, product));
      const place = { trading, askedBroker: named, instrument: name, product, quantity };
      return begin({ ...place, orderId: null, cancelExternal });
    });
  }

  function tradingOf(broker: BrokerId): Trading {
    const view = parts.view(broker);
    const trading = execution.poller(broker)?.trading;
    if (!trading) throw notServed(view, 'orders');
    return trading;
  }

  /** The account of the route that was last known to hold it; the first one with a session where none was. */
  function holderOf(instrument: string, product: Product): BrokerId {
    const shares = { instrument, product, side: 'SELL' } as const;
    const { portfolios } = execution.state;
    const holders = holdersOf(parts.route, (each, likely) =>
      heldOf(portfolios.get(each), shares, parts.isinOf, { earlier: true, likely }),
    );
    const [first, second] = holders;
    if (first !== undefined && second !== undefined) {
      throw new GatewayProblem({
        code: 'wrong_account',
        detail: `${instrument} (${product}) is held at ${holders.join(' and at ')}: name the broker`,
        mayHaveExecuted: false,
      });
    }
    const broker = first ?? accountBroker(parts.route.map(parts.view));
    if (broker === null) throw noBroker('no broker takes orders now: GET /api/v1/brokers says why');
    return broker;
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

/** Delivery shares that are the same by their symbol alone count where nothing else tells who holds them. */
function holdersOf(
  route: readonly BrokerId[],
  heldAt: (broker: BrokerId, likely: boolean) => number,
): readonly BrokerId[] {
  const certain = route.filter((each) => heldAt(each, false) !== 0);
  return certain.length > 0 ? certain : route.filter((each) => heldAt(each, true) !== 0);
}
