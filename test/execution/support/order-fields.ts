import type { BrokerOrder } from '../../../src/domain/broker-order.ts';
import type { BoundBy, FillPriceSource, OrderStatus } from '../../../src/domain/order.ts';
import {
  absentSinceOf,
  bindingOf,
  calledAbsentOf,
  fillOf,
  isCancelWanted,
  reasonOf,
  statusOf,
  unrecognisedSinceOf,
  type CalledAbsent,
  type OrderRecord,
  type OrderState,
  type StateKind,
} from '../../../src/execution/order/order.ts';
import type { EpochMs } from '../../../src/units/branded.ts';

/** An order with the fields of all states side by side: short to write in a test, and to compare. */
export interface OrderFields extends Omit<OrderRecord, 'state'> {
  readonly kind: StateKind;
  readonly reason: string | null;
  readonly filledQuantity: number | null;
  readonly averagePrice: number | null;
  readonly fillPriceSource: FillPriceSource | null;
  readonly brokerOrderId: string | null;
  readonly exchangeOrderId: string | null;
  readonly boundBy: BoundBy | null;
  readonly row: BrokerOrder | null;
  readonly absentSince: EpochMs | null;
  readonly calledAbsent: CalledAbsent | null;
  readonly cancelWanted: boolean;
  readonly unrecognisedSince: EpochMs | null;
}

/** The order of these fields: those that its state does not have are left out. */
export function recordOf(fields: OrderFields): OrderRecord {
  const { id, caller, idempotencyKey, requestHash, parentId, day, terms, scripCode } = fields;
  const { segment, callerTag, broker, mode, createdAt, updatedAt } = fields;
  const asked = { id, caller, idempotencyKey, requestHash, parentId, day, terms, scripCode };
  const rest = { segment, callerTag, broker, mode, createdAt, updatedAt };
  return { ...asked, ...rest, state: stateOf(fields) };
}

/** The same the other way, for comparing. `status` is what callers see. */
export function fieldsOf(order: OrderRecord): OrderFields & { readonly status: OrderStatus } {
  const { state, ...identity } = order;
  const binding = bindingOf(order);
  return {
    ...identity,
    kind: state.kind,
    status: statusOf(order),
    reason: reasonOf(order),
    ...fillOf(order),
    brokerOrderId: binding?.brokerOrderId ?? null,
    exchangeOrderId: binding?.exchangeOrderId ?? null,
    boundBy: binding?.by ?? null,
    row: binding?.row ?? null,
    absentSince: absentSinceOf(order),
    calledAbsent: calledAbsentOf(order),
    cancelWanted: isCancelWanted(order),
    unrecognisedSince: unrecognisedSinceOf(order),
  };
}

function stateOf(fields: OrderFields): OrderState {
  const { kind, cancelWanted, absentSince, unrecognisedSince } = fields;
  const { filledQuantity, averagePrice, fillPriceSource } = fields;
  const { brokerOrderId, boundBy, exchangeOrderId, row } = fields;
  const fill = { filledQuantity, averagePrice, fillPriceSource };
  const bound = {
    brokerOrderId: brokerOrderId ?? 'b1',
    by: boundBy ?? 'id',
    exchangeOrderId,
    row,
  };
  const reason = fields.reason ?? 'a reason';
  switch (kind) {
    case 'accepted':
      return { kind, reason: fields.reason, cancelWanted };
    case 'sending':
      return { kind, cancelWanted };
    case 'working':
      return { kind, binding: bound, fill, cancelWanted, unrecognisedSince };
    case 'filled':
      return { kind, binding: bound, fill };
    case 'partial':
    case 'cancelled':
    case 'rejected':
      return { kind, binding: bound, fill, reason: fields.reason };
    case 'refused':
    case 'not_sent':
      return { kind, reason, ...(cancelWanted ? { cancelWanted } : {}) };
    case 'absent': {
      const calledAbsent = fields.calledAbsent ?? { by: 'close', at: fields.updatedAt };
      const kept = cancelWanted ? { cancelWanted } : {};
      return { kind, reason, calledAbsent, absentSince, ...kept };
    }
    case 'uncertain':
      return { kind, reason, absentSince, cancelWanted };
    case 'disputed': {
      const binding = brokerOrderId === null ? null : bound;
      const { calledAbsent } = fields;
      return { kind, cause: reason, binding, fill, absentSince, calledAbsent, cancelWanted };
    }
    case 'sliced':
      return { kind, status: 'working', reason: fields.reason, fill };
  }
}
