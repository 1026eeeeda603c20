import type { FaultRule } from '../../sandbox/kernel/faults.ts';
import type { HandOrder } from '../../sandbox/kernel/inspector.ts';

/** What befalls the machine or the account, other than through a broker's answers. */
export type Mishap =
  | { readonly kind: 'disk_full'; readonly at: number; readonly forMs: number }
  | { readonly kind: 'clock_step'; readonly at: number; readonly byMs: number }
  | { readonly kind: 'sleep'; readonly at: number; readonly forMs: number }
  | { readonly kind: 'token_death'; readonly at: number }
  /** A person ends the session of the alternative broker in the gateway. */
  | { readonly kind: 'token_deleted'; readonly at: number }
  | { readonly kind: 'kill_switch'; readonly at: number; readonly forMs: number }
  | {
      readonly kind: 'hand_order';
      readonly at: number;
      readonly twin: boolean;
      readonly order?: HandOrder;
      /** Where it is placed; otherwise at Kite if the route has it. */
      readonly broker?: FaultRule['broker'];
    }
  | { readonly kind: 'hand_cancel'; readonly at: number }
  | { readonly kind: 'hand_modify'; readonly at: number }
  /** The disk is full for long, or from the moment at which the next order has left. */
  | { readonly kind: 'disk_full_long'; readonly at: number; readonly forMs: number }
  | { readonly kind: 'disk_full_at_send'; readonly at: number; readonly forMs: number }
  /** The clock is set wrong by hours or days, and right again after a while. */
  | {
      readonly kind: 'clock_jump';
      readonly at: number;
      readonly byMs: number;
      readonly forMs: number;
    }
  /** A row of an order placed by hand is gone from the book for good. */
  | { readonly kind: 'row_vanishes'; readonly at: number }
  /** The journal is deleted while the gateway is down, or its log alone, and put back later. */
  | { readonly kind: 'journal_lost'; readonly at: number; readonly logOnly: boolean }
  /** A trade comes for an order that has ended; its row may not show it. */
  | {
      readonly kind: 'late_fill';
      readonly at: number;
      readonly inRow: boolean;
      /** Of one that has lapsed, and not of one that was cancelled. */
      readonly ofLapsed?: true;
      /** The order's row is gone from the book for so long from then on. */
      readonly rowGoneForMs?: number;
    }
  /** An order that was cancelled works again: the exchange has not cancelled it after all. */
  | { readonly kind: 'works_again'; readonly at: number }
  /** An order of the gateway that rests fills in part, or just the quantity that it was placed with. */
  | { readonly kind: 'part_fill'; readonly at: number; readonly of: 'some' | 'placed' }
  /** After-market orders that wait have other ids from then on; a share of them (0 to 1) keeps its tag. */
  | { readonly kind: 'ids_change'; readonly at: number; readonly tagged: number }
  /** The data directory is what it was for so long before: somebody has restored a backup. */
  | { readonly kind: 'restored'; readonly at: number; readonly ofMs: number }
  /** The gateway is killed, and goes on with a copy of its data directory, which a person arms after so long. */
  | { readonly kind: 'copied'; readonly at: number; readonly forMs: number }
  /** A person stops the gateway, which ends what is under way and answers what it is asked meanwhile, and starts it again. */
  | { readonly kind: 'stopped'; readonly at: number }
  /** The row of an order of the gateway is gone for a while, with its trades or without, and it fills. */
  | {
      readonly kind: 'own_row_hidden';
      readonly at: number;
      readonly forMs: number;
      readonly what: 'row' | 'all';
      readonly fills: 'part' | 'whole';
    }
  /**
   * Another user of the same app logs in, and the first one again after a while. Where it is `named`, the
   * setting is changed to that user and back, and the gateway started again each time.
   */
  | {
      readonly kind: 'other_login';
      readonly at: number;
      readonly forMs: number;
      readonly named: boolean;
      /** What that user's book holds: nothing, other orders, or orders like the first user's. */
      readonly book: 'empty' | 'orders' | 'twins';
    };

export type MishapKind = Mishap['kind'];
export const MISHAPS = [
  'disk_full',
  'clock_step',
  'sleep',
  'token_death',
  'kill_switch',
  'hand_order',
  'hand_cancel',
  'hand_modify',
] as const satisfies readonly MishapKind[];
/** What a rich day has besides. */
export const MORE_MISHAPS = [
  'disk_full_long',
  'disk_full_at_send',
  'clock_jump',
  'row_vanishes',
  'late_fill',
  'other_login',
  'journal_lost',
  'own_row_hidden',
  'ids_change',
] as const satisfies readonly MishapKind[];
/** What only days have that are directed at it. */
export const DIRECTED_MISHAPS = [
  'works_again',
  'part_fill',
  'restored',
  'copied',
  'stopped',
  'token_deleted',
] as const satisfies readonly MishapKind[];
