import { describe, expect, it } from 'vitest';
import type { OrderModification } from '../../../src/domain/order.ts';
import type { AppliedSet } from '../../../src/domain/order-limits.ts';
import type { ModifyAttemptRecord } from '../../../src/execution/order/attempt.ts';
import { rowAsOrder } from '../../../src/execution/external/row-as-order.ts';
import {
  possibleQuantities,
  presentTerms,
  termsToRepeat,
} from '../../../src/execution/order/possible-terms.ts';
import { orderToChange } from '../../../src/execution/submit/order-to-change.ts';
import { type ChangeGuardParts, limitsOf } from '../../../src/execution/submit/change-guards.ts';
import { VirtualTime } from '../../support/virtual-time.ts';
import { decideAmend } from '../../../src/execution/submit/decide-amend.ts';
import { plus } from '../../../src/units/branded.ts';
import { attemptRecord, attemptState, modifyAttempt } from '../support/attempts.ts';
import {
  accept,
  AT,
  bookRow,
  DAY,
  instrument,
  NOTHING_KNOWN,
  orderRecord,
  stateOf,
  terms,
} from '../support/makers.ts';

const NOTHING: OrderModification = {
  ...{ quantity: null, price: null, triggerPrice: null, orderType: null, validity: null },
};

/** A book that was asked for so long after the changes that it cannot lag behind them. */
const LATER = plus(AT, 600_000);
const SOON = plus(AT, 1_000);

let attempts = 0;
const changed = (
  kind: 'acknowledged' | 'uncertain',
  changes: Partial<OrderModification>,
  orderId = 'ord_1',
): ModifyAttemptRecord => {
  attempts += 1;
  const state = attemptState(kind);
  return modifyAttempt({
    ...{ id: `att_m${attempts}`, orderId, state, changes: { ...NOTHING, ...changes } },
  });
};
const lost = (changes: Partial<OrderModification>) => changed('uncertain', changes);
const taken = (changes: Partial<OrderModification>) => changed('acknowledged', changes);

/** An order for 10 at 1,500, by its row, of which these changes were asked. */
const stateWith = (changes: readonly ModifyAttemptRecord[]) =>
  stateOf({
    orders: [orderRecord({ row: bookRow() })],
    attempts: [attemptRecord({ state: attemptState('acknowledged') }), ...changes],
  });

const ask = (
  state: ReturnType<typeof stateOf>,
  changes: Partial<OrderModification>,
  {
    asOf = SOON,
    limits,
    orderId = 'ord_1',
    lastPrice = null,
  }: {
    readonly asOf?: typeof SOON;
    readonly limits?: Partial<AppliedSet>;
    readonly orderId?: string;
    readonly lastPrice?: number | null;
  },
): string => {
  const set = { key: null, value: null, quantity: null, openOrders: null, perMinute: null };
  const { reply } = decideAmend(state, {
    ...{ orderId, attemptId: 'att_9', request: null, at: plus(asOf, 1), asOf },
    ...{ knowledge: NOTHING_KNOWN, changes: { ...NOTHING, ...changes } },
    limits: limits ? { lastPrice, sets: [{ ...set, ...limits }] } : null,
  });
  return reply.kind;
};

describe('what a request repeats that does not ask for it', () => {
  const repeated = (changes: readonly ModifyAttemptRecord[], asOf = SOON, isBraked = false) => {
    const state = stateWith(changes);
    const order = state.orders.get('ord_1') ?? orderRecord();
    const toChange = orderToChange(state, order, asOf);
    const { quantity, price, orderType } = termsToRepeat(toChange, NOTHING, { isBraked });
    return { quantity, price, orderType };
  };
  const ofRow = { quantity: 10, price: 1_500, orderType: 'LIMIT' };

  it('is what a later book shows, whatever was lost or refused by the exchange', () => {
    const all = [
      lost({ quantity: 20 }),
      lost({ quantity: 5, price: 1_400 }),
      lost({ orderType: 'MARKET' }),
    ];
    expect(repeated(all, LATER)).toEqual(ofRow);
    expect(repeated([taken({ quantity: 20, price: 1_400 })], LATER)).toEqual(ofRow);
  });

  it('is under a brake the least that it may have, however old the book is that it was read from', () => {
    const all = [lost({ quantity: 20, price: 1_600 }), taken({ quantity: 5, price: 1_400 })];
    const least = { quantity: 5, price: 1_400, orderType: 'LIMIT' };
    expect(repeated(all, SOON, true)).toEqual(least);
    expect(repeated(all, LATER, true)).toEqual(least);
  });

  it('is what was accepted while the book may lag behind it', () => {
    expect(repeated([taken({ quantity: 20, price: 1_600 })])).toEqual({
      ...{ quantity: 20, price: 1_600, orderType: 'LIMIT' },
    });
    expect(repeated([lost({ quantity: 5 }), taken({ quantity: 20 })]).quantity).toBe(20);
  });

  it('never is more, or trades sooner, than what answers show', () => {
    expect(repeated([lost({ quantity: 20, price: 1_600 })])).toEqual(ofRow);
    expect(repeated([lost({ orderType: 'MARKET' })])).toEqual(ofRow);
    expect(repeated([lost({ quantity: 5, price: 1_400 })])).toEqual({
      ...{ quantity: 5, price: 1_400, orderType: 'LIMIT' },
    });
  });

  it('is what was accepted, where the row shows by chance what was asked for after it', () => {
    const all = [taken({ quantity: 5, price: 1_400 }), lost({ quantity: 10, price: 1_500 })];
    expect(repeated(all)).toMatchObject({ quantity: 5, price: 1_400 });
    expect(repeated(all, LATER)).toEqual(ofRow);
  });

  it('is no quantity that is filled already', () => {
    const order = orderRecord({ row: bookRow({ filledQuantity: 8 }), filledQuantity: 8 });
    const toChange = { order, attempts: [taken({ quantity: 5 })], asOf: LATER };
    expect(termsToRepeat(toChange, NOTHING, { isBraked: true }).quantity).toBe(10);
    expect(possibleQuantities(toChange)).toEqual({ lowest: 10, highest: 10 });
  });

  it('is of a type that has the price that is asked for', () => {
    const state = stateWith([lost({ orderType: 'SL-M', triggerPrice: 1_510 })]);
    const toChange = orderToChange(state, state.orders.get('ord_1') ?? orderRecord(), SOON);
    const isBraked = false;
    expect(
      termsToRepeat(toChange, { ...NOTHING, triggerPrice: 1_520 }, { isBraked }),
    ).toMatchObject({ orderType: 'SL-M', price: null });
    expect(termsToRepeat(toChange, { ...NOTHING, price: 1_490 }, { isBraked })).toMatchObject({
      ...{ orderType: 'LIMIT', triggerPrice: null },
    });
  });
});

describe('the limits on a change count', () => {
  it('a quantity at the highest price that the order may have', () => {
    const cheaper = stateWith([lost({ price: 900 })]);
    const limits = { value: 20_000 };
    expect(ask(cheaper, { quantity: 20 }, { limits })).toBe('braked');
    expect(ask(cheaper, { quantity: 13 }, { limits })).toBe('sending');
    expect(ask(cheaper, { quantity: 20 }, { limits, asOf: LATER })).toBe('braked');
    const dearer = stateWith([lost({ price: 1_900 }), lost({ price: 1_600 })]);
    expect(ask(dearer, { quantity: 11 }, { limits })).toBe('braked');
    expect(ask(dearer, { quantity: 11 }, { limits: { value: 20_900 } })).toBe('sending');
  });

  it('a price at the highest quantity that the order may have', () => {
    const state = stateWith([lost({ quantity: 13 })]);
    expect(ask(state, { price: 1_600 }, { limits: { value: 20_000 } })).toBe('braked');
    expect(ask(state, { price: 1_538 }, { limits: { value: 20_000 } })).toBe('sending');
  });

  it('a raise that was lost as a raise when it is asked for again', () => {
    const limits = { value: 15_000 };
    for (const kind of ['uncertain', 'acknowledged'] as const) {
      const state = stateWith([changed(kind, { price: 1_600 })]);
      expect(ask(state, { price: 1_600 }, { limits })).toBe('braked');
      expect(ask(state, { price: 1_500 }, { limits, asOf: LATER })).toBe('sending');
    }
  });

  it('an order that may be at the market by its last price', () => {
    const state = stateWith([lost({ orderType: 'MARKET' })]);
    const limits = { value: 20_000 };
    expect(ask(state, { quantity: 12 }, { limits, lastPrice: 1_800 })).toBe('braked');
    expect(ask(state, { quantity: 12 }, { limits })).toBe('braked');
    expect(ask(state, { quantity: 12 }, { limits, lastPrice: 1_600 })).toBe('sending');
  });

  it('a slice with the others of its order', () => {
    const state = (...others: ReturnType<typeof orderRecord>[]) =>
      stateOf({
        orders: [
          orderRecord({ id: 'ord_0', kind: 'sliced', row: null, brokerOrderId: null }),
          orderRecord({ parentId: 'ord_0', row: bookRow() }),
          ...others,
        ],
      });
    const slice = { id: 'ord_2', parentId: 'ord_0', brokerOrderId: 'b2' } as const;
    const working = orderRecord({ ...slice, row: bookRow({ brokerOrderId: 'b2' }) });
    const ended = orderRecord({ ...slice, kind: 'cancelled', filledQuantity: 3 });
    const limits = { quantity: 20 };
    expect(ask(state(working), { quantity: 11 }, { limits })).toBe('braked');
    expect(ask(state(working), { quantity: 11 }, { limits: { quantity: 21 } })).toBe('sending');
    expect(ask(state(ended), { quantity: 17 }, { limits })).toBe('sending');
    expect(ask(state(ended), { quantity: 18 }, { limits })).toBe('braked');
    const value = { value: 30_000 };
    expect(ask(state(working), { price: 1_501 }, { limits: value })).toBe('braked');
    expect(ask(state(working), { price: 1_499 }, { limits: value })).toBe('sending');
    expect(ask(state(ended), { price: 2_550 }, { limits: value })).toBe('sending');
    expect(ask(state(ended), { price: 2_551 }, { limits: value })).toBe('braked');
    const market = terms({ orderType: 'MARKET', price: null });
    const unpriced = orderRecord({ ...slice, terms: market });
    expect(ask(state(unpriced), { price: 1_501 }, { limits: value })).toBe('braked');
  });
});

describe('a slice that is to be changed, with others of its order', () => {
  const parent = orderRecord({ id: 'ord_0', kind: 'sliced', row: null, brokerOrderId: null });
  const own = orderRecord({ parentId: 'ord_0', row: bookRow() });
  const other = { id: 'ord_2', parentId: 'ord_0', brokerOrderId: 'b2' } as const;
  const row = bookRow({ brokerOrderId: 'b2' });

  it('counts with a raise of another one that is on its way', () => {
    const changes = { ...NOTHING, quantity: 15 };
    const raise = modifyAttempt({ orderId: 'ord_2', changes, state: attemptState('sending') });
    const orders = [parent, own, orderRecord({ ...other, row })];
    const state = stateOf({ orders, attempts: [raise] });
    expect(ask(state, { quantity: 15 }, { limits: { quantity: 25 } })).toBe('braked');
    expect(ask(state, { quantity: 15 }, { limits: { quantity: 30 } })).toBe('sending');
  });

  it('counts with all of one of which it is not known what has filled', () => {
    const ended = orderRecord({ ...other, kind: 'partial', filledQuantity: null });
    const state = stateOf({ orders: [parent, own, ended] });
    expect(ask(state, { quantity: 11 }, { limits: { quantity: 20 } })).toBe('braked');
  });

  it('counts with one that has filled at the market by its price', () => {
    const market = terms({ orderType: 'MARKET', price: null });
    const fill = { filledQuantity: 10, averagePrice: 1_501 };
    const filled = orderRecord({ ...other, kind: 'filled', terms: market, ...fill });
    const state = stateOf({ orders: [parent, own, filled] });
    expect(ask(state, { price: 1_501 }, { limits: { value: 30_020 } })).toBe('sending');
    expect(ask(state, { price: 1_502 }, { limits: { value: 30_020 } })).toBe('braked');
  });

  it('asks for the last price where another one is at the market', async () => {
    const market = orderRecord({ ...other, terms: terms({ orderType: 'MARKET', price: null }) });
    const state = stateOf({ orders: [parent, own, market] });
    const none = { every: null, named: new Map() };
    const parts = {
      ...{ writer: { state }, scheduler: new VirtualTime(AT), instrumentOf: () => instrument() },
      lastPrice: () => Promise.resolve(1_500),
      limits: { value: 1, perMinute: null, quantity: none, openOrders: none },
    } as unknown as ChangeGuardParts;
    const toChange = orderToChange(state, own, LATER);
    expect(await limitsOf(parts, toChange, { ...NOTHING, price: 1_501 })).toMatchObject({
      lastPrice: 1_500,
    });
  });
});

describe('a row that may have been changed by others', () => {
  it('proves nothing by a value that was lost', () => {
    const order = orderRecord({ row: bookRow({ quantity: 8 }), terms: terms({ quantity: 8 }) });
    const attempts = [attemptRecord(), taken({ quantity: 5 }), lost({ quantity: 8 })];
    const lowest = (asOf: typeof SOON) => possibleQuantities({ order, attempts, asOf }).lowest;
    expect([lowest(SOON), lowest(LATER)]).toEqual([5, 8]);
  });

  it('is not later than an answer where it is dated in the future', () => {
    const row = bookRow({ updatedAt: plus(AT, 86_400_000) });
    const order = rowAsOrder(row, {
      ...{ broker: 'primary', mode: 'live', caller: 'someone', day: DAY, asOf: SOON },
      instruments: { byName: () => null },
    });
    const toChange = { order, attempts: [taken({ quantity: 5 })], asOf: SOON };
    expect(presentTerms(toChange).quantity).toBe(5);
  });
});

describe('the key of a change that waits for the same one', () => {
  it('is used, so that a repeat of it is not sent later', () => {
    const changes = { ...NOTHING, price: 1_610 };
    const underWay = modifyAttempt({ id: 'att_1', changes, state: attemptState('sending') });
    const state = stateOf({ orders: [orderRecord({ row: bookRow() })], attempts: [underWay] });
    const request = {
      ...({ method: 'modify' } as const),
      ...{ orderId: 'ord_1', caller: 'someone' },
      ...{ idempotencyKey: 'second', requestHash: 'hash' },
    };
    const decision = decideAmend(state, {
      ...{ orderId: 'ord_1', attemptId: 'att_9', request, changes, at: plus(AT, 1), asOf: null },
      knowledge: NOTHING_KNOWN,
    });
    expect(accept(state, decision).kind).toBe('under_way');
    expect([...state.amendments.values()]).toMatchObject([
      { idempotencyKey: 'second', attemptId: 'att_1', state: 'used' },
    ]);
    expect(state.attempts.size).toBe(1);
  });
});
