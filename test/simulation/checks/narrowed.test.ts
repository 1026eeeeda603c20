import { describe, expect, it } from 'vitest';
import { kiteRefusals } from '../../../sandbox/kite/refusal.ts';
import type { World } from '../world.ts';
import { engagedStretches } from './braked.ts';
import type { Day } from './context.ts';
import { keysKeepTheirLimits } from './key-limits.ts';
import { isRefusedUnseen } from './refused-unseen.ts';
import { nothingAfterUnknown } from './wire.ts';

/**
 * Where a checker does not ask for what nobody could know: each case beside the one in which it does ask.
 */
const KNOWN = kiteRefusals.find(({ means }) => means === 'known')!.reply;
const NAME = 'caller-1/key-1';
const AT = 10_000;

const answer = (reaction: object) => ({ at: AT + 5, reaction, honest: false });
const placing = (changes: object = {}) => ({
  ...{ at: AT, broker: 'alt', placing: true, wanted: NAME, ofOtherUser: false },
  request: { method: 'POST', url: '', body: 'quantity=5&tag=OURS', deadlineMs: 8_000 },
  answer: answer({ kind: 'reset' }),
  ...changes,
});
const row = (changes: object = {}) => ({
  ...{ orderId: '1', tag: 'OURS', createdAt: AT + 1, hiddenUntil: AT, rowHiddenUntil: AT },
  ...{ phase: 'complete', receipt: { at: AT + 1, body: 'quantity=5&tag=OURS' } },
  ...changes,
});
const taken = (order = row()) => ({ broker: 'alt', brokerOrderId: '1', wanted: NAME, order });
const read = (at: number, honest = true) => ({ at, broker: 'alt', honest, failed: false });

describe('a kill switch that the disk did not take', () => {
  const stretches = (isOnDisk: boolean) =>
    engagedStretches({
      killSwitch: [{ at: 100, engaged: true, isOnDisk }],
      world: { crashes: [{ at: 400 }], births: [0, 500] },
    } as unknown as Day).map(({ from, until }) => [from, until]);

  it('holds until the process ends, and one on disk for longer', () => {
    expect([stretches(false), stretches(true)]).toEqual([[[100, 400]], [[100, Infinity]]]);
  });
});

describe('a key of one order a minute', () => {
  const MINUTE_MS = 60_000;
  const sent = (name: string, at: number, age: number) => ({
    ...placing({ at, wanted: `caller-1/${name}` }),
    age,
  });
  const found = (first: ReturnType<typeof sent>, second: ReturnType<typeof sent>): number => {
    const request = { quantity: 5, price: 100 };
    const asked = { instrument: 'NSE:ITC', request };
    const limits = {
      ...{ maxOrderQuantity: { every: null }, maxOpenOrders: { every: null } },
      ...{ maxOrderValue: null, maxOrdersPerMinute: 1 },
    };
    const world = {
      plan: {
        keys: { limited: { caller: 'caller-1', limits }, confined: [] },
        mishaps: [],
      },
      ...{ sent: [first, second], taken: [] },
      asked: { orders: new Map([first, second].map(({ wanted }) => [wanted, asked])) },
    };
    const state = { orderByKey: new Map(), orders: new Map() };
    return keysKeepTheirLimits({ world, state } as unknown as Day).length;
  };

  it('sends a second one where a minute lies between the two by when they left', () => {
    const first = sent('a', AT, 50);
    expect(found(first, sent('b', AT + MINUTE_MS + 500, 1_600))).toBe(0);
    expect(found(first, sent('b', AT + MINUTE_MS + 500, 0))).toBe(0);
    expect(found(first, sent('b', AT + MINUTE_MS - 500, 50))).toBe(1);
  });
});

describe('a slice after a lost answer', () => {
  const found = (reads: readonly object[]) =>
    nothingAfterUnknown({
      world: { sent: [placing(), placing({ at: AT + 900 })], reads, taken: [taken()] },
    } as unknown as Day).length;

  it('may follow where a whole book has shown the order with its tag', () => {
    expect([found([read(AT + 500)]), found([]), found([read(AT + 500, false)])]).toEqual([0, 1, 1]);
    expect([found([read(AT - 1)]), found([read(AT + 901)])]).toEqual([1, 1]);
  });
});

describe('an order that was refused in known words, and taken', () => {
  const refused = placing({
    answer: answer({ kind: 'answer', status: KNOWN.status, body: KNOWN.body, headers: {} }),
  });
  function isUnseen(
    order: ReturnType<typeof row>,
    { isOdd = true, isOther = false, reads = [read(AT + 2_000)], backAt = AT + 60_000 } = {},
  ) {
    const fault = { broker: 'kite', kind: 'odd_row', from: 0, until: AT * 2 };
    const world = {
      ...{ sent: [refused], reads, taken: [taken(order)], users: { backAt } },
      plan: { faults: isOdd ? [fault] : [] },
      sandbox: {
        kite: { order: () => order },
        otherUser: isOther ? { order: () => order } : null,
      },
    };
    return isRefusedUnseen(world as unknown as World, taken(order) as never);
  }

  it('is known by its tag, or by a row that can be read', () => {
    expect(isUnseen(row({ tag: null }))).toBe(true);
    expect(isUnseen(row())).toBe(false);
    expect(isUnseen(row({ tag: null }), { isOdd: false })).toBe(false);
  });

  it('is borne out by a row that is rejected, unless that has its tag', () => {
    const isUnseenAs = (tag: string | null, filledQuantity = 0): boolean =>
      isUnseen(row({ tag, phase: 'rejected', filledQuantity }), { isOdd: false });
    expect([isUnseenAs('OTHER'), isUnseenAs(null), isUnseenAs('OURS')]).toEqual([
      true,
      true,
      false,
    ]);
    expect(isUnseenAs('OTHER', 3)).toBe(false);
  });

  it('of another user is known by a book that was read in that user’s session', () => {
    const of = { isOdd: false, isOther: true };
    expect(isUnseen(row(), { ...of, backAt: AT + 1_000 })).toBe(true);
    expect(isUnseen(row(), of)).toBe(false);
    expect(isUnseen(row(), { ...of, reads: [read(AT + 2_000, false)] })).toBe(true);
  });
});
