import { freezeListOn } from '../../domain/freeze-quantities.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { closeOf, isMarketOpen } from '../../domain/market-hours.ts';
import { isMultipleOf, nearestMultiples, toFourDecimals } from '../../domain/money.ts';
import { needsPrice, needsTrigger, type OrderTerms } from '../../domain/order.ts';
import { GatewayProblem, type ProblemCode } from '../../domain/problem.ts';
import { required, type ExecutionState } from '../journal/state.ts';
import { couldShareRow } from '../order/attempt.ts';
import { lastBookDay, type MarketHours } from '../order/order-day.ts';
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
    });
  }
}

/** On which side of its price the trigger of a stop lies, while it waits. */
export function checkStop({ side, price, triggerPrice }: OrderTerms): void {
  if (price === null || triggerPrice === null) return;
  const wrong = side === 'BUY' ? triggerPrice > price : triggerPrice < price;
  const where = side === 'BUY' ? 'at or below' : 'at or above';
  if (wrong) {
    const detail = `triggerPrice ${triggerPrice} of a stop to ${side} is to be ${where} its price ${price}`;
    refuse('trigger_side', 'triggerPrice', detail);
  }
}

/**
 * The part of them that holds for an order that is changed as well. Where a stop has triggered, its
 * trigger says nothing any more of what its price may be. What an order has already (`present`) is not compared with lots,
 * slices and ticks: the exchange can have changed them since it was placed, and a change of its price is a way out.
 */
export function checkTerms(
  terms: OrderTerms,
  instrument: Instrument,
  present: OrderTerms | null = null,
): void {
  const { quantity, price, triggerPrice } = terms;
  if (instrument.segment === 'INDEX') {
    const detail = `${instrument.name} is an index, which is not traded: name a contract on it, or a fund`;
    refuse('not_tradable', 'instrument', detail);
  }
  if (!Number.isSafeInteger(quantity) || quantity <= 0)
    refuse('invalid_request', 'quantity', 'quantity takes a whole number above 0');
  if (quantity !== present?.quantity) checkLots(quantity, instrument);
  checkPrices(terms);
  if (price !== present?.price) checkTick('price', price, instrument);
  if (triggerPrice !== present?.triggerPrice) checkTick('triggerPrice', triggerPrice, instrument);
}

/** Whether a quantity is whole lots, and not too many of them. */
function checkLots(quantity: number, instrument: Instrument): void {
  if (quantity % instrument.lotSize !== 0) {
    const nearest = nearestMultiples(quantity, instrument.lotSize);
    const detail =
      `quantity ${quantity} is not whole lots of ${instrument.name}, which has ${instrument.lotSize} in a ` +
      `lot: the nearest are ${nearest.join(' and ')}`;
    refuse('lot_size', 'quantity', detail, nearest);
  }
  const { freezeQuantity, lotSize } = instrument;
  if (sliceQuantities(quantity, freezeQuantity, lotSize).length > MOST_SLICES) {
    const whole = (freezeQuantity ?? 0) - ((freezeQuantity ?? 0) % lotSize);
    const most = whole * MOST_SLICES;
    const detail =
      `quantity ${quantity} is more than ${most}: the exchange takes at most ${freezeQuantity} of ` +
      `${instrument.name} in one order, and an order is cut into ${MOST_SLICES} slices at most`;
    refuse('quantity_too_large', 'quantity', detail, [most]);
  }
}

/** Whether an order has the prices that its type needs, and no others. Throws `invalid_request`. */
export function checkPrices({ orderType, price, triggerPrice }: OrderTerms): void {
  const prices = [
    ['price', price, needsPrice(orderType)],
    ['triggerPrice', triggerPrice, needsTrigger(orderType)],
  ] as const;
  for (const [name, value, isNeeded] of prices) {
    if (isNeeded === (value !== null)) continue;
    const rule = isNeeded ? 'is required' : 'is not allowed';
    refuse('invalid_request', name, `${name} ${rule} for ${orderType}`);
  }
}

type TermsCode = Extract<
  ProblemCode,
  | 'invalid_request'
  | 'price_off_tick'
  | 'lot_size'
  | 'quantity_too_large'
  | 'trigger_side'
  | 'not_tradable'
>;

function refuse(
  code: TermsCode,
  field: keyof OrderTerms,
  detail: string,
  nearest?: readonly number[],
): never {
  const told = { code, detail, field, mayHaveExecuted: false } as const;
  throw new GatewayProblem(nearest === undefined ? told : { ...told, nearest });
}

/** Throws `price_off_tick` with the nearest prices, or `invalid_request` where there is no tick and the price has too many decimals. */
export function checkTick(
  name: 'price' | 'triggerPrice',
  price: number | null,
  instrument: Instrument,
): void {
  const { tickSize } = instrument;
  if (price === null || tickSize === null) return;
  // An instrument list may write 0 where it has no tick. Then only the number of decimals is checked.
  if (tickSize <= 0) {
    const isFine = toFourDecimals(price) === price;
    if (!isFine) refuse('invalid_request', name, `${name} takes at most 4 decimals`);
    return;
  }
  if (isMultipleOf(price, tickSize)) return;
  const nearest = nearestMultiples(price, tickSize);
  const detail =
    `${name} ${price} is not a multiple of the tick of ${instrument.name}, ${tickSize}: ` +
    `the nearest are ${nearest.join(' and ')}`;
  refuse('price_off_tick', name, detail, nearest);
}

/** An order that would need more slices than this is refused. */
export const MOST_SLICES = 20;

/** `NIFTY26NOV24450CE`, of a week `NIFTY26N2424450CE`, `NIFTY26NOVFUT`: underlying, year, expiry. */
const CONTRACT =
  /^(.+?)\d{2}(?:JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC|[1-9OND]\d{2})(?:FUT|\d+(?:\.\d+)?(?:CE|PE))$/;

/**
 * The largest quantity that the exchange accepts in one order on a day (docs/spec/freeze-quantities.md): as
 * told, or of an index derivative of NSE by the exchange's list of that day. Null where neither has it.
 */
export function freezeQuantityOf(
  instrument: Instrument,
  told: ReadonlyMap<string, number>,
  day: TradingDay,
): number | null {
  const shipped = instrument.exchange === 'NFO' ? freezeListOn(day)?.quantities : undefined;
  return toldFreezeQuantity(instrument, told) ?? shipped?.get(underlyingOf(instrument)) ?? null;
}

/**
 * What a broker's list or the user has told: of the instrument itself, for it, for what a contract is on, or
 * by its symbol alone. Null where nobody has.
 */
export function toldFreezeQuantity(
  instrument: Instrument,
  told: ReadonlyMap<string, number>,
): number | null {
  return instrument.freezeQuantity ?? toldFor(instrument, told);
}

/** What names an instrument and what its contract is on. */
export type NamedInstrument = Pick<Instrument, 'name' | 'segment' | 'tradingSymbol'>;

/** What is told for an instrument by its name, by what its contract is on, or by its symbol; else null. */
export function toldFor(
  instrument: NamedInstrument,
  told: ReadonlyMap<string, number>,
): number | null {
  return told.get(instrument.name) ?? told.get(underlyingOf(instrument)) ?? null;
}

/** `NIFTY` of `NFO:NIFTY26NOV24450CE`; of what is no contract its own symbol. */
export function underlyingOf({ segment, tradingSymbol }: NamedInstrument): string {
  return segment === 'DERIVATIVE' ? (CONTRACT.exec(tradingSymbol)?.[1] ?? '') : tradingSymbol;
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

/**
 * The order with a fingerprint whose placing is open; null when there is none. Where rows cannot be told
 * apart by tag, at most one order of a fingerprint is open at a time. A disputed order counts until a
 * person resolves it, or its day is over and its book gone.
 */
export function openDuplicate(
  state: ExecutionState,
  print: string,
  day: TradingDay,
  /** Whether a LIMIT row may be a MARKET order's; see Trading. */
  marketAsLimit = false,
): OrderId | null {
  const isRival = (other: string): boolean => couldShareRow(print, other, marketAsLimit);
  for (const id of state.openPlaces) {
    const attempt = required(state.attempts, id, 'attempt');
    if (attempt.kind !== 'place' || !isRival(attempt.fingerprint)) continue;
    // An after-market order is in the next session's book as well.
    const last = lastBookDay(required(state.orders, attempt.orderId, 'order'));
    if (day <= attempt.day || day <= last) return attempt.orderId;
  }
  return state.quarantine.openDuplicate(isRival, day);
}
