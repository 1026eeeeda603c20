import { type Found, on } from './found-on.ts';

/** Where the planted bugs about what an account tells, and about the market, are found. */
export const FOUND_ABOUT_ACCOUNTS: readonly (readonly [string, Found])[] = [
  [
    'a row of which a price cannot be read shows all that was filled',
    { properties: ['S23'], seeds: [51, 551] },
  ],
  ['a closing of a key sells again what has filled since its plan', on(['S54'], 'closings_mine')],
  [
    'a cancel of many goes by no book that the disk does not take',
    on(['L16'], 'cancels_elsewhere'),
  ],
  [
    'a cancel of many is told as not done on a disk that takes nothing',
    on(['S50'], 'cancels_elsewhere'),
  ],
  [
    'a trade after the end of an order is not told by the row that the book has no more',
    { properties: ['S5'], seeds: [152, 252] },
  ],
  ['sales under the name of the other exchange do not count', on(['S48'], 'two_exchanges')],
  [
    'what was bought under the name of the other exchange today counts as delivered',
    on(['S48'], 'two_exchanges'),
  ],
  [
    'what others have sold under the other name and the positions lack does not count',
    { properties: ['S48'], seeds: [43, 343, 453] },
  ],
  [
    'an exit is flat while the same shares are held under another name',
    on(['S24'], 'two_exchanges'),
  ],
  ['a list of positions that fails is one without positions', on(['S24'], 'lists_fail')],
  [
    'the list beside one that fails is of the product that was asked for, whatever it has',
    on(['S23', 'S48'], 'lists_ignored'),
  ],
  [
    'what the price protection has kept from filling does not go out as MARKET',
    on(['L19'], 'outside_protection'),
  ],
  ['a row that a read of an account lacks is nothing held', on(['S27', 'S28'], 'positions_gone')],
];
