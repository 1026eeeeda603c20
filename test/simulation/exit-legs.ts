import type { BrokerId } from '../../src/domain/broker.ts';
import type { ExecutionState } from '../../src/execution/journal/state.ts';
import { type ExitRecord, legKey } from '../../src/execution/exits/exit.ts';
import { type OrderRecord, statusOf } from '../../src/execution/order/order.ts';
import type { HttpRequest } from '../../src/platform/http.ts';
import type { Composed } from '../../src/compose.ts';
import type { Asked } from './asked.ts';
import { violation, type Violation } from './checks/violation.ts';
import { type Sending, sendingNow, sentOrder } from './sent-order.ts';

/** An order that an exit has made. */
interface Leg {
  readonly exit: ExitRecord;
  readonly number: number;
  readonly order: OrderRecord;
}

const LEG = /^(exit_[0-9a-f-]{36})#(\d+)$/;

/** The exit that an order is a leg of, by its key; null for any other order. */
export function legOf(state: ExecutionState, order: OrderRecord): Leg | null {
  const [, id, number] = LEG.exec(order.idempotencyKey) ?? [];
  const exit = id === undefined ? undefined : state.exits.get(id);
  return exit === undefined ? null : { exit, number: Number(number), order };
}

const CLOSING = /^(closing_[0-9a-f-]{36})#/;

/** The request for which an exit is carried out, `caller/key`: of one of a closing, that of the closing. */
export function askedUnder(state: ExecutionState, exit: ExitRecord): string {
  const id = CLOSING.exec(exit.idempotencyKey)?.[1];
  const closing = id === undefined ? undefined : state.closings.get(id);
  return closing === undefined
    ? `${exit.caller}/${exit.idempotencyKey}`
    : `${closing.caller}/${closing.idempotencyKey}`;
}

export interface ExitLegs {
  /**
   * Whose leg the order is that a request places, as `caller/key`; null where it is of none. Keeps what the
   * exit asks for with it. `onBehalf` names the request of a caller for which it is done.
   */
  readonly leaves: (
    broker: BrokerId,
    request: HttpRequest,
    onBehalf: string | null,
  ) => string | null;
}

export interface ExitLegsParts {
  /** The gateway that is up, or was last; null before the first. */
  readonly last: () => Composed | null;
  readonly asked: Asked;
  readonly notice: (violation: Violation) => void;
}

/**
 * Names the orders that exits make. After a crash the next process goes on with an exit on nobody's behalf: then
 * it is the leg that is being sent and that has not left yet.
 */
export function createExitLegs({ last, asked, notice }: ExitLegsParts): ExitLegs {
  const left = new Set<string>();
  return {
    leaves(broker, request, onBehalf) {
      const { exits, closings } = asked;
      if (exits.size + closings.size === 0) return null;
      if (onBehalf !== null && !exits.has(onBehalf) && !closings.has(onBehalf)) return null;
      const state = last()?.execution.state;
      if (state === undefined) return null;
      const legs = sendingLegs(state, broker).filter(
        ({ exit, order }) =>
          !left.has(wantedOf(order)) && (onBehalf === null || onBehalf === askedUnder(state, exit)),
      );
      const found = sentOrder(legs, request.body ?? '');
      if (found === undefined) return null;
      const wanted = wantedOf(found.order);
      left.add(wanted);
      keepAsked(asked, wanted, found);
      for (const text of openBefore(state, found)) notice(violation('S25', text));
      return wanted;
    },
  };
}

const wantedOf = ({ caller, idempotencyKey }: OrderRecord): string => `${caller}/${idempotencyKey}`;

function sendingLegs(state: ExecutionState, broker: BrokerId): (Leg & Sending)[] {
  return sendingNow(state, broker).flatMap((each) => {
    const leg = legOf(state, each.order);
    return leg === null ? [] : [{ ...each, ...leg }];
  });
}

/** What the exit asks for with a leg, as it is written in the exit itself. */
function keepAsked({ orders }: Asked, wanted: string, { exit, number }: Leg): void {
  const leg = exit.legs.find((each) => each.number === number);
  if (leg === undefined) return;
  const { instrument, side, product, broker } = exit;
  const { quantity, orderType, price } = leg;
  orders.set(wanted, {
    instrument,
    request: {
      ...{ instrument, side, product, quantity, orderType, price, broker },
      ...{ validity: 'DAY', triggerPrice: null, amo: false, tag: null, mode: null },
    },
  });
}

const OVER: ReadonlySet<string> = new Set([
  'filled',
  'partial',
  'cancelled',
  'rejected',
  'not_sent',
]);

/** Legs before this one of which the journal does not know that they are over. */
function openBefore(state: ExecutionState, { exit, number }: Leg): string[] {
  return exit.legs
    .filter((each) => each.number < number)
    .flatMap((each) => {
      const id = state.orderByKey.get(`${exit.caller}\n${legKey(exit.id, each.number)}`);
      const order = id === undefined ? undefined : state.orders.get(id);
      if (order === undefined || OVER.has(statusOf(order))) return [];
      return [
        `leg ${number} of ${exit.id} was sent while leg ${each.number} is ${statusOf(order)}`,
      ];
    });
}
