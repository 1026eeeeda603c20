import type { OrderModification, OrderRequest } from '../../src/domain/order.ts';
import type { AskedOrder } from './asked.ts';
import type { Dice } from './dice.ts';
import type { PriceOf } from './plan.ts';

/** The exchange's ids of the shares that are traded (sandbox/exchange/shares.ts). */
const SHARE_IDS: Readonly<Record<string, number>> = {
  'NSE:INFY': 1594,
  'NSE:SBIN': 3045,
  'NSE:ITC': 1660,
  'NSE:RELIANCE': 2885,
};

/** The first option's id, and the lowest strike of the month's chain (sandbox/exchange/listing.ts). */
const FIRST_OPTION_ID = 56_980;
const LOWEST_STRIKE = 23_950;
const LOT = 65;

interface Tradable {
  readonly instrument: string;
  /** All texts that name it. */
  readonly spellings: readonly string[];
}

const OPTION = /^NFO:NIFTY26NOV(\d+)([CP])E$/;

/** All texts that name an instrument. */
export function spellingsOf(instrument: string): string[] {
  const [, strike, right] = OPTION.exec(instrument) ?? [];
  if (strike !== undefined) {
    const step = (Number(strike) - LOWEST_STRIKE) / 50;
    const id = FIRST_OPTION_ID + step * 2 + (right === 'P' ? 1 : 0);
    return [instrument, `NFO_${id}`, `NSE_${id}`];
  }
  const id = SHARE_IDS[instrument];
  return id === undefined ? [instrument] : [instrument, `NSE_${id}`];
}

const share = (instrument: string): Tradable => ({
  instrument,
  spellings: spellingsOf(instrument),
});

/** An option of November 2026 near the money. */
export function option(dice: Dice): Tradable {
  const step = dice.whole(8, 12);
  const right = dice.pick(['CE', 'PE'] as const);
  const instrument = `NFO:NIFTY26NOV${LOWEST_STRIKE + step * 50}${right}`;
  return { instrument, spellings: spellingsOf(instrument) };
}

const onTick = (price: number): number => Math.round(price * 10) / 10;

/** A caller's order as it is, or as a derivative, at any price on the tick, spelled in any way. */
export function richOrder(dice: Dice, order: OrderRequest, priceOf: PriceOf): AskedOrder {
  const isOption = !order.amo && dice.chance(0.12);
  const { instrument, spellings } = isOption ? option(dice) : share(order.instrument);
  const spelled = { ...order, instrument: dice.pick(spellings) };
  const finer = dice.pick([0, 0.1, 0.2, -0.3, 0.4]);
  if (!isOption) {
    const price = order.price === null ? null : onTick(order.price + finer);
    return { request: { ...spelled, price }, instrument };
  }
  const orderType = dice.chance(0.6) ? 'LIMIT' : 'MARKET';
  const price = onTick(priceOf(instrument) * dice.pick([0.9, 1, 1.02]) + finer);
  return {
    instrument,
    request: {
      ...spelled,
      quantity: LOT * dice.pick([1, 1, 2, 10]),
      orderType,
      product: dice.chance(0.5) ? 'MARGIN' : 'INTRADAY',
      price: orderType === 'LIMIT' ? price : null,
      triggerPrice: null,
    },
  };
}

/** The same request in another spelling of its instrument; null where there is only one. */
export function respelled(dice: Dice, { request, instrument }: AskedOrder): OrderRequest | null {
  const others = spellingsOf(instrument);
  const spellings = others.filter((each) => each !== request.instrument);
  return spellings.length === 0 ? null : { ...request, instrument: dice.pick(spellings) };
}

/** A change of nothing. */
export const NOTHING: OrderModification = {
  quantity: null,
  price: null,
  triggerPrice: null,
  orderType: null,
  validity: null,
};

/** A change of one field or of two, whether or not the order allows it. */
export function randomChange(dice: Dice, order: OrderRequest, last: number): OrderModification {
  const step = order.instrument.startsWith('NFO') ? LOT : 1;
  const price = onTick((order.price ?? last) + dice.pick([-1, -0.1, 0.1, 0.5, 2]));
  const trigger = onTick((order.triggerPrice ?? last) + dice.pick([-1, 0.5, 1]));
  const quantity = Math.max(step, order.quantity + step * dice.pick([-5, -1, 1, 5, 20]));
  switch (dice.whole(0, 6)) {
    case 0:
    case 1:
      return { ...NOTHING, quantity };
    case 2:
      return { ...NOTHING, price };
    case 3:
      return { ...NOTHING, quantity, price };
    case 4:
      return { ...NOTHING, triggerPrice: trigger };
    case 5:
      return order.orderType === 'MARKET'
        ? { ...NOTHING, orderType: 'LIMIT', price: onTick(last) }
        : { ...NOTHING, orderType: 'MARKET' };
    default:
      return { ...NOTHING, validity: dice.pick(['DAY', 'IOC'] as const), price };
  }
}
