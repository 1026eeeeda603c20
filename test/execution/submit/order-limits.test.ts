import { describe, expect, it } from 'vitest';
import type { OrderModification } from '../../../src/domain/order.ts';
import type { AppliedLimits, AppliedSet, OrderLimits } from '../../../src/domain/order-limits.ts';
import { NO_LIMITS } from '../../support/no-limits.ts';
import type { OrderCommand } from '../../../src/execution/submit/send-command.ts';
import { decideAmend } from '../../../src/execution/submit/decide-amend.ts';
import {
  countOfMinute,
  countOpen,
  hasLimits,
  limitReached,
  limitSets,
  limitsFor,
  valuedAt,
} from '../../../src/execution/submit/order-limits.ts';
import { decideSlices } from '../../../src/execution/submit/slices.ts';
import { plus } from '../../../src/units/branded.ts';
import { VirtualTime } from '../../support/virtual-time.ts';
import {
  AT,
  DAY,
  instrument,
  NOTHING_KNOWN,
  orderRecord,
  portfolio,
  position,
  stateOf,
  terms,
} from '../support/makers.ts';

const NONE: AppliedSet = {
  ...{ key: null, value: null, quantity: null, openOrders: null, perMinute: null },
};
const applied = (...sets: readonly Partial<AppliedSet>[]): AppliedLimits => ({
  sets: sets.map((set) => ({ ...NONE, ...set })),
  lastPrice: null,
});
const outgoing = (...sets: readonly Partial<AppliedSet>[]) => ({
  ...{ broker: 'primary', terms: terms(), orderId: 'ord_9', at: AT },
  limits: applied(...sets),
});
const orderAt = (id: string, agoMs: number, parts: Parameters<typeof orderRecord>[0] = {}) =>
  orderRecord({ id, brokerOrderId: id, createdAt: plus(AT, -agoMs), ...parts });

describe('the price by which an order is valued', () => {
  it.each([
    ['its own', { price: 1_500 }, 1_000, 1_500],
    ['the last one, at the market', { orderType: 'MARKET', price: null }, 1_000, 1_000],
    [
      'the trigger of a stop at the market',
      { orderType: 'SL-M', price: null, triggerPrice: 1_600 },
      1_000,
      1_600,
    ],
    [
      'the last one above that trigger',
      { orderType: 'SL-M', price: null, triggerPrice: 900 },
      1_000,
      1_000,
    ],
    [
      'the trigger where no price is known',
      { orderType: 'SL-M', price: null, triggerPrice: 900 },
      null,
      900,
    ],
    ['unknown', { orderType: 'MARKET', price: null }, null, null],
  ] as const)('is %s', (_what, parts, lastPrice, expected) => {
    expect(valuedAt(terms(parts), lastPrice)).toBe(expected);
  });
});

describe('a limit', () => {
  it('allows what is just as large as it', () => {
    const state = stateOf();
    expect(limitReached(state, outgoing({ value: 15_000, quantity: 10 }))).toBeNull();
    expect(limitReached(state, outgoing({ value: 14_999.99 }))).toMatch(/₹15000, above ₹14999.99/);
    expect(limitReached(state, outgoing({ quantity: 9 }))).toMatch(/quantity 10/);
  });

  const INFY = { broker: 'primary', instrument: 'NSE:INFY', day: DAY } as const;

  it('on open orders counts those of the account and the day, and one in slices once', () => {
    const state = stateOf({
      orders: [
        orderAt('ord_1', 5_000),
        orderAt('ord_2', 5_000, { kind: 'disputed' }),
        orderAt('ord_3', 5_000, { parentId: 'ord_1' }),
        orderAt('ord_4', 5_000, { broker: 'alt' }),
        orderAt('ord_5', 5_000, { kind: 'filled', filledQuantity: 10 }),
        orderAt('ord_6', 86_400_000, { day: '2026-11-05', kind: 'uncertain' }),
        orderAt('ord_7', 5_000, { terms: terms({ instrument: 'NSE:WIPRO' }) }),
      ],
    });
    expect(countOpen(state, { ...INFY, caller: null })).toBe(2);
    expect(countOpen(state, { ...INFY, caller: 'bot' })).toBe(0);
    expect(limitReached(state, outgoing({ openOrders: 3 }))).toBeNull();
    expect(limitReached(state, outgoing({ openOrders: 2 }))).toMatch(/2 orders of NSE:INFY/);
  });

  const LIVE = { mode: 'live', at: AT } as const;

  it('on the orders of a minute counts all of them, ended ones too', () => {
    const state = stateOf({
      orders: [
        orderAt('ord_1', 59_999, { kind: 'rejected' }),
        orderAt('ord_2', 60_000),
        orderAt('ord_3', 1_000, { parentId: 'ord_1' }),
        orderAt('ord_4', 1_000, { broker: 'paper', mode: 'paper' }),
        orderAt('ord_5', -3_600_000),
      ],
    });
    expect(countOfMinute(state, { ...LIVE, caller: null })).toBe(1);
    expect(countOfMinute(state, { mode: 'paper', at: AT, caller: null })).toBe(1);
    expect(countOfMinute(state, { ...LIVE, caller: null }, 'ord_1')).toBe(0);
  });
});

describe('the limits of a key', () => {
  const key = { id: 'key_1', name: 'bot' };

  it('hold beside those of the settings, and are named with the key', () => {
    const state = stateOf();
    const both = outgoing({ quantity: 20 }, { key, quantity: 9 });
    expect(limitReached(state, both)).toMatch(
      /above 9, the most that maxOrderQuantity of the key bot/,
    );
    expect(limitReached(state, outgoing({ quantity: 9 }, { key, quantity: 20 }))).toMatch(
      /APP_MAX/,
    );
  });

  it('count the orders of the key alone', () => {
    const orders = [
      orderAt('ord_1', 5_000, { caller: 'key_1' }),
      orderAt('ord_2', 5_000, { caller: 'other' }),
    ];
    const state = stateOf({ orders });
    expect(limitReached(state, outgoing({ key, openOrders: 2, perMinute: 2 }))).toBeNull();
    expect(limitReached(state, outgoing({ key, openOrders: 1 }))).toMatch(/1 orders of NSE:INFY/);
    expect(limitReached(state, outgoing({ key, perMinute: 1 }))).toMatch(/by the key bot/);
  });

  it('are looked for by the caller', () => {
    const state = stateOf();
    const limits = { ...NO_LIMITS, perMinute: 5 };
    state.keys.set('key_1', { name: 'bot', stopped: null, limits });
    expect(limitSets(state, NO_LIMITS, 'other')).toEqual([]);
    expect(limitSets(state, NO_LIMITS, 'key_1')).toEqual([{ key, limits }]);
  });
});

describe('the limits that hold for an order', () => {
  const limits: OrderLimits = { ...NO_LIMITS, value: 1_000 };
  const market = terms({ orderType: 'MARKET', price: null });
  const given = (lastPrice: () => Promise<number | null>) => {
    const scheduler = new VirtualTime(AT);
    const found = limitsFor(
      { limits: NO_LIMITS, scheduler, lastPrice },
      [{ key: null, limits }],
      market,
      { named: instrument(), instrument: instrument() },
    );
    return scheduler.settle(found);
  };

  it('do not wait long for the price', async () => {
    expect((await given(() => new Promise(() => undefined)))?.lastPrice).toBeNull();
    expect((await given(() => Promise.resolve(7)))?.lastPrice).toBe(7);
  });

  it('are none where nothing is set', () => {
    expect(hasLimits(NO_LIMITS)).toBe(false);
    expect(hasLimits(limits)).toBe(true);
    const named = new Map([['NIFTY', 1]]);
    expect(hasLimits({ ...NO_LIMITS, openOrders: { every: null, named } })).toBe(true);
  });
});

describe('the decision', () => {
  const order: OrderCommand = {
    ...{ orderId: 'ord_9', caller: 'someone', idempotencyKey: 'a key', requestHash: 'hash' },
    ...{ callerTag: null, scripCode: null, broker: 'primary' },
    ...({ segment: 'EQUITY', mode: 'live' } as const),
    ...{ terms: terms(), at: AT, limits: applied({ quantity: 9 }) },
  };
  const slices = [{ id: 'ord_10', quantity: 10 }];

  it('to send slices refuses a whole that is above a limit, once its account was read', () => {
    const state = stateOf();
    expect(decideSlices(state, { order, slices }).reply.kind).toBe('account_unread');
    const decided = decideSlices(state, { order, slices, knowledge: NOTHING_KNOWN });
    expect(decided).toMatchObject({ changes: [], reply: { brake: { code: 'limit_reached' } } });
  });

  it('to send slices lets a whole pass that only reduces', () => {
    const positions = [position({ quantity: -10 })];
    const state = stateOf({ portfolios: [portfolio({ positions })] });
    const decided = decideSlices(state, { order, slices, knowledge: NOTHING_KNOWN });
    expect(decided.reply.kind).toBe('sliced');
  });

  it('to modify refuses what makes an order larger or dearer than a limit, and nothing else', () => {
    const state = stateOf({ orders: [orderAt('ord_1', 1_000)] });
    const nothing = { quantity: null, price: null, triggerPrice: null };
    const change = (changes: Partial<OrderModification>, limits: Partial<AppliedSet>) =>
      decideAmend(state, {
        asOf: null,
        ...{ orderId: 'ord_1', attemptId: 'att_1', request: null, at: AT },
        knowledge: NOTHING_KNOWN,
        changes: { ...nothing, orderType: null, validity: null, ...changes },
        limits: applied(limits),
      }).reply.kind;
    expect(change({ quantity: 12 }, { quantity: 11 })).toBe('braked');
    expect(change({ price: 1_501 }, { value: 15_000 })).toBe('braked');
    expect(change({ price: 1_501 }, { quantity: 5 })).toBe('sending');
    expect(change({ price: 1_499 }, { quantity: 5, value: 1 })).toBe('sending');
    expect(change({ quantity: 9 }, { quantity: 5, value: 1 })).toBe('sending');
    expect(change({ quantity: 12 }, { openOrders: 1, perMinute: 1 })).toBe('sending');
  });
});
