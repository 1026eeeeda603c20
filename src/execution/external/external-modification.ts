import type { BrokerOrder } from '../../domain/broker-order.ts';
import type { BrokerId } from '../../domain/broker.ts';
import type { InstrumentLookup } from '../../domain/instrument.ts';
import { tradingDay } from '../../domain/ist.ts';
import type { OrderModification } from '../../domain/order.ts';
import { type Moment, momentOf } from '../../platform/clock.ts';
import type { BookPoller } from '../reconcile/book-poller.ts';
import { changeStoppedByBrake, checkChange, termsToCheck } from '../submit/amended-terms.ts';
import { orderToChange } from '../submit/order-to-change.ts';
import { brakeProblem } from '../submit/brakes.ts';
import {
  type ChangeGuardParts,
  limitsOf,
  lookAtAccount,
  whyChangeKept,
} from '../submit/change-guards.ts';
import { changeAboveLimit } from '../submit/change-limits.ts';
import { impossible } from '../submit/impossible-change.ts';
import type { OrderToChange } from '../order/possible-terms.ts';
import { changesOfExternal } from './external-change.ts';
import { rowAsOrder, whyNotModified } from './row-as-order.ts';
import type { ExternalModification } from './send-external.ts';
import type { EpochMs } from '../../units/branded.ts';

export type ModificationParts = Omit<ChangeGuardParts, 'pollerFor' | 'instrumentOf'> & {
  readonly instruments: Pick<InstrumentLookup, 'byName'>;
  readonly freezeQuantities: ReadonlyMap<string, number>;
};

interface Asked {
  readonly broker: BrokerId;
  readonly caller: string;
  readonly poller: BookPoller;
  readonly row: BrokerOrder;
  /** When the book was asked for that has it (epoch ms). */
  readonly asOf: EpochMs | null;
  readonly changes: OrderModification;
  readonly arrived: Moment;
}

const ANOTHER_UNDER_WAY =
  'another modification of it is under way: send this one again once that is answered';

/** Checks a modification as one of an order of ours; rejects with what is wrong with it. */
export function createModificationOf(
  parts: ModificationParts,
): (asked: Asked) => Promise<ExternalModification> {
  const { clock } = parts;
  return async function modificationOf({ broker, caller, poller, row, asOf, changes, arrived }) {
    const odd = whyNotModified(row);
    if (odd !== null) throw impossible({ broker }, odd);
    const { trading } = poller;
    const instrument = parts.instruments.byName(row.instrument);
    const guard = { ...parts, pollerFor: () => poller, instrumentOf: () => instrument };
    const day = tradingDay(poller.now());
    const order = rowAsOrder(row, {
      asOf,
      ...trading,
      ...parts,
      caller,
      day,
    });
    const toChange = (): OrderToChange => orderToChange(parts.writer.state, order, asOf);
    const terms = termsToCheck(toChange(), changes);
    checkChange(terms, changes, instrument, parts.freezeQuantities);
    const limits = await limitsOf(guard, toChange(), changes);
    const knowledge = await lookAtAccount(guard, toChange(), changes, limits);
    const begun = momentOf(clock);
    return {
      ...{ changes, asOf },
      stopped(current) {
        const isUnderWay = changesOfExternal(current, order.id).some(
          ({ kind, state: { kind: is } }) => kind === 'modify' && is === 'sending',
        );
        if (isUnderWay) return impossible({ broker }, ANOTHER_UNDER_WAY, 'change_under_way');
        const now = { known: knowledge(), at: clock.now(), day: tradingDay(poller.now()) };
        const one = orderToChange(current, order, asOf);
        const brake = changeStoppedByBrake(current, one, changes, now);
        if (brake !== null) return brakeProblem(brake);
        const above = changeAboveLimit(current, one, changes, { ...now, limits });
        return above && brakeProblem(above);
      },
      whyKept: () =>
        whyChangeKept(guard, toChange(), { changes, arrived, begun, known: knowledge }),
    };
  };
}
