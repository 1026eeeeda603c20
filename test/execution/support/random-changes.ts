import type { SandboxRandom } from '../../../sandbox/kernel/ports.ts';
import { keyPositions, ordersInDoubt } from '../../../src/execution/books/books-of-state.ts';
import { observedKey, type Change } from '../../../src/execution/journal/records.ts';
import type { ExecutionState } from '../../../src/execution/journal/state.ts';
import type { AttemptRecord } from '../../../src/execution/order/attempt.ts';
import { attemptRecord, attemptState, cancelAttempt, modifyAttempt } from './attempts.ts';
import { AT, DAY, fillRecord, observedOrder, orderRecord, portfolio, position } from './makers.ts';
import { epochMs, plus } from '../../../src/units/branded.ts';

const STATES_OF_ALL = ['sending', 'acknowledged', 'refused', 'not_sent', 'uncertain'] as const;
const PLACE_STATES = [...STATES_OF_ALL, 'absent'] as const;
const KINDS = ['place', 'cancel', 'modify'] as const;
const STATES = [
  'accepted',
  'sending',
  'working',
  'filled',
  'partial',
  'cancelled',
  'rejected',
  'refused',
  'absent',
  'not_sent',
  'uncertain',
  'disputed',
] as const;

/** Changes as decisions make them: of a few orders, so that they meet often. */
export function randomChanges(random: SandboxRandom): (state: ExecutionState) => Change[] {
  let serial = 0;
  const below = (count: number): number => Math.floor(random.next() * count);
  const pick = <T>(items: readonly T[]): T => items[below(items.length)]!;
  const someOrder = (): string => `ord_${below(4)}`;

  const order = (): Change => {
    const id = someOrder();
    const filledQuantity = pick([null, 0, 4, 10]);
    const row = orderRecord({ id, kind: pick(STATES), filledQuantity });
    return { table: 'orders', key: id, row };
  };
  const attempt = (): Change => {
    const of = below(4);
    const kind = KINDS[below(3)]!;
    const id = `att_${of}_${kind}`;
    const row = attempts[kind](id, `ord_${of}`);
    return { table: 'attempts', key: id, row };
  };
  const attempts: Record<(typeof KINDS)[number], (id: string, orderId: string) => AttemptRecord> = {
    place: (id, orderId) =>
      attemptRecord({ id, orderId, tag: `tag of ${id}`, state: attemptState(pick(PLACE_STATES)) }),
    cancel: (id, orderId) =>
      cancelAttempt({ id, orderId, state: attemptState(pick(STATES_OF_ALL)) }),
    modify: (id, orderId) =>
      modifyAttempt({ id, orderId, state: attemptState(pick(STATES_OF_ALL)) }),
  };
  const fill = (): Change => {
    serial += 1;
    const [quantity, at] = [1 + below(5), plus(AT, below(4) * 1_000)];
    const row = fillRecord({ orderId: someOrder(), fillId: `f${serial}`, quantity, at });
    return { table: 'fills', key: row.key, row };
  };
  const observed = (): Change => {
    serial += 1;
    const row = observedOrder({ brokerOrderId: `b${serial}`, orderId: pick([null, someOrder()]) });
    return { table: 'observed', key: observedKey(row.broker, row.day, row.brokerOrderId), row };
  };
  const rest = (): Change => {
    serial += 1;
    const digest = `digest ${serial}`;
    return pick<Change>([
      {
        table: 'postbacks',
        key: digest,
        row: { digest, broker: 'alt', brokerOrderId: 'b', rawStatus: 'OPEN', receivedAt: AT },
      },
      {
        table: 'portfolios',
        key: 'alt',
        row: portfolio({ broker: 'alt', positions: [position({ quantity: below(9) })] }),
      },
      {
        table: 'killSwitch',
        key: 'kill-switch',
        row: {
          engaged: random.next() < 0.5,
          reason: null,
          changedAt: epochMs(serial),
          changedBy: null,
        },
      },
      { table: 'echoes', key: 'primary', row: { broker: 'primary', day: DAY } },
    ]);
  };

  return (state) => {
    // An order first: what else there is belongs to one.
    const known = state.orders.size === 4;
    const makers = known ? [order, attempt, fill, observed, rest] : [order];
    const changes = Array.from({ length: 1 + below(5) }, () => pick(makers)());
    const sequence = state.lastEvent + 1;
    changes.push({
      table: 'events',
      key: String(sequence),
      row: { sequence, at: AT, type: 'alert', orderId: null, data: { level: 'warning' } },
    });
    return changes;
  };
}

/** A state as plain values to compare by: a set that holds nothing is no set at all. */
export function plain(state: ExecutionState): unknown {
  const withoutEmpty = (sets: ReadonlyMap<string, ReadonlySet<string>>) =>
    new Map([...sets].filter(([, set]) => set.size > 0));
  return structuredClone({
    ...state,
    attemptsOf: withoutEmpty(state.attemptsOf),
    fillsOf: withoutEmpty(state.fillsOf),
    observedIn: new Map(state.observedIn.on('primary', DAY)),
    books: [
      ...keyPositions(state, DAY, () => true).map((position) => JSON.stringify(position)),
      ...ordersInDoubt(state),
    ].sort(),
  });
}
