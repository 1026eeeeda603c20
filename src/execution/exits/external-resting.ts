import type { BrokerOrder } from '../../domain/broker-order.ts';
import type { BrokerOrderId, ElapsedMs } from '../../units/branded.ts';
import { externalRows } from '../cancel-all/set-of-run.ts';
import { isSameShares } from '../reconcile/book-shares.ts';
import type { IsinOf } from '../reconcile/held.ts';
import { type ExitParts, sharesOf } from './exit-parts.ts';
import type { ExitRecord } from './exit.ts';

/** Orders placed elsewhere that rest for the position of an exit. */
export interface ExternalResting {
  /** By the last book; none where the exit is to leave them. */
  resting(exit: ExitRecord): readonly BrokerOrder[];
  cancel(exit: ExitRecord, row: BrokerOrder): Promise<void>;
}

const AGAIN_MS = 3_000;

export function createExternalResting(parts: ExitParts, isinOf: IsinOf): ExternalResting {
  const { clock } = parts;
  const { state } = parts.writer;
  /** When a cancel was asked for last. */
  const asked = new Map<BrokerOrderId, ElapsedMs>();

  /** Open orders placed elsewhere that would take of the same shares, where the exit is to cancel them. */
  function resting(exit: ExitRecord): readonly BrokerOrder[] {
    const read = parts.poller(exit.broker)?.lastRead() ?? null;
    if (exit.cancelExternal !== true || read === null) return [];
    const { side, product } = exit;
    return externalRows(state, exit.broker, read, {
      until: null,
      matches: (row) =>
        row.side === side &&
        row.product === product &&
        isSameShares(sharesOf(exit), { side, product, instrument: row.instrument }, isinOf),
    });
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
    parts.log.warn('an order placed elsewhere was not cancelled for an exit', {
      ...{ brokerOrderId, reason },
    });
  }

  return { resting, cancel };
}
