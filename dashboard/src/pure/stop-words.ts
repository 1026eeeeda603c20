import type { Schemas } from '../../../client/index.ts';
import { count } from './format.ts';
import { type Order, termsOf } from './orders.ts';

/** What an account holds, as the page knows it; `positions` is null where it could not be read. */
export interface Account {
  readonly broker: string;
  readonly mode: 'live' | 'paper';
  readonly positions: readonly Schemas['Position'][] | null;
  /** Why there are no positions. */
  readonly problem: string | null;
}

/** What a stop button says before it does something. */
export interface StopWords {
  readonly lead: string;
  /** One line for each thing that it is about. */
  readonly items: readonly string[];
  readonly notes: readonly string[];
}

const MOST_LISTED = 8;

function cut(items: readonly string[]): readonly string[] {
  if (items.length <= MOST_LISTED) return items;
  const more = items.length - MOST_LISTED + 1;
  return [...items.slice(0, MOST_LISTED - 1), `and ${more} more`];
}

const money = (mode: 'live' | 'paper'): string => (mode === 'live' ? 'real money' : 'paper');
const plural = (number: number, one: string): string =>
  `${count(number)} ${one}${number === 1 ? '' : 's'}`;

export function killSwitchWords(open: readonly Order[]): StopWords {
  return {
    lead: 'No order that opens or adds to a position is sent any more, from any key, until an admin releases the switch.',
    items: [],
    notes: [
      'Cancels, exits and orders that only reduce a position still pass.',
      open.length === 0
        ? 'The page knows of no open order.'
        : `It cancels nothing: ${plural(open.length, 'open order')} will stay open. Cancel them with the next button.`,
    ],
  };
}

export const releaseWords = (reason: string | null): StopWords => ({
  lead: 'Orders that open positions pass again, from every key that may trade.',
  items: [],
  notes: reason === null ? [] : [`It was engaged because: ${reason}`],
});

/** `all`: those of every key and those placed elsewhere; otherwise those of the key that asks. */
export function cancelAllWords(open: readonly Order[], all: boolean): StopWords {
  const whose = all
    ? 'every open order, also those placed elsewhere'
    : 'the open orders of your key';
  return {
    lead: `Cancels ${whose}. The page knows of ${plural(open.length, 'open order')}${all ? '' : ' of all keys'}:`,
    items: cut(open.map((order) => `${termsOf(order)} at ${order.broker} (${money(order.mode)})`)),
    notes: [
      'What is open when the gateway gets the request counts, and each order is answered for itself.',
      'Positions stay as they are, and so do triggers that wait at a broker.',
    ],
  };
}

/** Delivery shares are closed only where a request names them, which the button does not (docs/exits.md, "Closing all"). */
const isDelivery = ({ product }: Schemas['Position']): boolean => product === 'CNC';

export function closeAllWords(accounts: readonly Account[], all: boolean): StopWords {
  const open = accounts.flatMap(({ positions, broker, mode }) =>
    (positions ?? [])
      .filter(({ quantity }) => quantity !== 0)
      .map((position) => ({ position, broker, mode })),
  );
  const held = open
    .filter(({ position }) => !isDelivery(position))
    .map(
      ({ position: { quantity, instrument, product }, broker, mode }) =>
        `${quantity > 0 ? 'SELL' : 'BUY'} ${count(Math.abs(quantity))} ${instrument} ${product} at ${broker} (${money(mode)})`,
    );
  const unread = accounts.filter(({ positions }) => positions === null);
  const left = open.length - held.length;
  const whose = all ? 'every position' : 'the positions of your key';
  return {
    lead: `Ends ${whose} but delivery shares, what is short first, each by an exit. The page knows of ${plural(held.length, 'position')}${all ? '' : ' of all keys'}:`,
    items: cut(held),
    notes: [
      ...unread.map(
        ({ broker }) =>
          `The positions at ${broker} cannot be read now. Where the gateway cannot read an account, it closes nothing, at no broker. Where one row of it cannot be read, it leaves that row open and names it, keeps what may cover it, and closes the others.`,
      ),
      'Orders that rest for a position that is closed are cancelled first.',
      `Delivery shares (CNC) stay, bought today or before${left === 0 ? '' : `: ${plural(left, 'row')} of them ${left === 1 ? 'is' : 'are'} among the positions and not in this list`}. Sell them one by one.`,
    ],
  };
}
