import type { BrokerId } from '../domain/broker.ts';
import type { SingleWriter } from '../platform/single-writer.ts';
import type { Change } from './journal/records.ts';
import type { ExecutionState } from './journal/state.ts';

/** Calls a listener with the broker of each order that has moved there. */
export type OnOrderMoved = (listener: (broker: BrokerId) => void) => void;

/**
 * An order moves its account when the broker has taken it, and with each fill and change of it there; before that
 * the account does not know of it. The listener is told before the change is on disk: it reads the broker.
 */
export function createOrderMoves(
  writer: Pick<SingleWriter<ExecutionState, Change>, 'onChange'>,
): OnOrderMoved {
  return (listener) => {
    writer.onChange((change) => {
      const broker = brokerOfMove(change);
      if (broker !== null) listener(broker);
    });
  };
}

function brokerOfMove(change: Change): BrokerId | null {
  if (change.row === null) return null;
  switch (change.table) {
    case 'orders': {
      const { kind } = change.row.state;
      return kind === 'accepted' || kind === 'sending' ? null : change.row.broker;
    }
    case 'fills':
      return change.row.broker;
    case 'externalChanges':
      return change.row.state.kind === 'sending' ? null : change.row.broker;
    default:
      return null;
  }
}
