import { describe, expect, it } from 'vitest';
import type { Position } from '../../../src/domain/portfolio.ts';
import { createSqliteJournal } from '../../../src/execution/journal/journal.ts';
import { decidePortfolio } from '../../../src/execution/reconcile/held.ts';
import { type Asked, knownDerivative } from '../../../src/execution/reconcile/known-derivative.ts';
import { openDatabase } from '../../../src/platform/database.ts';
import { epochMs, plus } from '../../../src/units/branded.ts';
import { AT, orderRecord, portfolio, position, stateOf, terms } from '../support/makers.ts';
import type { OrderFields } from '../support/order-fields.ts';

const OPTION = 'NFO:NIFTY26NOV24450CE';
const DAY_MS = 86_400_000;
const EXPIRY = '2026-11-24';

const asked = (parts: Partial<Asked> = {}): Asked => ({
  ...{ broker: 'primary', account: null, since: null, inOlderForm: false, now: plus(AT, 60_000) },
  expiryOf: () => EXPIRY,
  ...parts,
});

const held = (parts: Partial<Position> = {}): Position =>
  position({
    instrument: OPTION,
    product: 'MARGIN',
    quantity: 65,
    derivative: { expiry: EXPIRY },
    ...parts,
  });

const withRow = (parts: Partial<Position> = {}, record: object = {}) =>
  stateOf({ portfolios: [portfolio({ readAt: AT, positions: [held(parts)], ...record })] });

const order = (parts: Partial<OrderFields> = {}) =>
  orderRecord({
    ...{ terms: terms({ instrument: OPTION, product: 'MARGIN', quantity: 65 }) },
    ...{ segment: 'DERIVATIVE', kind: 'filled', filledQuantity: 65, updatedAt: plus(AT, 30_000) },
    ...parts,
  });

describe('a derivative that the last portfolio in the journal has', () => {
  it('is known', () => {
    expect(knownDerivative(withRow(), asked())).toBe(OPTION);
  });

  it('is known without a readable name as well, and without its quantity', () => {
    const unread = {
      ...({ list: 'positions', instrument: null, product: 'MARGIN', quantity: null } as const),
      ...{ reason: 'odd', derivative: { expiry: null } },
    };
    const state = stateOf({
      portfolios: [portfolio({ readAt: AT, positions: [], unread: [unread] })],
    });
    expect(knownDerivative(state, asked())).toBe('one without a readable name');
  });

  it('is known until the day of its expiry is over', () => {
    const on = (day: string) => asked({ now: epochMs(Date.parse(`${day}T20:00:00+05:30`)) });
    expect(knownDerivative(withRow(), on('2026-11-24'))).toBe(OPTION);
    expect(knownDerivative(withRow(), on('2026-11-25'))).toBeNull();
  });

  it('is known for a hundred days where nobody can say when it expires', () => {
    const state = withRow({ derivative: { expiry: null } });
    const after = (days: number) => asked({ now: plus(AT, days * DAY_MS), expiryOf: () => null });
    expect(knownDerivative(state, after(99))).toBe(OPTION);
    expect(knownDerivative(state, after(100))).toBeNull();
  });

  it('was closed: it is known on that day alone, whose profit it is part of', () => {
    const state = withRow({ quantity: 0 });
    expect(knownDerivative(state, asked())).toBe(OPTION);
    expect(knownDerivative(state, asked({ now: plus(AT, DAY_MS) }))).toBeNull();
  });

  it('is told by its name where an earlier version has kept the row', () => {
    const row = position({ instrument: OPTION, product: 'MARGIN', quantity: 65 });
    const state = stateOf({ portfolios: [portfolio({ readAt: AT, positions: [row] })] });
    expect(knownDerivative(state, asked())).toBe(OPTION);
    const shares = stateOf({ portfolios: [portfolio({ readAt: AT, positions: [position()] })] });
    expect(knownDerivative(shares, asked())).toBeNull();
  });

  it('does not count where the broker has listed all derivatives since', () => {
    expect(knownDerivative(withRow(), asked({ since: plus(AT, 1) }))).toBeNull();
    // A clock that was set back does not make it old.
    expect(knownDerivative(withRow(), asked({ since: plus(AT, DAY_MS) }))).toBe(OPTION);
  });

  it('does not count in the account of another user', () => {
    const state = withRow({}, { account: 'AB1234' });
    expect(knownDerivative(state, asked({ account: 'CD5678' }))).toBeNull();
    expect(knownDerivative(state, asked({ account: 'ab1234' }))).toBe(OPTION);
    expect(knownDerivative(state, asked())).toBe(OPTION);
  });

  it('was listed in the older form: it does not count where that form is there again', () => {
    const state = withRow({ derivative: { expiry: EXPIRY, inOlderForm: true } });
    expect(knownDerivative(state, asked({ inOlderForm: true }))).toBeNull();
    expect(knownDerivative(state, asked())).toBe(OPTION);
  });

  it('is kept with its expiry and its account, over a restart', async () => {
    const state = stateOf();
    const read = { positions: [held()], holdings: [], unread: [], at: AT, account: 'AB1234' };
    const { changes } = decidePortfolio(state, { broker: 'primary', mode: 'live', ...read });
    const database = openDatabase(':memory:');
    await createSqliteJournal(database).commit([changes]);
    const loaded = await createSqliteJournal(database).load('2026-11-01');
    expect(loaded.quarantine.rows).toEqual([]);
    expect(loaded.changes).toContainEqual(changes.find(({ table }) => table === 'portfolios'));
  });
});

describe('an order in derivatives', () => {
  const read = portfolio({ readAt: AT, positions: [] });
  const known = (orders: Parameters<typeof stateOf>[0], parts: Partial<Asked> = {}) =>
    knownDerivative(stateOf({ portfolios: [read], ...orders }), asked(parts));

  it('has filled since the portfolio was read, or without one: it is known', () => {
    expect(known({ orders: [order()] })).toBe(OPTION);
    expect(known({ orders: [order()], portfolios: [] })).toBe(OPTION);
  });

  it('may have filled: it is known', () => {
    const open = [
      order({ kind: 'working', filledQuantity: 0, updatedAt: plus(AT, -3_600_000) }),
      order({ kind: 'uncertain', brokerOrderId: null, boundBy: null }),
      order({ kind: 'cancelled', filledQuantity: null }),
    ];
    expect(open.map((each) => known({ orders: [each] }))).toEqual([OPTION, OPTION, OPTION]);
  });

  it('had filled when the portfolio was read, which shows none: it is not known', () => {
    expect(known({ orders: [order({ updatedAt: plus(AT, -60_000) })] })).toBeNull();
  });

  it('has filled nothing, has expired, is of shares or of another broker: it is not known', () => {
    const none = [
      order({ kind: 'cancelled', filledQuantity: 0 }),
      order({ kind: 'rejected', filledQuantity: 0 }),
      order({ segment: 'EQUITY' }),
      order({ broker: 'alt' }),
    ];
    expect(none.filter((each) => known({ orders: [each] }) !== null)).toEqual([]);
    expect(known({ orders: [order()] }, { expiryOf: () => '2026-11-05' })).toBeNull();
  });

  it('was closed by another: the two are known on that day alone', () => {
    const sale = order({
      id: 'ord_2',
      terms: terms({ instrument: OPTION, product: 'MARGIN', quantity: 65, side: 'SELL' }),
    });
    expect(known({ orders: [order(), sale] })).toBe(OPTION);
    expect(known({ orders: [order(), sale] }, { now: plus(AT, DAY_MS) })).toBeNull();
    expect(known({ orders: [order()] }, { now: plus(AT, DAY_MS) })).toBe(`${OPTION} MARGIN`);
  });
});
