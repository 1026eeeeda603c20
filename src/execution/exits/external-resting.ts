import {
  type BrokerOrder,
  externalId,
  type IdentifiedRow,
  type UnreadRow,
} from '../../domain/broker-order.ts';
import { tradingDay } from '../../domain/ist.ts';
import { mayBeOfProduct } from '../../domain/order.ts';
import type { BrokerOrderId, ElapsedMs, TriggerId } from '../../units/branded.ts';
import { externalRows } from '../cancel-all/set-of-run.ts';
import { asRow } from '../external/hidden-row.ts';
import { isOfEndedSession } from '../order/order-day.ts';
import { isSameShares } from '../reconcile/book-shares.ts';
import type { IsinOf, Shares } from '../reconcile/held.ts';
import { isUnreadEnd, unreadShares } from '../reconcile/unread-shares.ts';
import { triggersOfRows } from '../triggers/rows-of-triggers.ts';
import { type ExitParts, sharesOf } from './exit-parts.ts';
import type { ExitRecord } from './exit.ts';

/** An order that the gateway did not place, and that rests for the position of an exit. */
export interface RestingRow {
  readonly row: BrokerOrder;
  /** The trigger of the gateway that has placed it; null where it was placed elsewhere. */
  readonly triggerId: TriggerId | null;
}

/**
 * Orders that triggers of the gateway have placed, and orders placed elsewhere, that rest for the position of an exit.
 * The first are cancelled as those of the gateway are, the others where the exit is to.
 */
export interface ExternalResting {
  /** By the last book. */
  resting(exit: ExitRecord): readonly RestingRow[];
  /** All of them by the last book, also those that the exit leaves; whole rows only. */
  open(exit: ExitRecord): readonly RestingRow[];
  /**
   * Has the list of triggers read where it may tell that one of the gateway has placed an order which rests. Resolves
   * within three seconds, with why to wait for a later list; null where there is no reason to.
   */
  explain(exit: ExitRecord): Promise<string | null>;
  cancel(exit: ExitRecord, row: BrokerOrder): Promise<void>;
}

const AGAIN_MS = 3_000;
/** So often an exit waits for the list; then what nobody knows is kept free, like any order placed elsewhere. */
const LISTS_WAITED_FOR = 3;

export function createExternalResting(parts: ExitParts, isinOf: IsinOf): ExternalResting {
  const { clock } = parts;
  const { state } = parts.writer;
  /** When a cancel was asked for last. */
  const asked = new Map<BrokerOrderId, ElapsedMs>();
  let lists = 0;

  /** Open orders that are none of the gateway's, and would take of the same shares. */
  function openRows(exit: ExitRecord): readonly BrokerOrder[] {
    // An exit that takes the place of one order leaves what else protects the position.
    return exit.orderId === null ? rowsOfShares(exit) : [];
  }

  function rowsOfShares(exit: ExitRecord): readonly BrokerOrder[] {
    const read = parts.poller(exit.broker)?.lastRead() ?? null;
    if (read === null) return [];
    const { side, product } = exit;
    return externalRows(state, exit.broker, read, {
      until: null,
      matches: (row) =>
        row.side === side &&
        mayBeOfProduct(row.product, product) &&
        isSameShares(sharesOf(exit), { side, product, instrument: row.instrument }, isinOf),
    }).filter((row) => !isOfEndedSession(row, tradingDay(read.begunAt)));
  }

  function resting(exit: ExitRecord): readonly RestingRow[] {
    return withTriggers(exit, [...openRows(exit), ...hiddenRows(exit)]).filter(
      ({ triggerId }) => triggerId !== null || exit.cancelExternal === true,
    );
  }

  function withTriggers(exit: ExitRecord, rows: readonly BrokerOrder[]): readonly RestingRow[] {
    const begunAt = parts.poller(exit.broker)?.lastRead()?.begunAt;
    if (rows.length === 0 || begunAt === undefined) return [];
    const triggerOf = triggersOfRows(state, exit.broker, tradingDay(begunAt));
    return rows.map((row) => ({ row, triggerId: triggerOf(row)?.id ?? null }));
  }

  /** Rows that cannot be read whole, and may be such orders: those that a cancel can name, where it is asked for. */
  function hiddenRows(exit: ExitRecord): readonly BrokerOrder[] {
    const read = parts.poller(exit.broker)?.lastRead() ?? null;
    if (read === null || exit.orderId !== null || exit.cancelExternal !== true) return [];
    const terms = sharesOf(exit);
    const order = { broker: exit.broker, terms, orderId: '' };
    const isSame = (shares: Shares): boolean => isSameShares(terms, shares, isinOf);
    const of = { isSame, day: tradingDay(read.begunAt) };
    return unreadShares(state, order, read, of).flatMap((row) =>
      isUnreadEnd(row) || !isIdentified(row) || row.instrument === null || row.side !== exit.side
        ? []
        : asRow(row, { product: exit.product, status: 'working' }),
    );
  }

  async function explain(exit: ExitRecord): Promise<string | null> {
    const read = parts.poller(exit.broker)?.lastRead() ?? null;
    const rows = openRows(exit);
    if (read === null || rows.length === 0 || lists >= LISTS_WAITED_FOR) return null;
    const { broker } = exit;
    const { unexplained } = parts.triggers;
    const book = { ...read, rows, broker };
    const [open] = await unexplained.explain(book);
    if (!open) return null;
    lists += 1;
    const id = externalId(broker, open.row.brokerOrderId);
    return `it is not known yet whether trigger ${open.trigger.id} has placed ${id}, which rests`;
  }

  /** Asked for again after a while: nothing repeats a cancel of what is no order of ours. */
  async function cancel(exit: ExitRecord, row: BrokerOrder): Promise<void> {
    const poller = parts.poller(exit.broker);
    const last = asked.get(row.brokerOrderId);
    if (!poller || (last !== undefined && clock.elapsed() - last < AGAIN_MS)) {
      return parts.changed.wait(500);
    }
    asked.set(row.brokerOrderId, clock.elapsed());
    const account = poller.lastRead()?.account ?? null;
    const outcome = await parts.cancelExternal({ poller, row, account, by: exit.id });
    if (outcome.kind === 'acknowledged') return;
    const { brokerOrderId } = row;
    const { reason } = outcome;
    parts.log.warn('an order that the gateway did not place was not cancelled for an exit', {
      ...{ brokerOrderId, reason },
    });
  }

  const open = (exit: ExitRecord) => withTriggers(exit, rowsOfShares(exit));
  return { resting, open, explain, cancel };
}

const isIdentified = (row: UnreadRow): row is IdentifiedRow => row.brokerOrderId !== null;
