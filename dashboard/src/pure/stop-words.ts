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
  /** What it leaves as it is; absent where it takes all that is listed. */
  readonly stays?: { readonly lead: string; readonly items: readonly string[] };
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

/** `open` are the orders that it is about, null where the page could not read them; `all` where those are of every key and from elsewhere. */
export function cancelAllWords(open: readonly Order[] | null, all: boolean): StopWords {
  const whose = all
    ? 'every open order, also those placed elsewhere'
    : 'the open orders of your key, and no others';
  const known =
    open === null
      ? 'Which those are cannot be read now: the gateway finds them when it gets the request.'
      : `The page knows of ${plural(open.length, 'open order')}:`;
  return {
    lead: `Cancels ${whose}. ${known}`,
    items: cut(
      (open ?? []).map((order) => `${termsOf(order)} at ${order.broker} (${money(order.mode)})`),
    ),
    notes: [
      'What is open when the gateway gets the request counts, and each order is answered for itself.',
      'Positions stay as they are, and so do triggers that wait at a broker.',
    ],
  };
}

/** Delivery shares are closed only where a request names them, which the button does not (docs/exits.md, "Closing all"). */
const isDelivery = ({ product }: Schemas['Position']): boolean => product === 'CNC';

/** What the orders of a key have made of an account; `positions` is null where that could not be read. */
export interface OwnAccount extends Pick<Account, 'broker' | 'positions' | 'problem'> {
  /** Orders and triggers of the key of which it is not known how much they have filled. */
  readonly uncertain: readonly string[];
}

/** How much of a position a closing ends that is about what is a key's own: never more than the account has. */
function ownPart(quantity: number, own: number): number {
  return Math.sign(own) === Math.sign(quantity) ? Math.min(Math.abs(own), Math.abs(quantity)) : 0;
}

/** `own` is null for the whole account, otherwise what of it is the key's that asks. */
export function closeAllWords(
  accounts: readonly Account[],
  own: readonly OwnAccount[] | null,
): StopWords {
  const rows = accounts.flatMap(({ positions, broker, mode }) =>
    (positions ?? [])
      .filter(({ quantity }) => quantity !== 0)
      .map((position) => ({ position, where: `at ${broker} (${money(mode)})`, broker })),
  );
  const open = rows
    .filter(({ position }) => !isDelivery(position))
    .map((row) => ({ ...row, closed: closedOf(row, own) }));
  const delivery = rows.length - open.length;
  const held = open
    .filter(({ closed }) => closed > 0)
    .map(
      ({ position: { quantity, instrument, product }, where, closed }) =>
        `${quantity > 0 ? 'SELL' : 'BUY'} ${count(closed)} ${instrument} ${product} ${where}`,
    );
  // Of an account of which the key's part is not known, nothing is said to stay.
  const isKnown = (broker: string): boolean => isRead(ownAt(own ?? [], broker));
  const left = open
    .filter(({ broker }) => own === null || isKnown(broker))
    .filter(({ position, closed }) => closed < Math.abs(position.quantity))
    .map(({ position: { quantity, instrument, product }, where, closed }) => {
      const rest = Math.sign(quantity) * (Math.abs(quantity) - closed);
      return `${count(rest)} ${instrument} ${product} ${where}`;
    });
  const whose =
    own === null
      ? 'every position but delivery shares'
      : 'what the orders of your key have bought and sold, and nothing else; of that no delivery shares';
  return {
    lead: `Ends ${whose}: what is short first, each by an exit. The page knows of ${plural(held.length, 'position')}:`,
    items: cut(held),
    ...(left.length === 0 ? {} : { stays: { lead: STAYS, items: cut(left) } }),
    notes: [
      ...accounts.filter(({ positions }) => positions === null).map(unreadNote),
      ...ownNotes(accounts, own),
      ...(left.some((item) => item.startsWith('−')) ? [COVER] : []),
      'Orders that rest for a position that is closed are cancelled first.',
      `Delivery shares (CNC) stay, bought today or before${delivery === 0 ? '' : `: ${plural(delivery, 'row')} of them ${delivery === 1 ? 'is' : 'are'} among the positions and not in this list`}. Sell them one by one.`,
    ],
  };
}

const STAYS =
  'This stays, since orders of other keys or orders placed elsewhere have made it; an admin can close it:';

const COVER =
  'What may cover a short contract that stays is kept open as well, and the answer names it.';

const ownAt = (own: readonly OwnAccount[], broker: string): OwnAccount | undefined =>
  own.find((each) => each.broker === broker);

const isRead = (own: OwnAccount | undefined): boolean => (own?.positions ?? null) !== null;

function closedOf(
  { position, broker }: { readonly position: Schemas['Position']; readonly broker: string },
  own: readonly OwnAccount[] | null,
): number {
  if (own === null) return Math.abs(position.quantity);
  const mine = ownAt(own, broker)?.positions?.find(
    ({ instrument, product }) => instrument === position.instrument && product === position.product,
  );
  return ownPart(position.quantity, mine?.quantity ?? 0);
}

const unreadNote = ({ broker }: Account): string =>
  `The positions at ${broker} cannot be read now. Where the gateway cannot read an account, it closes nothing, at no broker. Where one row of it cannot be read, it leaves that row open and names it, keeps what may cover it, and closes the others.`;

function ownNotes(
  accounts: readonly Account[],
  own: readonly OwnAccount[] | null,
): readonly string[] {
  if (own === null) return [];
  const unread = accounts.flatMap(({ broker, positions }) => {
    const mine = ownAt(own, broker);
    if (positions === null || isRead(mine)) return [];
    const why = mine?.problem ?? 'it was not read yet';
    return `What of ${broker} is your key’s is not known to the page (${why}), so nothing of it is listed. The gateway finds it out, and closes that alone.`;
  });
  const uncertain = new Set(own.flatMap((each) => each.uncertain));
  if (uncertain.size === 0) return unread;
  const doubt = `How much of ${[...uncertain].join(', ')} has filled is not known: what may be your key’s besides stays open, and the answer names it.`;
  return [...unread, doubt];
}
