import type { Instrument } from '../../domain/instrument.ts';
import { closeOf, isMarketOpen } from '../../domain/market-hours.ts';
import { isMultipleOf, toFourDecimals } from '../../domain/money.ts';
import { needsPrice, needsTrigger, type OrderTerms } from '../../domain/order.ts';
import { GatewayProblem } from '../../domain/problem.ts';
import type { Decision } from '../../platform/single-writer.ts';
import type { Change, KillSwitchRecord } from '../journal/records.ts';
import { required, type ExecutionState } from '../journal/state.ts';
import { UnitOfWork } from '../journal/unit-of-work.ts';
import { lastBookDay, type MarketHours } from '../order/order-day.ts';
import type { BesidePositions } from '../reconcile/held.ts';
import { type OutgoingOrder, reducesPosition, whyUnclear } from './reduce-only.ts';
import type { EpochMs, OrderId, TradingDay } from '../../units/branded.ts';

/**
 * The checks of a new order that need no broker (docs/orders.md, "Before anything is sent"). Throws a
 * GatewayProblem that says what would be right; a caller's price is never rounded.
 */
export function checkNewOrder(
  terms: OrderTerms,
  instrument: Instrument,
  now: {
    readonly at: EpochMs;
    readonly marketHours: MarketHours;
    /** Whether the broker is asked at every hour: a session may have been extended at short notice. */
    readonly brokerDecides?: boolean;
  },
): void {
  checkTerms(terms, instrument);
  checkStop(terms);
  if (now.brokerDecides === true) return;
  if (now.marketHours === 'exchange' && !terms.amo && !isMarketOpen(now.at, instrument.exchange)) {
    throw new GatewayProblem({
      code: 'market_closed',
      detail:
        `${instrument.exchange} takes orders on trading days from 09:00 to ` +
        `${closeOf(instrument.exchange)} IST; amo: true asks for an after-market order`,
      mayHaveExecuted: false,
      retrySafe: true,
    });
  }
}

/** On which side of its price the trigger of a stop lies, while it waits. */
export function checkStop({ side, price, triggerPrice }: OrderTerms): void {
  if (price === null || triggerPrice === null) return;
  const wrong = side === 'BUY' ? triggerPrice > price : triggerPrice < price;
  const where = side === 'BUY' ? 'at or below' : 'at or above';
  if (wrong) invalid(`the trigger of a stop to ${side} is ${where} its price`);
}

/**
 * The part of them that holds for an order that is changed as well. Where a stop has triggered, its
 * trigger says nothing any more of what its price may be.
 */
export function checkTerms(terms: OrderTerms, instrument: Instrument): void {
  const { quantity, price, triggerPrice } = terms;
  if (instrument.segment === 'INDEX') invalid(`${instrument.name} is an index: it is not traded`);
  if (!Number.isSafeInteger(quantity) || quantity <= 0)
    invalid('quantity is a whole number above 0');
  if (quantity % instrument.lotSize !== 0) {
    invalid(
      `${instrument.name} is traded in lots of ${instrument.lotSize}: ${quantity} is not whole lots`,
    );
  }
  const { freezeQuantity, lotSize } = instrument;
  if (sliceQuantities(quantity, freezeQuantity, lotSize).length > MOST_SLICES) {
    invalid(
      `the exchange takes at most ${freezeQuantity} of ${instrument.name} in one order, ` +
        `and an order is cut into ${MOST_SLICES} slices at most`,
    );
  }
  checkPrices(terms);
  checkTick('price', price, instrument);
  checkTick('triggerPrice', triggerPrice, instrument);
}

/** Whether an order has the prices that its type needs, and no others. Throws `invalid_request`. */
export function checkPrices({ orderType, price, triggerPrice }: OrderTerms): void {
  const priced = needsPrice(orderType);
  if (priced !== (price !== null)) {
    invalid(`a ${orderType} order ${priced ? 'needs a price' : 'has no price'}`);
  }
  const triggered = needsTrigger(orderType);
  if (triggered !== (triggerPrice !== null)) {
    invalid(`a ${orderType} order ${triggered ? 'needs a trigger price' : 'has no trigger price'}`);
  }
}

function invalid(detail: string): never {
  throw new GatewayProblem({ code: 'invalid_request', detail, mayHaveExecuted: false });
}

function checkTick(name: string, price: number | null, instrument: Instrument): void {
  const { tickSize } = instrument;
  if (price === null || tickSize === null) return;
  // An instrument list may write 0 where it has no tick. Then only the number of decimals is checked.
  const fits = tickSize > 0 ? isMultipleOf(price, tickSize) : toFourDecimals(price) === price;
  if (!fits) {
    invalid(`${name} ${price} is not a multiple of the tick of ${instrument.name}, ${tickSize}`);
  }
}

/** An order that would need more slices than this is refused. */
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

const KEY = 'kill-switch';

export function killSwitchOf(state: ExecutionState): KillSwitchRecord | null {
  return state.switchNotOnDisk.record ?? state.killSwitch.get(KEY) ?? null;
}

/** What is known of the account that an order goes to, beside its last known portfolio. */
export interface AccountKnowledge extends BesidePositions {
  /** Why the account could not be read lately; null when it was. */
  readonly unread: string | null;
  /** The admin who lets the order pass where the account could not be read; null without one. */
  readonly forcedBy: string | null;
}

/** Where nothing is known of an account because nobody has looked lately. */
export const UNREAD: AccountKnowledge = {
  unread: 'it was not read lately',
  moved: 0,
  resting: 0,
  isinOf: () => null,
  forcedBy: null,
};

/**
 * Why an order may not go out under the kill switch; null when it may: the switch is released, or the
 * order only reduces a position of an account that was read lately, or an admin takes it upon them.
 */
export function passesKillSwitch(
  state: ExecutionState,
  order: OutgoingOrder,
  known: AccountKnowledge,
): string | null {
  const record = killSwitchOf(state);
  if (!record?.engaged) return null;
  const why = `the kill switch is engaged${record.reason ? `: ${record.reason}` : ''}`;
  const unclear = unclearAccount(state, order, known);
  if (unclear !== null) {
    if (known.forcedBy !== null) return null;
    return (
      `${why}. Whether this order only reduces a position is not known, because the account at ` +
      `${order.broker} could not be read (${unclear}): try again, or send it with force and an admin key`
    );
  }
  if (reducesPosition(state, order, known)) return null;
  const { resting } = known;
  if (resting === 0 || !reducesPosition(state, order, { ...known, resting: 0 })) return why;
  const { side, instrument } = order.terms;
  return (
    `${why}. Open orders in the book of ${order.broker} that are not the gateway's would already ` +
    `${side} ${resting} ${instrument} of the position: cancel them in the broker's app first`
  );
}

/** What is missing to know whether an order only reduces a position; null where that is known. */
export function unclearAccount(
  state: ExecutionState,
  order: OutgoingOrder,
  known: AccountKnowledge,
): string | null {
  if (known.unread !== null) return known.unread;
  return reducesPosition(state, order, known) ? null : whyUnclear(state, order, known);
}

export interface KillSwitchCommand {
  readonly engaged: boolean;
  readonly reason: string | null;
  /** The caller who does it; null for the gateway itself. */
  readonly changedBy: string | null;
}

/** Engages or releases it, as part of a larger decision. */
export function setKillSwitch(unit: UnitOfWork, command: KillSwitchCommand): KillSwitchRecord {
  const row: KillSwitchRecord = { ...command, changedAt: unit.at };
  unit.changes.push({ table: 'killSwitch', key: KEY, row });
  // `thrown` is the older name of `engaged`. Events stored by older versions have only that one.
  unit.event('kill_switch.changed', null, { ...command, thrown: command.engaged });
  return row;
}

export function decideKillSwitch(
  state: ExecutionState,
  { at, ...command }: KillSwitchCommand & { readonly at: EpochMs },
): Decision<Change, KillSwitchRecord> {
  const before = state.killSwitch.get(KEY) ?? null;
  if (before?.engaged === command.engaged) return { changes: [], reply: before };
  const unit = new UnitOfWork(state, at);
  const reply = setKillSwitch(unit, command);
  return { changes: unit.changes, reply };
}

/**
 * The order with a fingerprint whose placing is open; null when there is none. Where rows cannot be told
 * apart by tag, at most one order of a fingerprint is open at a time. A disputed order counts until a
 * person resolves it, or its day is over and its book gone.
 */
export function openDuplicate(
  state: ExecutionState,
  print: string,
  day: TradingDay,
): OrderId | null {
  for (const id of state.openPlaces) {
    const attempt = required(state.attempts, id, 'attempt');
    if (attempt.kind !== 'place' || attempt.fingerprint !== print) continue;
    // An after-market order is in the next session's book as well.
    const last = lastBookDay(required(state.orders, attempt.orderId, 'order'));
    if (day <= attempt.day || day <= last) return attempt.orderId;
  }
  return state.quarantine.openDuplicate(print, day);
}
