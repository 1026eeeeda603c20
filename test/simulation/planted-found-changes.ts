import { type Found, on } from './found-on.ts';

/** Where the planted bugs about changes of orders, and about what a full disk and a person do, are found. */
export const FOUND_ABOUT_CHANGES: readonly (readonly [string, Found])[] = [
  [
    'a cancel that went to another row is taken for one of the order',
    { properties: ['L6'], seeds: [37, 218] },
  ],
  [
    'under the kill switch, a quantity grows again while the book lags behind its lowering',
    on(['S9'], 'quantities_lag'),
  ],
  [
    'under the kill switch, a price whose change may not have been made counts as the present one',
    on(['S9'], 'prices_open'),
  ],
  [
    'a change that was lost long ago is made by the next one of another field',
    on(['S51'], 'changes_lost'),
  ],
  [
    'a row that shows by chance what was asked for last hides what was accepted before it',
    on(['S51'], 'changes_lost'),
  ],
  ["the time of a row is compared with this computer's clock alone", on(['S51'], 'changes_ahead')],
  ['a limit values an order at the lowest price that it may have', on(['S52'], 'changes_lost')],
  [
    'a cancel that the disk did not take is forgotten once its second try is refused for a moment',
    on(['L6'], 'cancels_unwritten'),
  ],
  ['a cancel that the disk does not take is not sent', on(['L16'], 'cancels_unwritten')],
  ['a kill switch that the disk does not take does not hold', on(['S9'], 'cancels_unwritten')],
  [
    'a row of another instrument is bound to an order when a person names it',
    on(['S3'], 'odd_rows_named'),
  ],
];
