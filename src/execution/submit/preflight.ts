import type { BrokerId } from '../../domain/broker.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { tradingDay } from '../../domain/ist.ts';
import { closeOf, isMarketOpen } from '../../domain/market-hours.ts';
import { isMultipleOf, toFourDecimals } from '../../domain/money.ts';
import { needsPrice, needsTrigger, type OrderTerms } from '../../domain/order.ts';
import { GatewayProblem } from '../../domain/problem.ts';
import type { Decision } from '../../platform/single-writer.ts';
import type { Change, KillSwitchRecord, PortfolioRecord } from '../journal/records.ts';
import { type ExecutionState, required } from '../journal/state.ts';
import { UnitOfWork } from '../journal/unit-of-work.ts';
import { lastBookDay, type MarketHours } from '../order/order-day.ts';
import { fillOf } from '../order/order.ts';
import { epochMs, plus, type EpochMs } from '../../units/branded.ts';

/**
 * The checks of a new order that need no broker (docs/orders.md, "Before anything is sent"). Throws a
 * GatewayProblem that says what would be right; a caller's price is never rounded.
 */
export function checkNewOrder(
  terms: OrderTerms,
  instrument: Instrument,
  now: { readonly at: EpochMs; readonly marketHours: MarketHours },
): void {
  checkTerms(terms, instrument);
  const { price, triggerPrice } = terms;
  if (price !== null && triggerPrice !== null) {
    const wrong = terms.side === 'BUY' ? triggerPrice > price : triggerPrice < price;
    const where = terms.side === 'BUY' ? 'at or below' : 'at or above';
    if (wrong) invalid(`the trigger of a stop to ${terms.side} is ${where} its price`);
  }
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

/**
 * The part of them that holds for an order that is changed as well. Where a stop has triggered, its
 * trigger says nothing any more of what its price may be.
 */
export function checkTerms(terms: OrderTerms, instrument: Instrument): void {
  const { quantity, orderType, price, triggerPrice } = terms;
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
  const priced = needsPrice(orderType);
  if (priced !== (price !== null)) {
    invalid(`a ${orderType} order ${priced ? 'needs a price' : 'has no price'}`);
  }
  const triggered = needsTrigger(orderType);
  if (triggered !== (triggerPrice !== null)) {
    invalid(`a ${orderType} order ${triggered ? 'needs a trigger price' : 'has no trigger price'}`);
  }
  checkTick('price', price, instrument);
  checkTick('triggerPrice', triggerPrice, instrument);
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

/** Brokers tell the time of a fill to the second. */
const GRAIN_MS = 1_000;

/**
 * How much an account was last known to have that an order of these terms could reduce, negative
 * when short: positions of the same product, and for delivery the holdings too. 0 when nothing is
 * known.
 */
function reducible(portfolio: PortfolioRecord | undefined, terms: OrderTerms): number {
  if (!portfolio) return 0;
  const positions = portfolio.positions.filter(
    (row) => row.instrument === terms.instrument && row.product === terms.product,
  );
  const holdings = portfolio.holdings.filter(
    (row) => terms.product === 'CNC' && row.instrument === terms.instrument,
  );
  return [...positions, ...holdings].reduce((sum, row) => sum + row.quantity, 0);
}

/** Whether another order moves the same shares the same way. */
function isAlike(terms: OrderTerms, other: OrderTerms): boolean {
  return (
    other.instrument === terms.instrument &&
    other.product === terms.product &&
    other.side === terms.side
  );
}

/**
 * Shares on their way out of (or into) an account by other orders of the same side that are still
 * open: the order that is being looked at may be in the state already.
 */
function openQuantity(
  state: ExecutionState,
  broker: BrokerId,
  terms: OrderTerms,
  ownId: string,
  day: string,
): number {
  let open = 0;
  // All orders that are not over, not only the watched ones: a disputed order may be working.
  for (const id of state.openOrders) {
    const order = required(state.orders, id, 'order');
    if (order.id === ownId || order.broker !== broker) continue;
    // An order whose day is over no longer counts, even when its outcome was never found.
    if (lastBookDay(order) < day) continue;
    // The slices are counted instead of the order.
    if (order.state.kind === 'sliced') continue;
    if (!isAlike(terms, order.terms)) continue;
    open += order.terms.quantity - (fillOf(order).filledQuantity ?? 0);
  }
  return open;
}

/** Shares that our own orders of the same side have moved since the account was last read. */
function filledSince(state: ExecutionState, broker: BrokerId, terms: OrderTerms): number {
  const readAt = state.portfolios.get(broker)?.readAt ?? epochMs(0);
  let filled = 0;
  for (const fill of state.fillsByTime.since(broker, plus(readAt, -GRAIN_MS))) {
    const order = required(state.orders, fill.orderId, 'order');
    if (!isAlike(terms, order.terms)) continue;
    filled += fill.quantity;
  }
  return filled;
}

/** Whether an order, sent at `at`, does nothing but reduce what the account was last known to have. */
export function reducesPosition(
  state: ExecutionState,
  broker: BrokerId,
  terms: OrderTerms,
  ownId: string,
  at: EpochMs,
): boolean {
  const sign = terms.side === 'SELL' ? 1 : -1;
  const since = filledSince(state, broker, terms);
  // Fills since the read are subtracted, even where the read may already have included them.
  const net = reducible(state.portfolios.get(broker), terms) - sign * since;
  const needed = terms.quantity + openQuantity(state, broker, terms, ownId, tradingDay(at));
  return terms.side === 'SELL' ? net >= needed : -net >= needed;
}

/**
 * The account that an order would have to go to because it has what the order would reduce, when
 * that is not the one it is on its way to; null when there is none. An exit that lands in another
 * account opens a position there and leaves the real one as it was.
 */
export function otherAccountHolding(
  state: ExecutionState,
  broker: BrokerId,
  terms: OrderTerms,
  route: readonly BrokerId[],
): BrokerId | null {
  const sign = terms.side === 'SELL' ? 1 : -1;
  if (reducible(state.portfolios.get(broker), terms) * sign > 0) return null;
  for (const portfolio of state.portfolios.values()) {
    if (portfolio.broker === broker || portfolio.mode !== 'live') continue;
    // Accounts outside the trading route are not considered, for example while rehearsing on paper.
    if (!route.includes(portfolio.broker)) continue;
    if (reducible(portfolio, terms) * sign > 0) return portfolio.broker;
  }
  return null;
}

const KEY = 'kill-switch';

export function killSwitchOf(state: ExecutionState): KillSwitchRecord | null {
  return state.killSwitch.get(KEY) ?? null;
}

/**
 * Why an order may not go out under the kill switch; null when it may: the switch is released, or the
 * order only reduces a position. `orderId` is the order's own, which does not count against itself once
 * it is in the state.
 */
export function passesKillSwitch(
  state: ExecutionState,
  broker: BrokerId,
  terms: OrderTerms,
  orderId: string,
  at: EpochMs,
): string | null {
  const record = killSwitchOf(state);
  if (!record?.engaged) return null;
  if (reducesPosition(state, broker, terms, orderId, at)) return null;
  return `the kill switch is engaged${record.reason ? `: ${record.reason}` : ''}`;
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
  const before = killSwitchOf(state);
  if (before?.engaged === command.engaged) return { changes: [], reply: before };
  const unit = new UnitOfWork(state, at);
  const reply = setKillSwitch(unit, command);
  return { changes: unit.changes, reply };
}
