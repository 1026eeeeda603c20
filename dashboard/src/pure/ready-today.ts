import type { Schemas } from '../../../client/index.ts';
import type { PageState } from './state.ts';
import type { Check, Found } from './checks.ts';
import { count, dayAndTime, dayText } from './format.ts';

type Brokers = Pick<PageState, 'brokers'>;

/** How many of the delivered shares may be sold today without a further authorisation at the depository. */
export function sellCheck({ holdings }: Pick<Found, 'holdings'>): Check {
  const what = 'Sell authorisation';
  if (typeof holdings === 'string') return { is: 'unknown', what, words: holdings };
  const delivered = holdings.filter((each) => leftOf(each) > 0);
  if (delivered.length === 0) return { is: 'ok', what, words: 'no delivered share is held' };
  const shares = delivered.reduce((total, each) => total + leftOf(each), 0);
  let authorised = 0;
  for (const each of delivered) {
    if (each.authorisedQuantity === null) {
      const words = `the broker does not tell it of ${each.instrument}`;
      return { is: 'unknown', what, words };
    }
    authorised += Math.min(each.authorisedQuantity, leftOf(each));
  }
  const words = `${count(authorised)} of ${count(shares)} delivered shares`;
  if (authorised >= shares) return { is: 'ok', what, words };
  const how = 'the others can be sold with a power of attorney (DDPI), or once you authorise it';
  return { is: 'look', what, words: `${words}: ${how} at the broker` };
}

/** Shares that are in the demat account, and neither pledged nor sold. */
const leftOf = ({ quantity, t1Quantity, usedQuantity }: Schemas['Holding']): number =>
  Math.max(0, quantity - t1Quantity - usedQuantity);

/** Contracts that expire today or on the next trading day: those that are held, and those of the indices. */
export function expiryCheck(
  { expiring, calendar }: Pick<Found, 'expiring' | 'calendar'>,
  { accounts, brokers }: Pick<PageState, 'accounts' | 'brokers'>,
): Check {
  const what = 'Expiries today and on the next trading day';
  if (typeof calendar === 'string') return { is: 'unknown', what, words: calendar };
  if (typeof expiring === 'string') return { is: 'unknown', what, words: expiring };
  // A list that was not read has no contract that expires.
  const lists = (brokers ?? []).flatMap(({ instruments }) => instruments?.lists ?? []);
  const lacking = lists.find(({ asOf }) => asOf === null);
  if (lists.length === 0 || lacking !== undefined) {
    const words =
      lacking === undefined
        ? 'no instrument list has been read'
        : `the instrument list “${lacking.name}” has not been read`;
    return { is: 'unknown', what, words };
  }
  const { today, nextTradingDay } = calendar;
  const soon = expiring.filter(({ expiry }) => expiry === today || expiry === nextTradingDay);
  const wordsOf = ({ name, expiry, isHeld }: (typeof soon)[number]): string =>
    `${name} ${expiry === today ? 'today' : `on ${dayText(expiry)}`}${isHeld ? ' (you hold it)' : ''}`;
  const words = soon.map(wordsOf).join(', ');
  const unread = (accounts ?? []).find(({ positions }) => positions === null);
  if (accounts === null || unread !== undefined) {
    const of = unread === undefined ? '' : ` at ${unread.broker}`;
    const known = words === '' ? '' : `; of the rest: ${words}`;
    return { is: 'unknown', what, words: `the positions${of} cannot be read${known}` };
  }
  return soon.length === 0
    ? { is: 'ok', what, words: `none today, nor on ${dayText(nextTradingDay)}` }
    : { is: 'look', what, words };
}

/** The connection for prices and changes of orders. Without it both are polled. */
export function tickerChecks({ brokers }: Brokers): readonly Check[] {
  return (brokers ?? []).flatMap(({ broker, streaming, available }): readonly Check[] => {
    if (streaming === null) return [];
    const what = `Ticker, ${broker}`;
    if (streaming) return [{ is: 'ok', what, words: 'open, and heard within 5 s' }];
    const why = available ? 'not open' : 'not open, since nobody is logged in';
    return [{ is: 'look', what, words: `${why}: prices and orders are polled` }];
  });
}

/** A broker sends them for orders alone, so that a quiet morning has none; the book is read all the same. */
export function postbackChecks({ brokers }: Brokers): readonly Check[] {
  return (brokers ?? []).flatMap(({ broker, postbacks }): readonly Check[] => {
    if (postbacks === null) return [];
    const { lastAt, since } = postbacks;
    const what = `Last postback, ${broker}`;
    if (lastAt !== null) return [{ is: 'ok', what, words: dayAndTime(lastAt) }];
    const words = `none since the gateway started (${dayAndTime(since)}): it reads the book by itself`;
    return [{ is: 'unknown', what, words }];
  });
}
