import type { BrokerOrder } from '../../domain/broker-order.ts';
import type { BrokerId, Mode } from '../../domain/broker.ts';
import type { BoundBy } from '../../domain/order.ts';
import type { FillRecord } from './fills.ts';
import { reduceOrder } from './fills.ts';
import {
  absentSinceOf,
  type Binding,
  bindingOf,
  calledAbsentOf,
  FILL_UNKNOWN,
  fillOf,
  isCancelWanted,
  isIn,
  type OrderIn,
  type OrderRecord,
  type OrderState,
  type StateKind,
} from './order.ts';
import { summarise } from './sliced-order.ts';
import { withCancel } from './wanted-cancel.ts';
import type { BrokerOrderId, EpochMs } from '../../units/branded.ts';

/**
 * Everything that can happen to an order after it was written down (docs/orders.md, "An order's
 * life").
 */
export type OrderEvent =
  /** A request to this broker is about to leave. */
  | { readonly type: 'send'; readonly broker: BrokerId; readonly mode: Mode }
  /** The broker answered the request with its id of the order. */
  | { readonly type: 'acknowledge'; readonly brokerOrderId: BrokerOrderId }
  /** The broker refused the request. */
  | { readonly type: 'refuse'; readonly reason: string }
  /** The request did not leave, and the route has another broker. */
  | { readonly type: 'try_next'; readonly reason: string }
  /** The request did not leave, and no other broker is tried. */
  | { readonly type: 'give_up'; readonly reason: string }
  /** Nothing proves whether the broker has the order. */
  | { readonly type: 'lose_track'; readonly reason: string }
  /** A row of the book was found to be this order. */
  | {
      readonly type: 'bind';
      readonly brokerOrderId: BrokerOrderId;
      readonly by: BoundBy;
      /** See Binding. */
      readonly isForced?: true;
    }
  /** The same, of an order of which a row was found at another broker: it stays disputed. */
  | { readonly type: 'bind_twin'; readonly brokerOrderId: BrokerOrderId; readonly by: BoundBy }
  /** The row that it was bound to, by an acknowledgement, is another order's; or its day was not over. */
  | { readonly type: 'reopen'; readonly reason: string }
  /** The book was read: the order's row (null where the book lacks it), and all its known fills. */
  | {
      readonly type: 'observe';
      readonly row: BrokerOrder | null;
      readonly fills: readonly FillRecord[];
      /** Several reads have shown the row, as working after one that had ended the order or as an older one. */
      readonly isBelieved?: true;
      /** Reads have lacked the row for a while: what it said last may no longer be so. */
      readonly rowIsOld?: true;
      /** The quantities that it was asked to have, first to last. */
      readonly asked?: readonly number[];
    }
  /** Complete books have lacked it since (epoch ms). */
  | { readonly type: 'note_absence'; readonly since: EpochMs }
  | {
      readonly type: 'call_absent';
      readonly by: 'close' | 'person';
      readonly reason: string;
      /** Epoch ms, where nothing was noted before. */
      readonly since: EpochMs | null;
      /** The last event before a person said so. */
      readonly after?: number;
    }
  /**
   * A whole book of the evening bears out the person who called it absent; `bookGone`: the day's book is
   * gone, and none has.
   */
  | { readonly type: 'confirm_absence'; readonly bookGone?: true }
  | {
      readonly type: 'dispute';
      readonly cause: string;
      /** The row that speaks against it, where that is to be kept with the order. */
      readonly row?: BrokerOrder;
      /** Set where the row that it was bound to is not known to be its own. */
      readonly unbind?: true;
      /** The row that is its own all the same: a cancel goes there. */
      readonly bindTo?: Binding;
      readonly twin?: { readonly broker: BrokerId; readonly brokerOrderId: BrokerOrderId };
      /** The day's book is gone: what is left open can no longer be read, nor cancelled. */
      readonly bookGone?: true;
      /** A book shows others' rows alone under its id. */
      readonly othersRow?: true;
    }
  /** `byGateway`: see Working. Where somebody asks for it, it is theirs from then on. */
  | { readonly type: 'want_cancel'; readonly byGateway?: true }
  /** A cancel was answered; `again`: it is to be tried once more. */
  | { readonly type: 'settle_cancel'; readonly again: boolean }
  /** A slice of it has changed. */
  | { readonly type: 'follow_slices'; readonly slices: readonly OrderRecord[] };

export type OrderEventType = OrderEvent['type'];
type EventsByType = {
  readonly [Type in OrderEventType]: Extract<OrderEvent, { readonly type: Type }>;
};
/** An event of one of these types; the compiler knows that its `type` is the key of its line. */
type EventOf<Type extends OrderEventType> = {
  [Each in Type]: EventsByType[Each] & { readonly type: Each };
}[Type];

/** One line of the table: the states in which an event may come, and those that it leads to. */
export interface Transition<Type extends OrderEventType, From extends StateKind = StateKind> {
  readonly from: readonly From[];
  readonly to: readonly StateKind[];
  apply(order: OrderIn<From>, event: EventOf<Type>, at: EpochMs): OrderRecord;
}

/** A move that the table does not have: a mistake in the gateway, never something that a broker did. */
export class ImpossibleTransition extends Error {
  override readonly name = 'ImpossibleTransition';
}

const UNBOUND = ['accepted', 'sending', 'uncertain', 'refused', 'absent', 'not_sent'] as const;
/** Known, as it seemed, not to be at a broker. */
const DENIED = ['accepted', 'refused', 'absent', 'not_sent'] as const;
const AT_BROKER = ['working', 'filled', 'partial', 'cancelled', 'rejected'] as const;
/** A placing that is on its way. Its order can be disputed by then: at 06:00 the day's book is gone. */
const IN_FLIGHT = ['sending', 'disputed'] as const;

const line = <Type extends OrderEventType, From extends StateKind>(
  from: readonly From[],
  to: readonly StateKind[],
  apply: Transition<Type, From>['apply'],
): Transition<Type> => ({
  from,
  to,
  apply(order, event, at) {
    if (!isIn(order, from)) throw new ImpossibleTransition(`${event.type} in ${order.state.kind}`);
    return apply(order, event, at);
  },
});

/** A cancel that was asked for outlives the end of an order that its row may still prove wrong. */
const keptCancel = (order: OrderRecord): { cancelWanted?: true } =>
  isCancelWanted(order) ? { cancelWanted: true } : {};

const inState = (order: OrderRecord, state: OrderState): OrderRecord => ({ ...order, state });

/**
 * The life of an order, whole: what can happen, in which states, and what the order is then. Whatever is
 * not here cannot happen. docs/orders.md draws this table, and a test compares the two.
 */
export const TRANSITIONS: { readonly [Type in OrderEventType]: Transition<Type> } = {
  send: line(['accepted'], ['sending'], (order, { broker, mode }) => ({
    ...order,
    broker,
    mode,
    state: { kind: 'sending', cancelWanted: order.state.cancelWanted },
  })),

  acknowledge: line(IN_FLIGHT, ['working'], (order, { brokerOrderId }) =>
    inState(order, working(order, { brokerOrderId, by: 'id' })),
  ),

  refuse: line(IN_FLIGHT, ['refused'], (order, { reason }) =>
    inState(order, { kind: 'refused', reason, ...keptCancel(order) }),
  ),

  try_next: line(IN_FLIGHT, ['accepted'], (order, { reason }) =>
    inState(order, { kind: 'accepted', reason, cancelWanted: order.state.cancelWanted }),
  ),

  give_up: line(['accepted', ...IN_FLIGHT], ['not_sent'], (order, { reason }) =>
    inState(order, { kind: 'not_sent', reason, ...keptCancel(order) }),
  ),

  lose_track: line(IN_FLIGHT, ['uncertain'], (order, { reason }) => {
    const { cancelWanted } = order.state;
    return inState(order, { kind: 'uncertain', reason, absentSince: null, cancelWanted });
  }),

  bind: line(
    ['uncertain', 'refused', 'absent', 'not_sent', 'disputed'],
    ['working'],
    (order, bound) => inState(order, working(order, bound)),
  ),

  bind_twin: line(['disputed'], ['disputed'], (order, { brokerOrderId, by }) => {
    const binding = { brokerOrderId, by, exchangeOrderId: null, row: null };
    const cause = `${order.state.cause}, and ${order.broker} has it as ${brokerOrderId}: two live orders may exist`;
    return inState(order, { ...order.state, binding, cause });
  }),

  reopen: line([...AT_BROKER, 'disputed'], ['uncertain'], (order, { reason }) => {
    const cancelWanted = isCancelWanted(order);
    return inState(order, { kind: 'uncertain', reason, absentSince: null, cancelWanted });
  }),

  observe: line(AT_BROKER, AT_BROKER, (order, { row, fills, ...options }, at) =>
    reduceOrder(order, row, fills, at, options),
  ),

  note_absence: line(['uncertain'], ['uncertain'], (order, { since }) =>
    inState(order, { ...order.state, absentSince: order.state.absentSince ?? since }),
  ),

  call_absent: line(['uncertain', 'disputed'], ['absent'], (order, called, at) => {
    const { by, reason, since, after } = called;
    return inState(order, {
      kind: 'absent',
      reason,
      calledAbsent: { by, at, ...(after === undefined ? {} : { after }) },
      absentSince: order.state.absentSince ?? since,
      ...keptCancel(order),
    });
  }),

  confirm_absence: line(['absent'], ['absent'], (order, { bookGone }) => {
    const confirmed = bookGone ? { bookGone } : { by: 'close' as const };
    return inState(order, {
      ...order.state,
      calledAbsent: { ...order.state.calledAbsent, ...confirmed },
    });
  }),

  dispute: line(
    [...UNBOUND, ...AT_BROKER, 'disputed'],
    ['disputed'],
    (order, { cause, row, unbind, bookGone, othersRow, twin, bindTo }) => {
      const binding = bindTo ?? (unbind ? null : bindingOf(order));
      // One that was called not placed has filled nothing by that alone, which is what is in doubt now.
      const isDenied = isIn(order, DENIED);
      return inState(order, {
        kind: 'disputed',
        cause,
        binding: binding && row ? { ...binding, row } : binding,
        fill: unbind || isDenied ? FILL_UNKNOWN : fillOf(order),
        absentSince: absentSinceOf(order),
        calledAbsent: calledAbsentOf(order),
        cancelWanted: isCancelWanted(order),
        ...(bookGone ? { bookGone } : {}),
        ...(othersRow ? { othersRow } : {}),
        ...(twin ? { twin } : {}),
      });
    },
  ),

  want_cancel: line(
    ['accepted', 'sending', 'working', 'uncertain'],
    ['accepted', 'sending', 'working', 'uncertain'],
    (order, { byGateway }) => inState(order, withCancel(order.state, true, byGateway === true)),
  ),

  settle_cancel: line(
    ['working', 'disputed', 'uncertain'],
    ['working', 'disputed', 'uncertain'],
    (order, { again }) => inState(order, withCancel(order.state, again)),
  ),

  follow_slices: line(['sliced'], ['sliced'], (order, { slices }) => summarise(order, slices)),
};

/**
 * The order as it is after an event. Pure. Throws an ImpossibleTransition for a move that the table does
 * not have.
 */
export function transition(order: OrderRecord, event: OrderEvent, at: EpochMs): OrderRecord {
  const next = applyEvent(order, event, at);
  if (!TRANSITIONS[event.type].to.includes(next.state.kind)) {
    throw new ImpossibleTransition(`${event.type} in ${order.state.kind} to ${next.state.kind}`);
  }
  return { ...next, updatedAt: at };
}

function applyEvent<Type extends OrderEventType>(
  order: OrderRecord,
  event: EventOf<Type>,
  at: EpochMs,
): OrderRecord {
  const found: Transition<Type> = TRANSITIONS[event.type];
  return found.apply(order, event, at);
}

/** Bound just now: its row is read in the same decision, or with the next book. */
function working(
  order: OrderRecord,
  { brokerOrderId, by, isForced }: Pick<Binding, 'brokerOrderId' | 'by' | 'isForced'>,
): OrderState {
  const forced = isForced === true ? { isForced } : {};
  const known = bindingOf(order);
  return {
    kind: 'working',
    binding: { brokerOrderId, by, ...forced, exchangeOrderId: null, row: null },
    // Bound to the row that it had before: what was known of its fills stays.
    fill: known?.brokerOrderId === brokerOrderId ? fillOf(order) : FILL_UNKNOWN,
    cancelWanted: isCancelWanted(order),
    unrecognisedSince: null,
  };
}
