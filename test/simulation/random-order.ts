import type { OrderRequest } from '../../src/domain/order.ts';
import type { Dice } from './dice.ts';
import type { PriceOf, SeedPlan } from './plan.ts';

const SYMBOLS = ['NSE:INFY', 'NSE:SBIN', 'NSE:ITC', 'NSE:RELIANCE'] as const;

/** Some rest, some fill; a stop now and then. */
export function randomOrder(dice: Dice, plan: SeedPlan, priceOf: PriceOf): OrderRequest {
  const order = plainOrder(dice, plan, priceOf);
  const { hours, tradingRoute } = plan;
  // The primary brokerage takes no stops while the market is shut.
  const stops = !hours.afterMarket || !tradingRoute.includes('primary');
  return stops && dice.chance(0.12) ? asStop(dice, order, priceOf(order.instrument)) : order;
}

/** A stop a little beyond the last price: most wait, some trigger. */
function asStop(dice: Dice, order: OrderRequest, last: number): OrderRequest {
  const sign = order.side === 'BUY' ? 1 : -1;
  const triggerPrice = Math.round(last * (1 + sign * dice.pick([0.0005, 0.002, 0.01])) * 2) / 2;
  const limited = dice.chance(0.6);
  return {
    ...order,
    orderType: limited ? 'SL' : 'SL-M',
    triggerPrice,
    price: limited ? triggerPrice + sign * 1 : null,
  };
}

function plainOrder(dice: Dice, { hours }: SeedPlan, priceOf: PriceOf): OrderRequest {
  const instrument = dice.pick(SYMBOLS);
  const side = dice.chance(0.6) ? 'BUY' : 'SELL';
  const orderType = dice.chance(0.55) ? 'LIMIT' : 'MARKET';
  // Some rest, some fill at once, some fill in parts; a few quantities only, so that twins occur.
  const away = dice.pick([0.97, 0.995, 1, 1.005, 1.03]);
  const price = Math.round(priceOf(instrument) * away * 10) / 10;
  return {
    instrument,
    side,
    quantity: dice.pick([1, 5, 10, 10, 50, 400]),
    orderType,
    product: dice.chance(0.7) ? 'INTRADAY' : 'CNC',
    validity: 'DAY',
    price: orderType === 'LIMIT' ? Math.round(price * 2) / 2 : null,
    triggerPrice: null,
    amo: hours.afterMarket,
    tag: null,
    broker: null,
    mode: null,
  };
}
