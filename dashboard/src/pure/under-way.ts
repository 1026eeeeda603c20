import type { Schemas } from '../../../client/index.ts';
import { count, rupees } from './format.ts';
import { STATUS_WORDS, termsOf } from './orders.ts';

type Trigger = Schemas['ListedTrigger'];

/** Whether it may still place an order: what nobody understands may, too. */
export const mayFire = ({ status }: Pick<Trigger, 'status'>): boolean =>
  status !== 'ended' && status !== 'triggered';

export const TRIGGER_WORDS: Readonly<Record<Trigger['status'], string>> = {
  waiting: 'waits for its price',
  triggered: 'has placed its order',
  ended: 'over',
  unrecognised: 'not understood: it may still place an order',
  sending: 'on its way to the broker',
  uncertain: 'not known yet whether the broker has it',
};

/** `SELL 10 CNC at ₹1,450.00 once ₹1,455.00 is reached` */
export function legWords(
  leg: Pick<Trigger['legs'][number], 'side' | 'quantity' | 'product' | 'price' | 'triggerPrice'>,
): string {
  const { side, quantity, product, price, triggerPrice } = leg;
  const at = price === null ? 'at the market' : `at ${rupees(price)}`;
  return `${side} ${count(quantity)} ${product} ${at} once ${rupees(triggerPrice)} is reached`;
}

export interface ExitOfDay {
  readonly exit: Schemas['Exit'];
  /** The orders that it has sent, oldest first; a text where they could not be read. */
  readonly orders: readonly Schemas['Order'][] | string;
}

type Closing = Schemas['Closing'];

/** Those that run first, then the newest. */
export const closingsListed = (closings: readonly Closing[]): readonly Closing[] =>
  closings.toSorted(
    (one, other) =>
      Number(one.status !== 'running') - Number(other.status !== 'running') ||
      Date.parse(other.createdAt) - Date.parse(one.createdAt),
  );

/** What has become of each position of a closing, and which rows it could not read. */
export const closingSteps = ({ positions, unread }: Closing): readonly string[] => [
  ...positions.map(
    ({ net, quantity, instrument, product, broker, status, reason }) =>
      `${quantity === null || quantity === Math.abs(net) ? '' : `${count(Math.sign(net) * quantity)} of `}${count(net)} ${instrument} ${product} at ${broker}: ${POSITION_WORDS[status]}${reason === null ? '' : ` (${reason})`}`,
  ),
  ...unread.map(
    ({ instrument, broker, list, reason }) =>
      `${instrument ?? 'An instrument that cannot be read'}: not closed, since its row in the ${list} at ${broker} cannot be read (${reason})`,
  ),
];

const POSITION_WORDS: Readonly<Record<Closing['positions'][number]['status'], string>> = {
  waiting: 'waits for its turn',
  running: 'is being closed',
  flat: 'closed',
  partly_flat: 'not closed whole',
  stopped: 'stopped, and may still be held',
  kept: 'kept open',
};

/** Those that run first, then the newest. */
export function exitsListed<Each extends Pick<ExitOfDay, 'exit'>>(
  exits: readonly Each[],
): readonly Each[] {
  const isOver = ({ exit }: Each): number => Number(exit.status !== 'running');
  return exits.toSorted(
    (one, other) =>
      isOver(one) - isOver(other) ||
      Date.parse(other.exit.createdAt) - Date.parse(one.exit.createdAt),
  );
}

/** What an exit has done so far, one line for each order. */
export function stepsOf({ orders }: Pick<ExitOfDay, 'orders'>): readonly string[] {
  if (typeof orders === 'string') return [`its orders cannot be read now: ${orders}`];
  return orders.map((order) => `${termsOf(order)}: ${STATUS_WORDS[order.status]}`);
}
