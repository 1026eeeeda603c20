import fc from 'fast-check';
import { expect } from 'vitest';
import type { BrokerFill, BrokerOrder } from '../../../src/domain/broker-order.ts';
import type { Change } from '../../../src/execution/journal/records.ts';
import {
  applyChange,
  createState,
  type ExecutionState,
  type OnImpossible,
} from '../../../src/execution/journal/state.ts';
import { createBookMemory } from '../../../src/execution/reconcile/book-memory.ts';
import { reconcileBook } from '../../../src/execution/reconcile/reconcile.ts';
import { decideResolve, type ManualResolution } from '../../../src/execution/reconcile/resolve.ts';
import { decidePlaced, decideSend } from '../../../src/execution/submit/decide-place.ts';
import { decideKillSwitch } from '../../../src/execution/submit/brakes.ts';
import type { Decision } from '../../../src/platform/single-writer.ts';
import { answerTo, ORDERS, sendCommand } from './attempts.ts';
import { AT, bookRow, observation, trade } from './makers.ts';
import { plus } from '../../../src/units/branded.ts';

const DAY_MS = 86_400_000;

export interface Step {
  readonly kind: (typeof KINDS)[number];
  readonly who: number;
  readonly what: number;
}

const KINDS = [
  ...['send', 'send', 'arrive', 'arrive', 'answer', 'answer', 'progress', 'progress', 'trade'],
  ...[
    'external',
    'copy',
    'swap',
    'drop',
    'twin',
    'resolve',
    'release',
    'day',
    'wait',
    'fail',
    'spoil',
  ],
  ...['read', 'read', 'read', 'read', 'read', 'read'],
] as const;

export const steps = fc.array(
  fc.record({ kind: fc.constantFrom(...KINDS), who: fc.nat(ORDERS - 1), what: fc.nat(11) }),
  { minLength: 30, maxLength: 90 },
);

/** One account: a state that is read into with a memory, and the same without. */
export function twoStates(tagged: boolean, onImpossible: OnImpossible = 'throw') {
  const plain = createState(onImpossible);
  const remembered = createState(onImpossible);
  const memory = createBookMemory('primary');

  function apply(changes: readonly Change[]): readonly (readonly Change[])[] {
    return changes.map((change) => {
      applyChange(plain, change);
      const undo = applyChange(remembered, change);
      for (const each of [change, ...undo]) memory.note(each);
      return undo;
    });
  }

  const states = {
    plain,
    rowsLookedAt: 0,
    at: AT,
    account: null as string | null,
    rows: [] as BrokerOrder[],
    fills: [] as BrokerFill[],
    /** Ids of rows that cannot be read now. */
    spoilt: new Set<string>(),
    rowsOfNextRead: null as ((rows: BrokerOrder[]) => BrokerOrder[]) | null,
    apply,
    step: (step: Step): void => takeStep(states, step),
    replace(index: number, parts: Partial<BrokerOrder>): void {
      const row = states.rows[index];
      if (row) states.rows[index] = { ...row, ...parts };
    },
    /** A decision that needs no memory: both states are the same, so that it is the same of both. */
    decide(make: (state: ExecutionState) => Decision<Change, unknown>): void {
      try {
        apply(make(plain).changes);
      } catch {
        // Refused: nothing has changed.
      }
    },
    /** `meanwhile` happens after the read was decided on, before it is known to be on disk. */
    read(withFills = true, isCommitted = true, meanwhile?: Step): void {
      const isSpoilt = (row: BrokerOrder) => states.spoilt.has(row.brokerOrderId);
      const all = states.rowsOfNextRead?.([...states.rows]) ?? [...states.rows];
      const book = all.filter((row) => !isSpoilt(row));
      const unread = all.filter(isSpoilt).map((row) => ({ ...row, reason: '' }));
      const fills = withFills ? [...states.fills] : null;
      const { at: begunAt, account } = Object.assign(states, { rowsOfNextRead: null });
      const seen = observation({ begunAt, account, rows: book, fills, unread, tagged });
      const whole = reconcileBook(plain, seen);
      const counting = {
        newsOf(...given: Parameters<typeof memory.newsOf>) {
          const news = memory.newsOf(...given);
          states.rowsLookedAt += news.rows.length;
          return news;
        },
      };
      const partial = reconcileBook(remembered, seen, counting);
      expect(partial).toEqual(whole);
      const undo = apply(partial.changes);
      if (meanwhile) states.step(meanwhile);
      if (isCommitted) memory.keep(remembered);
      else {
        for (const changes of [...undo].reverse()) apply(changes);
        memory.forget();
      }
    },
    commandOf: (who: number) => sendCommand(who, states.at, tagged, states.account),
  };
  return states;
}

function takeStep(states: ReturnType<typeof twoStates>, { kind, who, what }: Step): void {
  states.at = plus(states.at, 1_000);
  const { rows, fills, at } = states;
  const index = rows.length === 0 ? 0 : (who * 7 + what) % rows.length;
  switch (kind) {
    case 'send':
      return states.decide((state) => decideSend(state, states.commandOf(who)));
    case 'arrive': {
      // A tag is on disk before it is sent: no row has it earlier.
      const hasTag = what !== 11 && states.plain.attempts.has(`att_${who}`);
      const tags = hasTag ? [`tag ${who}`] : [];
      const [brokerOrderId, quantity] = [
        what === 8 ? `c${who}` : `b${who}`,
        what === 9 ? 700 : 10 + who,
      ];
      const row = bookRow({ brokerOrderId, tags, quantity, createdAt: at });
      if (rows.some(({ brokerOrderId }) => brokerOrderId === row.brokerOrderId)) return;
      if (what === 10) rows.unshift(row);
      else rows.push(row);
      return;
    }
    case 'answer': {
      const attemptId = `att_${who}`;
      if (states.plain.attempts.get(attemptId)?.state.kind !== 'sending') return;
      const outcome = answerTo(who, what, rows[index]?.brokerOrderId ?? 'nobody');
      return states.decide((state) => decidePlaced(state, { attemptId, outcome, last: true, at }));
    }
    case 'progress': {
      const status = (['working', 'partial', 'filled', 'cancelled'] as const)[what % 4]!;
      const whole = status === 'working' ? 0 : (rows[index]?.quantity ?? 10);
      const filledQuantity = [whole, 4, null][what >> 2] ?? null;
      return states.replace(index, { status, rawStatus: status, filledQuantity, updatedAt: at });
    }
    case 'trade': {
      const brokerOrderId = what === 11 ? null : (rows[index]?.brokerOrderId ?? null);
      const exchangeOrderId = 'x1';
      fills.push(trade({ fillId: `f${at}`, brokerOrderId, exchangeOrderId, quantity: 1, at }));
      if (what === 11) states.replace(index, { exchangeOrderId });
      return;
    }
    case 'external':
      return void rows.push(bookRow({ brokerOrderId: `hand${at}`, createdAt: at }));
    case 'copy':
      return states.replace(index, {});
    case 'swap':
      fills.reverse();
      return void rows.reverse();
    case 'spoil':
      if (what < 6) states.spoilt.add(rows[index]?.brokerOrderId ?? '');
      else states.spoilt.clear();
      return;
    case 'drop':
      states.rowsOfNextRead = (all) => all.filter((_, place) => place !== index);
      return;
    case 'twin':
      states.rowsOfNextRead = (all) => [...all, ...all.slice(index, index + 1)];
      return;
    case 'resolve': {
      const placed = rows[index]?.brokerOrderId ?? 'none';
      const resolution: ManualResolution =
        what % 2 === 0 ? { kind: 'absent' } : { kind: 'placed', brokerOrderId: placed };
      const row = rows[index] ?? null;
      const command = { orderId: `ord_${who}`, resolution, by: 'someone', request: null, row, at };
      return states.decide((state) => decideResolve(state, command));
    }
    case 'release': {
      const command = { engaged: false, reason: null, changedBy: null, at };
      return states.decide((state) => decideKillSwitch(state, command));
    }
    case 'day':
      if (what > 5) return;
      states.account = [null, 'A1', 'B2'][who % 3] ?? null;
      if (what > 2) return;
      states.at = plus(states.at, DAY_MS);
      // The book of the new day is empty, or not cleared yet.
      if (what > 0) [states.rows, states.fills] = [[], []];
      return;
    case 'wait':
      return void (states.at = plus(states.at, 200_000));
    case 'read':
      if (what <= 8) return states.read(what % 3 > 0);
      return states.read(what % 3 > 0, true, { kind: 'answer', who, what: 0 });
    case 'fail':
      return states.read(what % 3 > 0, false);
  }
}

/** Steps written as `kind who what`, with `x3` where one comes three times. */
export const stepsOf = (written: string): Step[] =>
  written.split(', ').flatMap((each) => {
    const [kind, who, what, times = 1] = each.split(/ x?/);
    const step = { kind: kind as Step['kind'], who: Number(who), what: Number(what) };
    return Array.from({ length: Number(times) }, () => step);
  });

export function playOut(tagged: boolean, all: readonly Step[]): void {
  const states = twoStates(tagged);
  all.forEach(states.step);
  states.read();
  states.read();
}
