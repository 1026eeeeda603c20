/** A day that concentrates on one kind of trouble (plan-directed.ts). New ones go to the second list. */
export const DIRECTED_DAYS = [
  'exits_elsewhere',
  'exits_without_session',
  'terms_under_switch',
  'stale_positions',
  'odd_stops',
  'wrong_ids',
  'unknown_ids',
  'lost_tags',
  'refusals',
  'clock_hours',
  'clock_day',
  'late_after_close',
  'late_and_foreign_hidden',
  'late_trades_only',
  'late_disputed',
  'foreign_gone',
  'spoiled_rows',
  'fills_after_close',
  'paper_overnight',
  'placing_fails',
  'cancels_limited',
  'journal_lost',
  'cancels_crash',
  'cancels_kept',
  'full_disk',
  'slices',
  'lost_answers',
  'other_user_overnight',
  'crashes',
  'no_tags',
  'spellings',
  'twin_ids',
  'primary_refusals',
  'called_absent',
  'astray_ids',
  'swapped_ids',
  'quantities_lag',
  'exits_beside',
  'works_again',
  'undated',
] as const;
export type DirectedDay = (typeof DIRECTED_DAYS)[number];

/** More of them, played by other seeds: one more here leaves the seeds of the first list as they are. */
export const LATER_DIRECTED_DAYS = [
  'rows_gone',
  'quantities_shrink',
  'quantities_late',
  'market_as_limit',
  'odd_rows',
  'odd_rows_named',
  'zero_ids',
  'spelled_ids',
  'cancels_astray',
  'unread_book',
  'cancels_undone',
  'restored',
  'called_absent_back',
] as const;
export type LaterDirectedDay = (typeof LATER_DIRECTED_DAYS)[number];

/** The same for one afternoon of a hundred: it leaves the seeds of both lists as they are. */
export const RARE_DIRECTED_DAYS = ['slow_connections'] as const;

/** The same for two afternoons of a hundred, about exits. */
export const EXIT_DIRECTED_DAYS = [
  'exits_between_reads',
  'exit_prices',
  'exit_answers_lost',
] as const;
export type ExitDirectedDay = (typeof EXIT_DIRECTED_DAYS)[number];

/** The same for two afternoons of a hundred. */
export const FURTHER_DIRECTED_DAYS = ['baskets', 'exits_after_others'] as const;
export type FurtherDirectedDay = (typeof FURTHER_DIRECTED_DAYS)[number];

/** The same for two afternoons of a hundred, about triggers. */
export const TRIGGER_DIRECTED_DAYS = [
  'triggers_lost',
  'triggers_deleted',
  'triggers_reached',
  'triggers_exits',
] as const;

/** The same for one afternoon of a hundred: it leaves the seeds of the others as they are. */
export const RARE_TRIGGER_DIRECTED_DAYS = ['triggers_full_disk'] as const;
/** The same. */
export const CANCELLED_TRIGGER_DIRECTED_DAYS = ['triggers_cancelled'] as const;
/** The same. */
export const UNLISTED_TRIGGER_DIRECTED_DAYS = ['triggers_unlisted'] as const;
/** The same, about the orders that triggers place. */
export const OWN_TRIGGER_DIRECTED_DAYS = ['triggers_mine'] as const;
/** The same, at the primary brokerage. */
export const STOP_DIRECTED_DAYS = ['triggers_as_stops'] as const;
/** The same for one afternoon of a hundred, about the keys of several programs. */
export const KEY_DIRECTED_DAYS = ['keys'] as const;
/** The same, about alerts that come in at hooks. */
export const SIGNAL_DIRECTED_DAYS = ['signals'] as const;
export type SignalDirectedDay = (typeof SIGNAL_DIRECTED_DAYS)[number];
export type KeyDirectedDay = (typeof KEY_DIRECTED_DAYS)[number];

/** The same, about triggers that people change in the broker's app, and of which they say what is not so. */
export const CHANGED_TRIGGER_DIRECTED_DAYS = ['triggers_in_app', 'triggers_misnamed'] as const;

export type TriggerDirectedDay =
  | (typeof CHANGED_TRIGGER_DIRECTED_DAYS)[number]
  | (typeof TRIGGER_DIRECTED_DAYS)[number]
  | (typeof RARE_TRIGGER_DIRECTED_DAYS)[number]
  | (typeof CANCELLED_TRIGGER_DIRECTED_DAYS)[number]
  | (typeof UNLISTED_TRIGGER_DIRECTED_DAYS)[number]
  | (typeof OWN_TRIGGER_DIRECTED_DAYS)[number]
  | (typeof STOP_DIRECTED_DAYS)[number];

/** The same for one afternoon of a hundred, about rows under wrong ids. */
export const MISREAD_DIRECTED_DAYS = ['misread_ids'] as const;

/** The same, about copies of the data directory that send nothing until they are armed. */
export const COPY_DIRECTED_DAYS = ['copied'] as const;

/** The same, about closings of an account in which a row cannot be read. */
export const CLOSING_DIRECTED_DAYS = ['positions_unread', 'positions_gone'] as const;

/** The same, about exits and closings while the positions are behind the order book. */
export const LATE_POSITION_DIRECTED_DAYS = ['positions_late'] as const;

/** The same while some figures of the positions are behind the others. */
export const SPLIT_POSITION_DIRECTED_DAYS = ['positions_split'] as const;

/** The same, about exits during which orders begin to rest. */
export const RESTING_DIRECTED_DAYS = ['exits_rest_between'] as const;

/** The same, about orders that risk management refuses, and that the book lists as rejected. */
export const REFUSED_ROW_DIRECTED_DAYS = ['refused_rows'] as const;

/** The same, about exits while another program sells the same shares. */
export const SOLD_BESIDE_DIRECTED_DAYS = ['exits_beside_sales'] as const;

/** The same, about orders, exits and closings while each row of the book and of the account comes twice. */
export const DOUBLED_ROW_DIRECTED_DAYS = ['rows_twice'] as const;

/** The same for two afternoons of a hundred, about exits beside orders of others whose rows are spelled otherwise, or contradict themselves. */
export const SPELLED_ROW_DIRECTED_DAYS = ['rows_spelled', 'rows_spelled_primary'] as const;

/** The same, about exits and closings of positions of which a price cannot be read. */
export const UNPRICED_POSITION_DIRECTED_DAYS = ['prices_unread'] as const;

/** The same, about delivery shares that are held and traded on two exchanges. */
export const TWO_EXCHANGE_DIRECTED_DAYS = ['two_exchanges'] as const;

/** The same for two afternoons of a hundred, about lists of positions at the primary brokerage that fail, or come in their older form. */
export const FAILED_LIST_DIRECTED_DAYS = ['lists_fail', 'lists_ignored'] as const;

/** The same for one afternoon of a hundred, about exits of options for which nobody bids inside the price protection. */
export const PROTECTED_DIRECTED_DAYS = ['outside_protection'] as const;

/** The same, about programs that ask again while their first request is under way. */
export const IMPATIENT_DIRECTED_DAYS = ['impatient'] as const;

/** The same for two afternoons of a hundred, about changes of which it is open whether they were made, and cancels that are not on disk. */
export const OPEN_CHANGE_DIRECTED_DAYS = [
  'prices_open',
  'changes_lost',
  'cancels_unwritten',
  'changes_ahead',
] as const;

export type AccountDirectedDay =
  | (typeof UNPRICED_POSITION_DIRECTED_DAYS)[number]
  | (typeof TWO_EXCHANGE_DIRECTED_DAYS)[number]
  | (typeof FAILED_LIST_DIRECTED_DAYS)[number]
  | (typeof PROTECTED_DIRECTED_DAYS)[number];

/** The same for one afternoon of a hundred, about ways out of which nobody else knows: closings of one key, and cancels on a full disk. */
export const FURTHER_WAY_OUT_DIRECTED_DAYS = ['closings_mine', 'cancels_elsewhere'] as const;

/** The same, about fills of orders that have ended, while their rows are gone. */
export const ENDED_ROW_DIRECTED_DAYS = ['ended_rows_gone'] as const;

/** Nights that concentrate on one kind of trouble. */
export const DIRECTED_NIGHTS = ['ids_change'] as const;

export type AnyDirectedDay =
  | DirectedDay
  | LaterDirectedDay
  | (typeof RARE_DIRECTED_DAYS)[number]
  | ExitDirectedDay
  | FurtherDirectedDay
  | TriggerDirectedDay
  | KeyDirectedDay
  | (typeof MISREAD_DIRECTED_DAYS)[number]
  | (typeof COPY_DIRECTED_DAYS)[number]
  | SignalDirectedDay
  | (typeof CLOSING_DIRECTED_DAYS)[number]
  | (typeof LATE_POSITION_DIRECTED_DAYS)[number]
  | (typeof RESTING_DIRECTED_DAYS)[number]
  | (typeof REFUSED_ROW_DIRECTED_DAYS)[number]
  | (typeof SOLD_BESIDE_DIRECTED_DAYS)[number]
  | (typeof SPLIT_POSITION_DIRECTED_DAYS)[number]
  | (typeof DOUBLED_ROW_DIRECTED_DAYS)[number]
  | (typeof SPELLED_ROW_DIRECTED_DAYS)[number]
  | AccountDirectedDay
  | (typeof IMPATIENT_DIRECTED_DAYS)[number]
  | (typeof OPEN_CHANGE_DIRECTED_DAYS)[number]
  | (typeof FURTHER_WAY_OUT_DIRECTED_DAYS)[number]
  | (typeof ENDED_ROW_DIRECTED_DAYS)[number]
  | (typeof DIRECTED_NIGHTS)[number];
