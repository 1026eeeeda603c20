import { type Found, on } from './found-on.ts';
import { FOUND_ABOUT_ACCOUNTS } from './planted-found-accounts.ts';
import { FOUND_ABOUT_CHANGES } from './planted-found-changes.ts';
import { FOUND_ABOUT_TRIGGERS } from './planted-found-triggers.ts';

/**
 * By the name of the planted bug (planted.ts); one that is not here has not been shown to be found. Seeds of
 * a directed day come from plan-directed.ts.
 */
export const FOUND: ReadonlyMap<string, Found> = new Map<string, Found>([
  ['blind retry on timeout', on(['S1', 'S14'], 'lost_answers')],
  ['called absent after 15 s', on(['S5'], 'late_after_close')],
  ['commit after send', on(['S2'], 'lost_answers')],
  // The gateway does not start any more: the journal has less than its mark says.
  ['fsync off', on(['S1', 'S2', 'L1'], 'crashes')],
  ['a row or a trade is that of an order by its id alone', on(['S4', 'S5'], 'lost_tags')],
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
  ['a cancel whose answer was lost is not sent again', on(['L6'], 'cancels_undone')],
  [
    'orders that open a position go out on a disk that is nearly full',
    { properties: ['S9'], seeds: [24] },
  ],
  [
    'cancels and exits are behind the breaker of placing',
    { properties: ['L8'], seeds: [100, 300, 500, 700, 900] },
  ],
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
  // Mixed days on which another user logs in while orders of the first one are open.
  [
    'an order of another user is cancelled and modified in the present session',
    { properties: ['S17'], seeds: [35, 204, 216] },
  ],
  ['recovery leaves cancels as sending', on(['L2'], 'cancels_crash')],
  ['the kill switch lets a quantity grow', on(['S9'], 'terms_under_switch')],
  ['the kill switch goes by a portfolio of any age', on(['S9'], 'stale_positions')],
  [
    'an equal row without our tag does not keep an order from being called absent',
    on(['S5'], 'lost_tags'),
  ],
  ['an order is called absent by the clock of this computer alone', on(['S5'], 'clock_hours')],
  [
    'the day is compared with the book only while something is open',
    on(['S4'], 'fills_after_close'),
  ],
  ['trades that were not read are taken for none', on(['S5'], 'late_trades_only')],
  [
    'an after-market order is called absent at the close before it',
    { properties: ['S5'], seeds: [12, 13, 6] },
  ],
  [
    'an order without a row stays disputed although its day was ended by a wrong clock',
    { properties: ['S5'], seeds: [72] },
  ],
  [
    'a row of the morning is taken for an after-market order that was released',
    { properties: ['S3'], seeds: [39, 136] },
  ],
  [
    'an after-market order is changed as one when the exchange has it',
    { properties: ['L5'], seeds: [1, 5, 6, 7, 8] },
  ],
  [
    'a row that cannot be read whole does not tell that the exchange has an after-market order',
    { properties: ['L5'], seeds: [13] },
  ],
  [
    'a refusal in words that nobody has listed is believed without a book',
    on(['S5'], 'primary_refusals'),
  ],
  [
    'words of the primary brokerage that leave it open are a refusal',
    on(['S5'], 'primary_refusals'),
  ],
  [
    'a status that says that a server on the way stopped waiting is believed as a refusal',
    on(['S5'], 'primary_refusals'),
  ],
  [
    'an order that was called absent is not doubted by a row without its tag',
    on(['S3'], 'called_absent'),
  ],
  ['a kept cancel is forgotten when the order is called not placed', on(['L6'], 'called_absent')],
  [
    'a clock that is a day behind dates the word that an order is absent',
    on(['S3'], 'called_absent_back'),
  ],
  ['one row that is dated wrongly moves a read to another day', on(['S4'], 'undated')],
  ['a comparison that was made by a clock that was ahead is not made again', on(['S4'], 'undated')],
  ['an order is dated by the clock of this computer alone', on(['L9'], 'clock_hours')],
  ['two acknowledgements that were swapped are left as they are', on(['L9'], 'swapped_ids')],
  [
    'a row with a wrong id that one read shows moves an acknowledged order',
    on(['S13'], 'astray_ids'),
  ],
  ...FOUND_ABOUT_CHANGES,
  [
    'orders of the app do not count against an exit under the kill switch',
    on(['S9'], 'exits_beside'),
  ],
  ['positions are believed before they show a fill', on(['S9'], 'exits_beside')],
  ['a row that works again after its end is never believed', on(['L11'], 'works_again')],
  ['no book is read for an order that has ended', on(['L11'], 'works_again')],
  ['an order is that of an equal row, however much later it was made', on(['S3'], 'unknown_ids')],
  ['a row of an order that was refused is not looked at again', on(['L9', 'S16'], 'refusals')],
  ['the trades are not read for an order whose row the book lacks', on(['L12'], 'rows_gone')],
  [
    'what a row said last is told as known, for as long as the row is gone',
    on(['L12'], 'rows_gone'),
  ],
  [
    "a trade is not told by the exchange's id of an order whose row the book lacks",
    on(['L12'], 'rows_gone'),
  ],
  ["the LIMIT row of a MARKET order is another order's", on(['L9'], 'market_as_limit')],
  [
    'what can be read of a row that cannot be read whole is no evidence of its order',
    on(['S5'], 'odd_rows'),
  ],
  [
    'a row that cannot be read whole is in no book when a person names it',
    on(['L14'], 'odd_rows_named'),
  ],
  ["zeros in the place of an exchange's id join rows and trades", on(['S5'], 'zero_ids')],
  [
    'what the book held before the send is forgotten at the acknowledgement',
    on(['L9'], 'spelled_ids'),
  ],
  [
    'orders of this data directory that its journal does not know are taken for those of others',
    on(['S21'], 'restored'),
  ],
  ['nobody is told that a book with open orders cannot be read', on(['L13'], 'unread_book')],
  [
    'a cancel that was acknowledged and came to nothing is not sent again',
    on(['L6'], 'cancels_undone'),
  ],
  ['what has filled is cut down to the quantity of the row', on(['S5'], 'quantities_shrink')],
  [
    'an open row ends its order though more was asked for than it shows',
    on(['S5'], 'quantities_late'),
  ],
  [
    'whether an order may leave is not asked again once its connection is open',
    on(['S9', 'S22'], 'slow_connections'),
  ],
  [
    'how long an order has waited is told by the running clock alone',
    on(['S22'], 'slow_connections'),
  ],
  ['the time that a connection takes does not make an order late', on(['S22'], 'slow_connections')],
  ['slices leave however long ago the whole order came', on(['S22'], 'slow_connections')],
  [
    'an order leaves although it was cancelled while its connection opened',
    on(['S22'], 'slow_connections'),
  ],
  ['an exit retries a leg whose outcome is uncertain', on(['S23', 'S25'], 'exit_answers_lost')],
  // A mixed day on which a leg fills in part.
  [
    'a leg of an exit has the quantity of the one before it',
    { properties: ['S23', 'S26'], seeds: [96, 123] },
  ],
  [
    'the positions are read before the book, and what they lack does not count',
    on(['S23'], 'exits_between_reads'),
  ],
  [
    'what orders have opened and the positions do not show yet is nothing held',
    on(['S24'], 'positions_late'),
  ],
  [
    'what orders placed elsewhere have moved and the positions do not show yet is sold again',
    on(['S23'], 'positions_late'),
  ],
  [
    'the quantity of a position is believed although its other figures contradict it',
    on(['S23'], 'positions_split'),
  ],
  ['the instrument of a row is compared as it is spelled', on(['S23'], 'rows_spelled')],
  [
    'zeros before a security id make its row one of other shares',
    on(['S23'], 'rows_spelled_primary'),
  ],
  [
    'an open row of a quantity of 0 takes nothing of what is held',
    on(['S23'], 'rows_spelled_primary'),
  ],
  ['of quantities that contradict one another, the smaller one rests', on(['S23'], 'rows_spelled')],
  [
    'an exit ends at once where something began to rest after its cancels',
    on(['L22'], 'exits_rest_between'),
  ],
  [
    'a leg of an exit leaves for shares that orders of the gateway have taken since',
    on(['S23'], 'exits_beside_sales'),
  ],
  [
    'a refused order that the book lists as rejected engages the kill switch',
    on(['S53'], 'refused_rows'),
  ],
  ['a position whose row comes twice counts twice', on(['S23'], 'rows_twice')],
  ['an order whose row comes twice in a book counts twice', on(['L23'], 'rows_twice')],
  ...FOUND_ABOUT_ACCOUNTS,
  ['a refusal for the price uses up an attempt of an exit', on(['L19'], 'exit_prices')],
  ['the price of an exit is rounded towards the market', on(['S30'], 'exit_prices')],
  ['legs of an exit wait behind entries', on(['L18'], 'exit_prices')],
  // Mixed days with closings, brakes and cancels of many orders.
  [
    'an account that cannot be read is closed as one that holds nothing',
    { properties: ['S28'], seeds: [77, 106] },
  ],
  ['a closing closes what is long first', { properties: ['S27'], seeds: [13, 15, 33] }],
  [
    'a closing goes on as if a row of the positions that it cannot read covered nothing',
    on(['S27'], 'positions_unread'),
  ],
  [
    'a closing does not say which rows of an account it could not read',
    on(['S28'], 'positions_unread'),
  ],
  ['a limit on orders holds back exits', { properties: ['L16'], seeds: [7, 11, 12] }],
  [
    'what a key has of an order with an unknown outcome is not closed, nor said',
    { properties: ['S28'], seeds: [54, 45, 52] },
  ],
  [
    'a book that cannot be read is one without orders placed elsewhere',
    { properties: ['S29'], seeds: [16, 22, 24] },
  ],
  [
    'a cancel of many orders takes an acknowledgement for the end of the order',
    { properties: ['S29'], seeds: [16, 22, 24] },
  ],
  ['an exit goes by an account that was read a minute ago', on(['S23'], 'exits_after_others')],
  ['an ordered basket goes on after an order with an unknown outcome', on(['S31'], 'baskets')],
  ['a basket that is repeated under its keys is sent anew', on(['S31'], 'baskets')],
  ['the right orders of a basket are sent though one of them is wrong', on(['S31'], 'baskets')],
  ...FOUND_ABOUT_TRIGGERS,
  ['a copied directory sends', on(['S44'], 'copied')],
]);
