import { createDice } from './dice.ts';

/** Settings of brakes, each tight enough that some orders of a day are above it. */
const BRAKES = [
  { APP_MAX_ORDER_VALUE: '20000' },
  { APP_MAX_ORDER_QUANTITY: '25,NIFTY=65' },
  { APP_MAX_OPEN_ORDERS: '2,NIFTY=1' },
  { APP_MAX_ORDERS_PER_MINUTE: '2' },
  { APP_MAX_DAILY_LOSS: '500' },
] as const;

/** On three of ten days with exits, one or two brakes are set: entries are refused, and no way out is. */
export function planBrakes(seed: string): Readonly<Record<string, string>> {
  const dice = createDice(`${seed}/rich/brakes`);
  if (!dice.chance(0.3)) return {};
  return { ...dice.pick(BRAKES), ...(dice.chance(0.4) ? dice.pick(BRAKES) : {}) };
}
