import { type Found, on } from './found-on.ts';

/** Those about triggers, keys, alerts, records and ends. */
export const FOUND_ABOUT_TRIGGERS: readonly (readonly [string, Found])[] = [
  ['a trigger whose answer was lost is sent again', on(['S32'], 'triggers_lost')],
  ['a trigger is called absent by the first list that lacks it', on(['S35'], 'triggers_lost')],
  [
    'a trigger is ended by the request to delete it, without a list',
    { properties: ['S37', 'L20'], seeds: [183, 83, 283] },
  ],
  [
    'an exit is flat while a trigger of the gateway waits for its position',
    on(['S36'], 'triggers_exits'),
  ],
  [
    'a deletion of a trigger that the disk did not take is forgotten',
    on(['L20'], 'triggers_full_disk'),
  ],
  ['the order that a trigger has placed is not read', on(['L20'], 'triggers_reached')],
  ['a row without a tag is an order as soon as one read shows it', on(['S3'], 'misread_ids')],
  ['a stop that waits is told as triggered', on(['S45'], 'triggers_as_stops')],
  [
    'a stop of the gateway is listed as a trigger placed elsewhere',
    on(['S45'], 'triggers_as_stops'),
  ],
  ['a deletion of a stop is done as soon as it is answered', on(['S45'], 'triggers_as_stops')],
  ['no list is read while a trigger waits', on(['S37'], 'triggers_reached')],
  [
    'a trigger is called absent beside a row that a person has changed',
    on(['S35'], 'triggers_in_app'),
  ],
  ['no row is in doubt where no list was read before a trigger', on(['S35'], 'triggers_in_app')],
  [
    'a person may take the row that another open trigger may be',
    on(['S35', 'S37'], 'triggers_misnamed'),
  ],
  [
    'a cancel of many takes a lost deletion for the end of the trigger',
    on(['S29'], 'triggers_cancelled'),
  ],
  ['triggers placed elsewhere are left out of a cancel of many', on(['S29'], 'triggers_cancelled')],
  ['fills are credited to the key that traded the instrument first', on(['S38'], 'keys')],
  ['the order of a fired trigger is of no key', on(['S38'], 'triggers_reached')],
  ['the order of a fired trigger is not read until it is over', on(['L20'], 'triggers_reached')],
  [
    'the order of a fired trigger is left out of the lists of its key',
    on(['S46'], 'triggers_mine'),
  ],
  ['a trade of a fired trigger is of no key', on(['S46'], 'triggers_mine')],
  ['a list of triggers that cannot be read leaves nothing open', on(['S46'], 'triggers_mine')],
  ['a cancel of what is of a key leaves the orders of its triggers', on(['S46'], 'triggers_mine')],
  [
    'a cancel of what is of a key takes the orders of the triggers of others',
    on(['S46'], 'triggers_mine'),
  ],
  ['the slices of an order are not of its key', on(['S38'], 'keys')],
  ['a key that is stopped still places orders', on(['S39'], 'keys')],
  ['the limits of a key are not looked at', on(['S40'], 'keys')],
  ['a key that is confined to an account may use the others', on(['S41'], 'keys')],
  ['requests for a trigger under one key do not wait for each other', on(['S49'], 'impatient')],
  ['baskets that share a key do not wait for each other', on(['S5'], 'impatient')],
  [
    'a copy says of a used key that nothing has happened',
    { properties: ['S5'], seeds: [147, 247, 347] },
  ],
  ['a gateway that stops refuses an order whose key was used', on(['S5'], 'impatient')],
  ['a gateway that stops refuses a change whose key was used', on(['S50'], 'impatient')],
  [
    'a request that fails by itself does not look whether its key has an order under way',
    on(['S5'], 'impatient'),
  ],
  ['an alert that comes again after a restart is taken for a new one', on(['S42'], 'signals')],
  ['a signal is sent again after a crash though it has its order', on(['S42'], 'signals')],
  ['an alert is answered before it is on disk', on(['S43'], 'signals')],
  ['a signal over which the gateway was stopped is forgotten', on(['S43'], 'signals')],
  ['an alert leaves a gap in the sequence of events', { properties: ['S7'], seeds: [1, 2, 3] }],
  ['the paper account counts its cash in whole rupees', { properties: ['S8'], seeds: [10] }],
  [
    'that the kill switch was released is not written to the disk',
    on(['S10'], 'terms_under_switch'),
  ],
  ['the log of a refused login names its token', { properties: ['S11'], seeds: [31] }],
  ['a trigger is bound to any one of its terms, however old that is', on(['S33'], 'triggers_lost')],
  ['the price of a leg of a trigger is the price that triggers it', on(['S34'], 'triggers_lost')],
  [
    'an exit that was under way when the process ended is not taken up again',
    { properties: ['L15'], seeds: [6] },
  ],
  ['a closing has no end while one of its positions is not closed', on(['L17'], 'positions_late')],
  [
    'the comparison of the keys with an account leaves out orders placed elsewhere',
    on(['L21'], 'keys'),
  ],
  [
    'a signal over which the gateway was stopped is sent however old it is',
    { properties: ['S47'], seeds: [185, 585] },
  ],
];
