import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BrokerFill, BrokerOrder } from '../../../src/domain/broker-order.ts';
import { tradingDay } from '../../../src/domain/ist.ts';
import type { Outcome } from '../../../src/domain/outcome.ts';
import type { Change } from '../../../src/execution/journal/records.ts';
import { applyChange, type ExecutionState } from '../../../src/execution/journal/state.ts';
import { createBookMemory } from '../../../src/execution/reconcile/book-memory.ts';
import { reconcileBook } from '../../../src/execution/reconcile/reconcile.ts';
import { decideResolve } from '../../../src/execution/reconcile/resolve.ts';
import { decidePlaced, decideSend } from '../../../src/execution/submit/decide-place.ts';
import { decideKillSwitch } from '../../../src/execution/submit/preflight.ts';
import type { Decision } from '../../../src/platform/single-writer.ts';
import { AT, bookRow, observation, stateOf, terms, trade } from '../support/makers.ts';

const ORDERS = 5;
const DAY_MS = 86_400_000;

interface Step {
  readonly kind: (typeof KINDS)[number];
  readonly who: number;
  readonly what: number;
}

const KINDS = [
  ...['send', 'send', 'arrive', 'arrive', 'answer', 'answer', 'progress', 'progress', 'trade'],
  ...['external', 'copy', 'swap', 'drop', 'twin', 'resolve', 'release', 'day', 'fail'],
  ...['read', 'read', 'read', 'read', 'read', 'read'],
] as const;

const steps = fc.array(
  fc.record({
    kind: fc.constantFrom(...KINDS),
    who: fc.nat(ORDERS - 1),
    what: fc.nat(11),
  }),
  { minLength: 30, maxLength: 90 },
);

/** One account: a state that is read into with a memory, and the same without. */
function twoStates(tagged: boolean) {
  const plain = stateOf();
  const remembered = stateOf();
  const memory = createBookMemory('primary');
  let at = AT;
  let account: string | null = null;
  let rows: BrokerOrder[] = [];
  let fills: BrokerFill[] = [];
  let rowsOfNextRead: ((rows: BrokerOrder[]) => BrokerOrder[]) | null = null;
  const looks = { plain: 0, remembered: 0 };

  function apply(changes: readonly Change[]): readonly (readonly Change[])[] {
    return changes.map((change) => {
      applyChange(plain, change);
      const undo = applyChange(remembered, change);
      for (const each of [change, ...undo]) memory.note(each);
      return undo;
    });
  }

  /** A decision that needs no memory: both states are the same, so that it is the same of both. */
  function decide(make: (state: ExecutionState) => Decision<Change, unknown>): void {
    try {
      apply(make(plain).changes);
    } catch {
      // Refused: nothing has changed.
    }
  }

  /** `meanwhile` happens after the read was decided on, before it is known to be on disk. */
  function read(withFills: boolean, isCommitted: boolean, meanwhile?: Step): void {
    const book = rowsOfNextRead ? rowsOfNextRead([...rows]) : [...rows];
    rowsOfNextRead = null;
    const seen = observation({
      begunAt: at,
      account,
      rows: book,
      fills: withFills ? [...fills] : null,
      tagged,
    });
    const whole = reconcileBook(plain, seen);
    const counting = {
      newsOf(...given: Parameters<typeof memory.newsOf>) {
        const news = memory.newsOf(...given);
        looks.remembered += news.rows.length;
        return news;
      },
    };
    const partial = reconcileBook(remembered, seen, counting);
    looks.plain += book.length;
    expect(partial).toEqual(whole);
    const undo = apply(partial.changes);
    if (meanwhile) step(meanwhile);
    if (isCommitted) memory.keep(remembered);
    else {
      for (const changes of [...undo].reverse()) apply(changes);
      memory.forget();
    }
  }

  const replace = (index: number, parts: Partial<BrokerOrder>): void => {
    const row = rows[index];
    if (row) rows[index] = { ...row, ...parts };
  };

  function step({ kind, who, what }: Step): void {
    at += 1_000;
    const index = rows.length === 0 ? 0 : (who * 7 + what) % rows.length;
    switch (kind) {
      case 'send':
        return decide((state) => decideSend(state, sendCommand(who, at, tagged, account)));
      case 'arrive': {
        // A tag is on disk before it is sent: no row has it earlier.
        const hasTag = what !== 11 && plain.attempts.has(`att_${who}`);
        const tags = hasTag ? [`tag ${who}`] : [];
        const row = bookRow({ brokerOrderId: `b${who}`, tags, quantity: 10 + who, createdAt: at });
        if (rows.some(({ brokerOrderId }) => brokerOrderId === row.brokerOrderId)) return;
        if (what === 10) rows.unshift(row);
        else rows.push(row);
        return;
      }
      case 'answer': {
        const attemptId = `att_${who}`;
        if (plain.attempts.get(attemptId)?.state.kind !== 'sending') return;
        const outcome = outcomeOf(who, what);
        return decide((state) => decidePlaced(state, { attemptId, outcome, last: true, at }));
      }
      case 'progress': {
        const status = (['working', 'partial', 'filled', 'cancelled'] as const)[what % 4]!;
        const whole = status === 'working' ? 0 : (rows[index]?.quantity ?? 10);
        const filledQuantity = [whole, 4, null][what >> 2] ?? null;
        return replace(index, { status, rawStatus: status, filledQuantity, updatedAt: at });
      }
      case 'trade': {
        const row = rows[index];
        const fillId = `f${at}`;
        const brokerOrderId = what === 11 ? null : (row?.brokerOrderId ?? null);
        fills.push(trade({ fillId, brokerOrderId, exchangeOrderId: 'x1', quantity: 1, at }));
        if (what === 11) replace(index, { exchangeOrderId: 'x1' });
        return;
      }
      case 'external':
        return void rows.push(bookRow({ brokerOrderId: `hand${at}`, createdAt: at }));
      case 'copy':
        return replace(index, {});
      case 'swap':
        fills.reverse();
        return void rows.reverse();
      case 'drop':
        rowsOfNextRead = (all) => all.filter((_, place) => place !== index);
        return;
      case 'twin':
        rowsOfNextRead = (all) => [...all, ...all.slice(index, index + 1)];
        return;
      case 'resolve':
        return decide((state) =>
          decideResolve(state, {
            orderId: `ord_${who}`,
            resolution:
              what % 2 === 0
                ? { kind: 'absent' }
                : { kind: 'placed', brokerOrderId: rows[index]?.brokerOrderId ?? 'none' },
            by: 'someone',
            request: null,
            at,
          }),
        );
      case 'release':
        return decide((state) =>
          decideKillSwitch(state, { engaged: false, reason: null, changedBy: null, at }),
        );
      case 'day':
        if (what > 2) return;
        at += DAY_MS;
        account = [null, 'A1', 'B2'][who % 3] ?? null;
        // The book of the new day is empty, or not cleared yet.
        if (what > 0) [rows, fills] = [[], []];
        return;
      case 'read':
        return read(what % 3 > 0, true, what > 8 ? { kind: 'answer', who, what: 0 } : undefined);
      case 'fail':
        return read(what % 3 > 0, false);
    }
  }
  return {
    step,
    looks,
    read: () => read(true, true),
    rows: () => rows,
    today: () => tradingDay(at),
  };
}

function sendCommand(who: number, at: number, tagged: boolean, account: string | null) {
  return {
    orderId: `ord_${who}`,
    attemptId: `att_${who}`,
    tag: `tag ${who}`,
    tagSent: true,
    caller: 'someone',
    idempotencyKey: `key ${who}`,
    requestHash: 'hash',
    callerTag: null,
    terms: terms({ quantity: 10 + who }),
    scripCode: null,
    segment: 'EQUITY' as const,
    broker: 'primary' as const,
    mode: 'live' as const,
    baseline: tagged ? null : [],
    account,
    at,
  };
}

function outcomeOf(who: number, what: number): Outcome {
  if (what < 7) return { kind: 'acknowledged', brokerOrderId: `b${who}` };
  if (what < 9) return { kind: 'acknowledged', brokerOrderId: `b${(who + 1) % ORDERS}` };
  if (what === 9) return { kind: 'refused', rejection: 'other', reason: 'no' } as Outcome;
  return {
    kind: 'uncertain',
    reason: 'no answer',
    failure: { kind: 'transport', message: 'no answer' },
  } as Outcome;
}

describe('a book that is remembered', () => {
  it.each([true, false])('is taken in as if it were not: tags always come back %s', (tagged) => {
    fc.assert(
      fc.property(steps, (all) => {
        const states = twoStates(tagged);
        for (const step of all) states.step(step);
        states.read();
        states.read();
      }),
      { numRuns: 1_000 },
    );
  });

  it('is looked at no more, row by row, once its orders are over', () => {
    const states = twoStates(true);
    for (const who of [0, 1, 2, 3, 4]) {
      states.step({ kind: 'send', who, what: 0 });
      states.step({ kind: 'answer', who, what: 0 });
      states.step({ kind: 'arrive', who, what: 0 });
    }
    states.step({ kind: 'external', who: 0, what: 0 });
    states.step({ kind: 'progress', who: 0, what: 2 });
    states.read();
    states.read();
    const before = states.looks.remembered;
    states.read();
    // Four work; the one that is filled and the one that was placed elsewhere say nothing more.
    expect(states.looks.remembered - before).toBe(4);
  });
});
