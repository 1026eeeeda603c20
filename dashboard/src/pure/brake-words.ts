import type { Schemas } from '../../../client/index.ts';
import { count, rupees } from './format.ts';

type Brakes = Schemas['Brakes'];
type Key = Pick<Schemas['Key'], 'limits' | 'stopped'>;

interface ByInstrument {
  readonly every: number | null;
  readonly named: Readonly<Record<string, number>>;
}

/** The order that is reviewed. */
export interface OrderOf {
  readonly broker: string;
  readonly instrument: string;
  readonly mode: 'live' | 'paper';
}

/** Which limits hold for an order: those of the account, and those of the key; a text in place of what could not be read. */
export function brakeWords(account: Brakes | string, key: Key | string, order: OrderOf): string {
  const parts: string[] = [];
  if (typeof key !== 'string' && key.stopped) {
    parts.push(`your key is stopped (${key.stopped.reason})`);
  }
  const ofAccount = typeof account === 'string' ? [] : accountLimits(account, order);
  if (typeof account === 'string') parts.push(`those of the account are not known: ${account}`);
  else if (ofAccount.length > 0) parts.push(ofAccount.join(', '));
  const ofKey = typeof key === 'string' ? [] : keyLimits(key.limits, order);
  if (typeof key === 'string') parts.push(`those of your key are not known: ${key}`);
  else if (ofKey.length > 0) parts.push(`of your key: ${ofKey.join(', ')}`);
  const areKnown = typeof account !== 'string' && typeof key !== 'string';
  if (areKnown && ofAccount.length + ofKey.length === 0) {
    parts.push('none is set, for the account or for your key');
  }
  return parts.join('; ');
}

function accountLimits(brakes: Brakes, { broker, instrument, mode }: OrderOf): readonly string[] {
  const { maxOrderValue, maxOrderQuantity, maxOpenOrders, maxOrdersPerMinute, maxDailyLoss } =
    brakes;
  const open = maxOpenOrders?.open.find(
    (each) => each.instrument === instrument && each.broker === broker,
  )?.open;
  const used = maxOrdersPerMinute?.used.find((each) => each.mode === mode)?.orders;
  return [
    ...value(maxOrderValue),
    ...byInstrument(maxOrderQuantity, 'in an order', '', instrument),
    ...byInstrument(maxOpenOrders, 'open orders', ' of an instrument', instrument, now(open)),
    ...(maxOrdersPerMinute === null
      ? []
      : [`at most ${count(maxOrdersPerMinute.limit)} orders a minute${now(used)}`]),
    ...loss(maxDailyLoss?.limit ?? null),
  ];
}

function keyLimits(limits: Schemas['KeyLimits'], { instrument }: OrderOf): readonly string[] {
  const { maxOrderValue, maxOrderQuantity, maxOpenOrders, maxOrdersPerMinute, maxDailyLoss } =
    limits;
  return [
    ...value(maxOrderValue),
    ...byInstrument(maxOrderQuantity, 'in an order', '', instrument),
    ...byInstrument(maxOpenOrders, 'open orders', ' of an instrument', instrument),
    ...(maxOrdersPerMinute === null
      ? []
      : [`at most ${count(maxOrdersPerMinute)} orders a minute`]),
    ...loss(maxDailyLoss),
  ];
}

const value = (limit: number | null): readonly string[] =>
  limit === null ? [] : [`at most ${rupees(limit)} an order`];

const loss = (limit: number | null): readonly string[] =>
  limit === null ? [] : [`at most ${rupees(limit)} of loss a day`];

const now = (used: number | undefined): string =>
  used === undefined ? '' : ` (${count(used)} now)`;

/**
 * A limit that has the name of the instrument, or its symbol, is in place of the one for every instrument. Which underlying a contract
 * has, the page does not know: each name with which its symbol begins is told beside.
 */
function byInstrument(
  limit: ByInstrument | null,
  what: string,
  ofEvery: string,
  instrument: string,
  used = '',
): readonly string[] {
  if (limit === null) return [];
  const symbol = instrument.slice(instrument.indexOf(':') + 1);
  const own = [instrument, symbol].find((name) => limit.named[name] !== undefined);
  if (own !== undefined)
    return [`at most ${count(limit.named[own] ?? null)} ${what} of ${own}${used}`];
  const maybe = Object.entries(limit.named)
    .filter(([name]) => symbol.startsWith(name))
    .map(([name, most]) => `of ${name} ${count(most)}`);
  const every = limit.every === null ? [] : [`${count(limit.every)} ${what}${ofEvery}${used}`];
  const all = [...every, ...maybe];
  return all.length === 0 ? [] : [`at most ${all.join(', ')}`];
}
