import type { Instrument } from '../../domain/instrument.ts';
import { tradingDay } from '../../domain/ist.ts';
import type { Decision } from '../../platform/single-writer.ts';
import { callerKey, type Change } from '../journal/records.ts';
import { required, type ExecutionState } from '../journal/state.ts';
import { UnitOfWork } from '../journal/unit-of-work.ts';
import { FILL_UNKNOWN, type OrderRecord } from '../order/order.ts';
import { sliceKey } from '../order/sliced-order.ts';
import { newOrder, type OrderCommand } from './decide-place.ts';

/** More slices than this are no order any more, but a programme: it is refused. */
export const MOST_SLICES = 20;

/** `NIFTY26NOV24450CE`, of a week `NIFTY26N2424450CE`, `NIFTY26NOVFUT`: underlying, year, expiry. */
const CONTRACT =
  /^(.+?)\d{2}(?:JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC|[1-9OND]\d{2})(?:FUT|\d+(?:\.\d+)?(?:CE|PE))$/;

/**
 * The largest quantity of one order: of the instrument itself, as told for it, or as told for what a
 * contract is on (`NIFTY` for `NFO:NIFTY26NOV24450CE`), or by its symbol alone. Null where nobody has told.
 */
export function freezeQuantityOf(
  { name, segment, tradingSymbol, freezeQuantity }: Instrument,
  told: ReadonlyMap<string, number>,
): number | null {
  const own = freezeQuantity ?? told.get(name);
  if (own !== undefined) return own;
  const key = segment === 'DERIVATIVE' ? CONTRACT.exec(tradingSymbol)?.[1] : tradingSymbol;
  return told.get(key ?? '') ?? null;
}

/**
 * The quantities in which an order above the freeze quantity goes to the exchange: whole lots, as few
 * slices as there can be, the last one smaller. One slice when it need not be cut, or when the
 * largest that the exchange takes is not even one lot.
 */
export function sliceQuantities(
  quantity: number,
  freezeQuantity: number | null,
  lotSize: number,
): readonly number[] {
  const most = freezeQuantity === null ? 0 : freezeQuantity - (freezeQuantity % lotSize);
  if (most <= 0 || quantity <= most) return [quantity];
  const whole = Math.floor(quantity / most);
  const rest = quantity - whole * most;
  const slices = Array.from({ length: whole }, () => most);
  return rest > 0 ? [...slices, rest] : slices;
}

export interface SlicesCommand {
  readonly order: OrderCommand;
  /** In the order in which they will be sent; their quantities add up to the order's. */
  readonly slices: readonly { readonly id: string; readonly quantity: number }[];
}

export type SlicesReply =
  | { readonly kind: 'sliced'; readonly slices: readonly OrderRecord[] }
  /** The key has made an order before. */
  | { readonly kind: 'known'; readonly order: OrderRecord };

/**
 * Writes down an order above the freeze quantity with all its slices, before the first one is sent:
 * what a crash leaves unsent is then known to have been meant, and known not to have left.
 */
export function decideSlices(
  state: ExecutionState,
  { order, slices }: SlicesCommand,
): Decision<Change, SlicesReply> {
  const known = state.orderByKey.get(callerKey(order.caller, order.idempotencyKey));
  if (known !== undefined) {
    return { changes: [], reply: { kind: 'known', order: required(state.orders, known, 'order') } };
  }
  const unit = new UnitOfWork(state, order.at);
  const day = tradingDay(order.at);
  const parent = newOrder(order, day, {
    kind: 'sliced',
    status: 'accepted',
    reason: null,
    fill: FILL_UNKNOWN,
  });
  unit.addOrder(parent);
  for (const [index, { id, quantity }] of slices.entries()) {
    unit.addOrder({
      ...parent,
      id,
      parentId: parent.id,
      idempotencyKey: sliceKey(parent.id, index + 1),
      terms: { ...parent.terms, quantity },
      state: { kind: 'accepted', reason: null, cancelWanted: false },
    });
  }
  return {
    changes: unit.changes,
    reply: { kind: 'sliced', slices: slices.map(({ id }) => unit.order(id)) },
  };
}
