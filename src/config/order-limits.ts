import type { LimitByInstrument, OrderLimits } from '../domain/order-limits.ts';
import { shown } from './configuration-error.ts';
import type { Readers } from './readers.ts';
import type { OrderSettings } from './settings.ts';

/** The limits on orders (docs/brakes.md), each off unless it is set. */
export function readOrderLimits(read: Readers): OrderLimits {
  const rupees = { from: 1, to: 1_000_000_000_000, decimals: 2, unit: 'rupees' };
  const orders = { from: 1, to: 100_000, decimals: 0, unit: 'orders' };
  return {
    value: orNull(read.number('APP_MAX_ORDER_VALUE', rupees, OFF)),
    quantity: readByInstrument(read, 'APP_MAX_ORDER_QUANTITY', '1000,NIFTY=1800'),
    openOrders: readByInstrument(read, 'APP_MAX_OPEN_ORDERS', '20,NIFTY=4'),
    perMinute: orNull(read.number('APP_MAX_ORDERS_PER_MINUTE', orders, OFF)),
  };
}

/** The loss of a day at which an account engages the kill switch, and whether its intraday positions are closed then. */
export function readDailyLoss(
  read: Readers,
): Pick<OrderSettings, 'maxDailyLoss' | 'closeOnDailyLoss'> {
  const rupees = { from: 1, to: 1_000_000_000_000, decimals: 2, unit: 'rupees' };
  const maxDailyLoss = orNull(read.number('APP_MAX_DAILY_LOSS', rupees, OFF));
  const closeOnDailyLoss = read.flag('APP_CLOSE_ON_DAILY_LOSS', false);
  if (closeOnDailyLoss && maxDailyLoss === null) {
    const takes = 'false while APP_MAX_DAILY_LOSS is not set: without a limit nothing is closed';
    read.refuse('APP_CLOSE_ON_DAILY_LOSS', shown('true'), takes);
  }
  return { maxDailyLoss, closeOnDailyLoss };
}

/** No setting can be this. */
const OFF = -1;
const orNull = (value: number): number | null => (value === OFF ? null : value);

/** A number for every instrument, numbers for named ones, or both. */
function readByInstrument(
  read: Readers,
  name: 'APP_MAX_ORDER_QUANTITY' | 'APP_MAX_OPEN_ORDERS',
  example: string,
): LimitByInstrument {
  const listed = read.list(
    name,
    /^(([A-Z]{2,8}:)?[A-Z0-9][A-Z0-9 &_-]{0,49}=)?[1-9]\d{0,8}$/i,
    `a number for every instrument, others by instrument or underlying, such as ${example}, no repeats`,
  );
  const entries = listed ?? [];
  const all = new Map(
    entries.map((entry) => {
      const at = entry.indexOf('=');
      return [entry.slice(0, Math.max(0, at)).toUpperCase(), Number(entry.slice(at + 1))];
    }),
  );
  if (all.size < entries.length) {
    const takes = 'each name once, and one number for every instrument';
    read.refuse(name, shown(entries.join(',')), takes);
  }
  const every = all.get('') ?? null;
  all.delete('');
  return { every, named: all };
}
