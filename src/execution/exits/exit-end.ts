import { notUnderThatName } from '../reconcile/under-other-names.ts';
import type { ExitOver, ExitRecord } from './exit.ts';
import type { Held } from './what-is-held.ts';

/**
 * Whether nothing is held by a read that lacks a row which the read before had, and no fill of the gateway tells why. Its
 * legs never sell what was missing when the first of them was sent.
 */
export const isMissing = ({ quantity, missing, knownLeft, missingBefore }: Held): boolean =>
  quantity === 0 && missing !== 0 && (knownLeft ?? 1) + missingBefore > 0;

/**
 * How an exit ends for which nothing is left to send, after book, positions and holdings were read: `flat`
 * only where they show that nothing is held.
 */
export function whenNothingIsFree(exit: ExitRecord, held: Held): Omit<ExitOver, 'at'> {
  const { instrument, product } = exit;
  const {
    quantity,
    moved,
    opened,
    crossed,
    askedLeft,
    knownLeft,
    countedLeft,
    sold,
    soldBeside,
    hidden,
    elsewhere,
    otherNames,
  } = held;
  const did = exit.side === 'SELL' ? 'sold' : 'bought';
  const beside = soldBeside > 0 ? `, and other orders of the gateway ${soldBeside},` : '';
  if (quantity < 0 && product === 'CNC') {
    const detail =
      `${-quantity} more of ${instrument} have been sold today than the holdings show: look at them in ` +
      "the broker's app";
    return { end: 'stopped', why: 'account_unreadable', detail, held: null };
  }
  if (quantity < 0) {
    const detail =
      `the position of ${instrument} (${product}) is on the other side now. The legs of this exit ${did} ` +
      `${sold}${beside}${knownLeft === null ? '' : ` of the ${sold + soldBeside + knownLeft} that were known to be held`}: other ` +
      'orders have traded it, or the positions were wrong when the exit began';
    return { end: 'stopped', why: 'reversed', detail, held: quantity };
  }
  if (quantity === 0 && opened > 0) {
    const detail = `the positions do not show yet that ${quantityOf(opened)} of ${instrument} (${product}) have filled`;
    return { end: 'stopped', why: 'account_unreadable', detail, held: null };
  }
  if (quantity === 0 && crossed > 0) {
    const detail =
      `nothing of ${instrument} (${product}) is held, but the positions do not show yet that ${quantityOf(crossed)} more have ` +
      'filled: it may be on the other side. Exit again once they do';
    return { end: 'stopped', why: 'account_unreadable', detail, held: null };
  }
  if (isMissing(held)) {
    const detail =
      `the account no longer shows the row of ${instrument} (${product}) that had ${Math.abs(held.missing)} a moment ago, ` +
      'and no fill tells why: look at it there, and exit again';
    return { end: 'stopped', why: 'account_unreadable', detail, held: null };
  }
  if (quantity === 0) {
    if (otherNames.length > 0) {
      const detail = notUnderThatName(exit, otherNames);
      return { end: 'partly_flat', why: 'not_covered', detail, held: 0 };
    }
    if (elsewhere.length === 0) {
      const detail = `nothing of ${instrument} (${product}) is held any more`;
      return { end: 'flat', why: null, detail, held: 0 };
    }
    const detail = `${elsewhere.join(', ')} cannot be sold by the gateway: use the broker's app`;
    return { end: 'partly_flat', why: 'not_covered', detail, held: 0 };
  }
  if (moved > 0) {
    const detail = `the positions do not show yet that ${quantityOf(moved)} of ${instrument} have filled`;
    return { end: 'stopped', why: 'account_unreadable', detail, held: null };
  }
  if (askedLeft !== null && askedLeft <= 0) {
    const detail = 'what was asked for has filled';
    return { end: 'partly_flat', why: 'as_asked', detail, held: quantity };
  }
  if (knownLeft !== null && knownLeft <= 0) {
    const detail =
      `the legs of this exit ${did} ${sold} of ${instrument} (${product})${beside || ','} all that was known to be held, and the ` +
      `positions show ${quantity}: they are behind, or others have added to the position. Look at it in the ` +
      "broker's app, and exit again what is still held there";
    return { end: 'stopped', why: 'account_unreadable', detail, held: null };
  }
  if (countedLeft <= 0) {
    const detail =
      `orders of the gateway have ${did} all of ${instrument} (${product}) that was known to be held, and the positions ` +
      `show ${quantity}: they are behind, or others have added to the position. Look at it in the broker's app, and exit ` +
      'again what is still held there';
    return { end: 'stopped', why: 'account_unreadable', detail, held: null };
  }
  if (hidden.length > 0) {
    // An exit that was to cancel it could not: no cancel can name it, or nobody knows its side.
    const mayAsk = exit.cancelExternal !== true && exit.orderId === null;
    const how = mayAsk ? 'Exit again with cancelExternal, or cancel it' : 'Cancel it';
    const detail = `${hidden.join('; ')}. ${how} in the broker's app: an order that rests there could reverse the position`;
    return { end: 'partly_flat', why: 'reserved_elsewhere', detail, held: quantity };
  }
  const detail = `open orders would take what is held: ${holdersOf(held)}`;
  return { end: 'partly_flat', why: 'reserved_elsewhere', detail, held: quantity };
}

/** So many are named. */
const NAMED = 5;

function holdersOf({ holders, unseen }: Held): string {
  const more = holders.length - NAMED;
  const named = [
    ...holders.slice(0, NAMED),
    ...(more > 0 ? [`${more} more`] : []),
    ...(unseen > 0 ? [`orders of triggers that no book shows yet (${unseen})`] : []),
  ];
  return named.length > 0 ? named.join('; ') : 'later legs of orders placed elsewhere';
}

/** Of a row that cannot be read, nobody knows how much. */
const quantityOf = (shares: number): string => (Number.isFinite(shares) ? String(shares) : 'some');
