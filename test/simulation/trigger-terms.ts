import type { BrokerId } from '../../src/domain/broker.ts';
import type { OrderRequest } from '../../src/domain/order.ts';
import type { TriggerLegs, TriggerLegTerms } from '../../src/domain/trigger.ts';
import { instrumentName } from '../../src/domain/instrument.ts';
import type { TriggerPlacing } from '../../src/router/triggers.ts';
import type { Dice } from './dice.ts';
import type { PriceOf } from './plan.ts';

const SYMBOLS = ['INFY', 'SBIN', 'ITC'] as const;
/** No order of a caller is of these quantities, so that what a trigger places is the twin of none. */
const QUANTITIES = [4, 6, 7, 8] as const;

/** On the tick of every share. */
const onTick = (price: number): number => Math.round(price * 2) / 2;

/** A trigger: some are reached soon, most rest; of two legs, one lies on each side of the price. */
export function randomTrigger(
  dice: Dice,
  priceOf: PriceOf,
  {
    near,
    broker,
    pairs,
  }: { readonly near: number; readonly broker: BrokerId; readonly pairs: number },
): TriggerPlacing {
  const symbol = dice.pick(SYMBOLS);
  const instrument = instrumentName('NSE', symbol);
  const last = priceOf(instrument);
  const away = dice.chance(near) ? dice.pick([0.0004, 0.001]) : dice.pick([0.01, 0.03]);
  const side = dice.chance(0.6) ? ('SELL' as const) : ('BUY' as const);
  const product = dice.chance(0.6) ? ('INTRADAY' as const) : ('CNC' as const);
  const quantity = dice.pick(QUANTITIES);
  const legAt = (direction: 1 | -1): TriggerLegTerms => {
    const triggerPrice = onTick(last * (1 + direction * away) + direction * 0.5);
    const price = triggerPrice + (side === 'SELL' ? -0.5 : 0.5);
    return { triggerPrice, side, quantity, product, price };
  };
  const isPair = dice.chance(pairs);
  // At the primary brokerage a trigger is a stop: it lies on the side to which the price runs away.
  const direction = broker === 'primary' ? (side === 'SELL' ? -1 : 1) : dice.pick([1, -1] as const);
  const legs: TriggerLegs = isPair ? [legAt(-1), legAt(1)] : [legAt(direction)];
  const lastPrice = dice.chance(0.6) ? onTick(last) : null;
  return {
    instrument,
    legs,
    broker,
    mode: null,
    lastPrice: isSound(legs, lastPrice) ? lastPrice : null,
  };
}

const isSound = (legs: TriggerLegs, lastPrice: number | null): boolean =>
  legs.every(({ triggerPrice }) => triggerPrice !== lastPrice);

/** The order that a trigger of one leg is at the primary brokerage. */
export function stopOrderOf({ instrument, legs, broker, mode }: TriggerPlacing): OrderRequest {
  const [leg] = legs;
  return {
    ...{ ...leg, instrument, broker, mode },
    ...{ orderType: 'SL', validity: 'DAY', amo: false, tag: null },
  };
}
