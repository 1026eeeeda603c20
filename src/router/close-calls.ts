import type { BrokerId } from '../domain/broker.ts';
import type { Instrument, InstrumentName } from '../domain/instrument.ts';
import { GatewayProblem } from '../domain/problem.ts';
import { closingResponse, type ClosingRecord } from '../execution/closings/closing.ts';
import type { ClosingResult } from '../execution/closings/closings.ts';
import type { Execution } from '../execution/execution.ts';
import type { ClosingId } from '../units/branded.ts';
import type { CloseAllRequest, CloseAllResult } from './closings.ts';
import type { CallContext, Gateway } from './gateway.ts';
import { isHeldAt } from './held-listing.ts';
import type { NamedInstruments } from './named-instruments.ts';
import type { BrokerView } from './policy.ts';
import { asProblems } from './problems.ts';
import { noBroker, notServed } from './reads.ts';
import { createKeyTurns, underKey } from './used-keys.ts';

export type CloseCalls = Pick<Gateway, 'closeAll' | 'getClosing' | 'getClosings' | 'cancelClosing'>;

export interface CloseCallsParts {
  readonly execution: Execution;
  /** The trading route. */
  readonly route: readonly BrokerId[];
  readonly view: (broker: BrokerId) => BrokerView;
  readonly instrument: (text: string) => Promise<Instrument>;
  readonly ofHeld: NamedInstruments['ofHeld'];
}

/** All calls about closings: the router chooses the accounts, and execution does the rest (docs/exits.md). */
export function createCloseCalls(parts: CloseCallsParts): CloseCalls {
  const { execution } = parts;
  const { closings } = execution;

  const inTurn = createKeyTurns(execution);

  async function closeAll(request: CloseAllRequest, context: CallContext): Promise<CloseAllResult> {
    const { closing, repeated } = await underKey(
      () => begin(request, context),
      async () => {
        const known = await closings.underKey(context.caller, context.idempotencyKey);
        return known && { what: `closing ${known.id}` };
      },
    );
    return { closing: closingResponse(closing), repeated };
  }

  async function begin(request: CloseAllRequest, context: CallContext): Promise<ClosingResult> {
    const { broker, product, side, includeUndelivered, scope } = request;
    const brokers = broker === null ? accounts() : [named(broker)];
    const nameOf = async (text: string): Promise<string> => (await parts.instrument(text)).name;
    const holdings = await Promise.all(request.holdings.map(nameOf));
    const beginFor = (instrument: InstrumentName | null) =>
      closings.begin({
        ...{ caller: context.caller, idempotencyKey: context.idempotencyKey },
        ...{
          brokers,
          askedBroker: broker,
          scope,
          instrument,
          product,
          side,
          holdings,
          includeUndelivered,
        },
      });
    const of = { brokers, product, holdings: false };
    const isHeld = ({ name }: Instrument): boolean => isHeldAt(execution.state, name, of);
    const held = { isHeld, areOneShare: false };
    return request.instrument === null
      ? await beginFor(null)
      : await parts.ofHeld(request.instrument, held, beginFor);
  }

  function named(broker: BrokerId): BrokerId {
    const view = parts.view(broker);
    if (execution.poller(broker) === null) throw notServed(view, 'orders');
    return broker;
  }

  /** Every account of the route: one without a session is an error, since what it holds is not known. */
  function accounts(): readonly BrokerId[] {
    const brokers = parts.route.filter((each) => execution.poller(each) !== null);
    if (brokers.length === 0) throw noBroker('no broker of the trading route takes orders');
    return brokers;
  }

  async function known(id: ClosingId): Promise<ClosingRecord> {
    const closing = await closings.closing(id);
    if (closing) return closing;
    throw new GatewayProblem({
      code: 'unknown_closing',
      detail: `There is no closing ${id}: GET /api/v1/positions/close-all lists those of a day.`,
    });
  }

  return {
    closeAll: (request, context) =>
      asProblems(() => inTurn(context, () => closeAll(request, context))),
    getClosing: (id) => asProblems(async () => closingResponse(await known(id))),
    getClosings: (day) =>
      asProblems(async () => (await closings.closingsOn(day)).map(closingResponse)),
    cancelClosing: (id) =>
      asProblems(async () => {
        const closing = await known(id);
        return closingResponse(closing.over === null ? await closings.cancel(id) : closing);
      }),
  };
}
