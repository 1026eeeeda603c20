import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { BrokerOrder } from '../../../src/domain/broker-order.ts';
import type { OrderRecord, StateKind } from '../../../src/execution/order/order.ts';
import {
  ImpossibleTransition,
  transition,
  TRANSITIONS,
  type OrderEvent,
  type OrderEventType,
} from '../../../src/execution/order/transitions.ts';
import { AT, bookRow, fillRecord, orderRecord } from '../support/makers.ts';
import { epochMs } from '../../../src/units/branded.ts';

const KINDS: readonly StateKind[] = [
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
  'sliced',
];

const EVENTS: { readonly [Type in OrderEventType]: Extract<OrderEvent, { type: Type }> } = {
  send: { type: 'send', broker: 'alt', mode: 'live' },
  acknowledge: { type: 'acknowledge', brokerOrderId: 'b2' },
  refuse: { type: 'refuse', reason: 'no funds' },
  try_next: { type: 'try_next', reason: 'no connection' },
  give_up: { type: 'give_up', reason: 'no connection' },
  lose_track: { type: 'lose_track', reason: 'timed out' },
  bind: { type: 'bind', brokerOrderId: 'b2', by: 'tag' },
  bind_twin: { type: 'bind_twin', brokerOrderId: 'b2', by: 'tag' },
  reopen: { type: 'reopen', reason: 'the id is of another order' },
  observe: { type: 'observe', row: bookRow(), fills: [] },
  note_absence: { type: 'note_absence', since: AT },
  call_absent: { type: 'call_absent', by: 'person', reason: 'said so', since: null },
  confirm_absence: { type: 'confirm_absence' },
  dispute: { type: 'dispute', cause: 'two rows could be it' },
  want_cancel: { type: 'want_cancel' },
  settle_cancel: { type: 'settle_cancel', again: true },
  follow_slices: { type: 'follow_slices', slices: [] },
};
const TYPES = Object.keys(EVENTS) as OrderEventType[];
const KEEP_THE_STATE: readonly OrderEventType[] = ['want_cancel', 'settle_cancel'];

/** Bound orders whose last row, and the one that comes, are all that brokers say. */
function* observations(): Generator<readonly [OrderRecord, OrderEvent]> {
  const rows: BrokerOrder[] = [];
  for (const status of ['working', 'filled', 'partial', 'cancelled', 'rejected'] as const) {
    for (const filledQuantity of [null, 0, 4, 10]) {
      for (const quantity of [10, 20]) rows.push(bookRow({ status, filledQuantity, quantity }));
    }
  }
  const fills = [[], [fillRecord({ quantity: 4 })], [fillRecord({ quantity: 10 })]];
  for (const first of rows) {
    for (const known of fills) {
      const event = { type: 'observe', row: first, fills: known } as const;
      const order = transition(orderRecord(), event, AT);
      for (const row of rows) {
        for (const fillsNow of fills) yield [order, { type: 'observe', row, fills: fillsNow }];
      }
    }
  }
}

/** `working → filled`, for everything that a broker can say after everything that it has said. */
function observedMoves(): Set<string> {
  const moves = new Set<string>();
  for (const [order, event] of observations()) {
    const { kind } = transition(order, event, AT).state;
    if (kind !== order.state.kind) moves.add(`${order.state.kind} → ${kind}`);
  }
  return moves;
}

const PAGE = readFileSync(new URL('../../../docs/orders.md', import.meta.url), 'utf8');

/** What docs/orders.md draws: `[from, to, event]`, without the beginnings. */
function drawn(): (readonly [string, string, string])[] {
  const picture = /```mermaid\nstateDiagram-v2\n(.*?)```/s.exec(PAGE)?.[1] ?? '';
  const states = (name: string): readonly string[] =>
    name === 'at_broker' ? TRANSITIONS.observe.from : [name];
  return [...picture.matchAll(/^ *(\w+) --> (\w+): (.+)$/gm)].flatMap(
    ([, from = '', to = '', events = '']) =>
      events
        .split(', ')
        .flatMap((event) => states(from).map((state) => [state, to, event] as const)),
  );
}

/** `partial → working`, for every line of the table of corrected ends. */
function corrected(): string[] {
  const [, table = ''] = /\| End +\| Corrected to +\|\n(.*?)\n\n/s.exec(PAGE) ?? [];
  return [...table.matchAll(/^\| `(\w+)` +\| (.+?) +\|$/gm)].flatMap(([, end = '', to = '']) =>
    [...to.matchAll(/`(\w+)`/g)].map(([, state = '']) => `${end} → ${state}`),
  );
}

/** The table under the picture: event, then the states before and after. */
function tabled(): Record<string, { readonly from: string; readonly to: string }> {
  const lines = [...PAGE.matchAll(/^\| `(\w+)` +\|[^|]+\| ([^|]+?) +\| ([^|]+?) +\|$/gm)];
  return Object.fromEntries(lines.map(([, type = '', from = '', to = '']) => [type, { from, to }]));
}

describe('the table that moves an order', () => {
  it('moves an order in the states of its line, and throws in every other', () => {
    const wrong: string[] = [];
    for (const type of TYPES) {
      for (const kind of KINDS) {
        const order = orderRecord({ kind });
        const isInLine = TRANSITIONS[type].from.includes(kind);
        let moved = true;
        try {
          transition(order, EVENTS[type], AT);
        } catch (error) {
          moved = !(error instanceof ImpossibleTransition);
        }
        if (moved !== isInLine) wrong.push(`${type} in ${kind}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('stamps the time of the move', () => {
    const moved = transition(orderRecord(), EVENTS.want_cancel, epochMs(AT + 5));
    expect(moved.updatedAt).toBe(AT + 5);
  });

  it('is drawn in docs/orders.md: each arrow of the picture is a move of the table', () => {
    const wrong = drawn().filter(([from, to, event]) => {
      const found = Object.entries(TRANSITIONS).find(([type]) => type === event)?.[1];
      return !found?.from.some((kind) => kind === from) || !found.to.some((kind) => kind === to);
    });
    expect(wrong).toEqual([]);
  });

  it('is drawn whole: every move that changes the state is an arrow of the picture', () => {
    const missing: string[] = [];
    const arrows = new Set(drawn().map((arrow) => arrow.join(' ')));
    for (const type of TYPES) {
      // Each state that a book can lead to from each other one is looked at below.
      if (type === 'observe') continue;
      const { from, to } = TRANSITIONS[type];
      const changes = from.flatMap((before) => to.map((after) => [before, after] as const));
      // A dispute is possible from everywhere: the picture shows it once, from `any`.
      const expected =
        type === 'dispute' ? [] : changes.filter(([before, after]) => before !== after);
      for (const [before, after] of expected) {
        const isOwn = type === 'want_cancel' || type === 'settle_cancel';
        if (!isOwn && !arrows.has(`${before} ${after} ${type}`)) {
          missing.push(`${before} ${after} ${type}`);
        }
      }
    }
    expect(missing).toEqual([]);
  });

  it('draws and lists exactly what a read of the book can do to an order', () => {
    const arrows = drawn().filter(([, , event]) => event === 'observe');
    const told = [...arrows.map(([from, to]) => `${from} → ${to}`), ...corrected()];
    expect(new Set(told)).toEqual(observedMoves());
  });

  it('is listed in docs/orders.md, event by event', () => {
    const names = (kinds: readonly string[]): string =>
      kinds.map((kind) => `\`${kind}\``).join(', ');
    const expected = Object.fromEntries(
      TYPES.map((type) => {
        const { from, to } = TRANSITIONS[type];
        const isKept = KEEP_THE_STATE.includes(type);
        return [type, { from: names(from), to: isKept ? 'the same' : names(to) }];
      }),
    );
    expect(tabled()).toEqual(expected);
  });
});
