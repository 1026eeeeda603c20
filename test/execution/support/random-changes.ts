import type { SandboxRandom } from '../../../sandbox/kernel/ports.ts';
import { ORDER_STATUSES } from '../../../src/domain/order-status.ts';
import { seenKey, type Change } from '../../../src/execution/records.ts';
import type { ExecutionState } from '../../../src/execution/state.ts';
import {
  AT,
  attemptRecord,
  DAY,
  fillRecord,
  orderRecord,
  portfolio,
  position,
  seenOrder,
} from './makers.ts';

const ATTEMPT_STATES = [
  'sending',
  'acknowledged',
  'refused',
  'not_sent',
  'uncertain',
  'absent',
] as const;
const KINDS = ['place', 'cancel', 'modify'] as const;

/** Changes as decisions make them: of a few orders, so that they meet often. */
export function randomChanges(random: SandboxRandom): (state: ExecutionState) => Change[] {
  let serial = 0;
  const below = (count: number): number => Math.floor(random.next() * count);
  const pick = <T>(items: readonly T[]): T => items[below(items.length)]!;
  const someOrder = (): string => `ord_${below(4)}`;

  const order = (): Change => {
    const id = someOrder();
    const filledQuantity = pick([null, 0, 4, 10]);
    const row = orderRecord({ id, status: pick(ORDER_STATUSES), filledQuantity });
    return { table: 'orders', key: id, row };
  };
  const attempt = (): Change => {
    const of = below(4);
    const kind = KINDS[below(3)]!;
    const id = `att_${of}_${kind}`;
    const row = attemptRecord({
      id,
      orderId: `ord_${of}`,
      kind,
      state: pick(ATTEMPT_STATES),
      tag: kind === 'place' ? `tag of ${id}` : null,
    });
    return { table: 'attempts', key: id, row };
  };
  const fill = (): Change => {
    serial += 1;
    const row = fillRecord({ orderId: someOrder(), fillId: `f${serial}`, quantity: 1 + below(5) });
    return { table: 'fills', key: row.key, row };
  };
  const seen = (): Change => {
    serial += 1;
    const row = seenOrder({ brokerOrderId: `b${serial}`, orderId: pick([null, someOrder()]) });
    return { table: 'seen', key: seenKey(row.broker, row.day, row.brokerOrderId), row };
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
        row: { thrown: random.next() < 0.5, reason: null, changedAt: serial },
      },
      { table: 'echoes', key: 'primary', row: { broker: 'primary', day: DAY } },
    ]);
  };

  return (state) => {
    // An order first: what else there is belongs to one.
    const known = state.orders.size === 4;
    const makers = known ? [order, attempt, fill, seen, rest] : [order];
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
    seenIn: new Map(state.seenIn.on('primary', DAY)),
  });
}
