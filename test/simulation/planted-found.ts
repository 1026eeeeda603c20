import { seedsOf } from './plan-directed.ts';
import type { DirectedDay } from './plan.ts';

/** Where a planted bug is found. */
export interface Found {
  /** A run finds the bug when one of these is broken: what else is broken does not count. */
  readonly properties: readonly string[];
  /** The first seed that finds it, and more of the same kind: a change of behaviour makes each another day. */
  readonly seeds: readonly number[];
}

const on = (properties: readonly string[], directed: DirectedDay): Found => ({
  properties,
  seeds: seedsOf(directed, 3),
});

/**
 * By the name of the planted bug (planted.ts); one that is not here has not been shown to be found. Seeds of
 * a directed day come from plan-directed.ts.
 */
export const FOUND: ReadonlyMap<string, Found> = new Map([
  ['blind retry on timeout', on(['S1', 'S14'], 'lost_answers')],
  ['called absent after 15 s', on(['S5'], 'late_after_close')],
  ['commit after send', on(['S2'], 'lost_answers')],
  // The gateway does not start any more: the journal has less than its mark says.
  ['fsync off', on(['S1', 'S2', 'L1'], 'crashes')],
  ['no dedupe of fills', on(['S4'], 'lost_answers')],
  ['failover of an uncertain order', on(['S1', 'S14'], 'lost_answers')],
  ['tag ignored', on(['L9'], 'lost_answers')],
  ['baseline taken after the send', on(['S3'], 'no_tags')],
  ['an outage taken for a missing session', on(['S12'], 'placing_fails')],
  ['an unknown refusal taken for a known one', on(['S5', 'S16'], 'lost_answers')],
  ['crash recovery forgets what was being sent', on(['L2', 'S5'], 'crashes')],
  ['the kill switch is not looked at', on(['S9'], 'terms_under_switch')],
  [
    'an account whose token is in the settings is not read at the start',
    on(['S20'], 'exits_elsewhere'),
  ],
  [
    'an exit goes to paper because paper holds some, while the live position stays',
    on(['S20'], 'exits_without_session'),
  ],
  ['a key that may trade releases the kill switch', on(['S9'], 'terms_under_switch')],
  [
    'a stop of unrecognised status is cancelled while it protects a position',
    on(['S19'], 'odd_stops'),
  ],
  [
    'a repeat that spells its instrument in another way is another request',
    on(['S6'], 'spellings'),
  ],
  ['the first row of an acknowledged id is not compared with the order', on(['S3'], 'wrong_ids')],
  [
    'any text of an InputException or a UserException is believed as a refusal',
    on(['S16'], 'refusals'),
  ],
  ['a day ends by the clock of this computer alone', on(['S5'], 'clock_day')],
  ['one malformed row hides the whole book', on(['L7'], 'spoiled_rows')],
  ['the paper account is not asked about a day that has ended', on(['L10'], 'paper_overnight')],
  ['a 429 holds back cancels for as long as it asks', on(['L8'], 'cancels_limited')],
  ['a limit price rounded on the wire', on(['S13'], 'lost_answers')],
  ['an average price that is not weighted', on(['S15'], 'lost_answers')],
  [
    'under the kill switch, an opening order may become a market order',
    on(['S9'], 'terms_under_switch'),
  ],
  ['an acknowledged id that a book had shown before is believed', on(['S3'], 'twin_ids')],
  ['an acknowledged id that no book shows is waited for without end', on(['L9'], 'unknown_ids')],
  [
    'an order is called absent a quarter of an hour after the close, by any book',
    on(['S5'], 'late_after_close'),
  ],
  ['no book is read for what was called absent or disputed', on(['L9'], 'late_disputed')],
  ['a foreign row that vanishes stops all orders for the day', on(['L7'], 'foreign_gone')],
  [
    'orders that open a position go out on a disk that is nearly full',
    { properties: ['S9'], seeds: [24] },
  ],
  ['cancels and exits are behind the breaker of placing', on(['L8'], 'placing_fails')],
  ['a journal that was deleted is not missed at the start', on(['S18'], 'journal_lost')],
  ['the product is always INTRADAY', on(['S13'], 'no_tags')],
  ['slices go on after an uncertain one', on(['S14'], 'slices')],
  ['a kept cancel is forgotten when the order is bound', on(['L6'], 'cancels_kept')],
  [
    'rows of orders placed elsewhere may be missing from a complete book',
    on(['S5'], 'late_and_foreign_hidden'),
  ],
  ['an outcome that did not reach the disk is not written again', on(['L2'], 'full_disk')],
  // Nights are mixed days: which orders are disputed, or what their rows are bound to.
  [
    'an after-market order is looked for in the book of its evening alone',
    { properties: ['L4', 'S3', 'S5'], seeds: [1, 2, 3] },
  ],
  // Mixed days: a broker refuses in known words what it takes, at Kite with its tag lost.
  [
    'a row of an order that was refused is not looked at again',
    { properties: ['L9', 'S16'], seeds: [5, 92, 131] },
  ],
  // Mixed days on which another user logs in while orders of the first one are open.
  [
    'an order of another user is cancelled and modified in the present session',
    { properties: ['S17'], seeds: [35, 204, 216] },
  ],
  ['recovery leaves cancels as sending', on(['L2'], 'cancels_crash')],
  ['the kill switch lets a quantity grow', on(['S9'], 'terms_under_switch')],
]);
