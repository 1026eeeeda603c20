import { describe, expect, it } from 'vitest';
import type { Schemas } from '../../client/index.ts';
import type { Found, Page } from '../../dashboard/src/pure/checks.ts';
import { type Order, ordersOf } from '../../dashboard/src/pure/orders.ts';
import { readyChecks } from '../../dashboard/src/pure/ready.ts';
import { orderOf } from './support/samples.ts';

describe('the checklist', () => {
  const NOW = Date.parse('2026-11-23T09:00:00+05:30');
  const found: Found = {
    ...{ calendar: 'no calendar', readiness: 'not ready', limits: [], funds: 'no funds' },
    ...{ holdings: 'no holdings', expiring: 'no contracts', clock: 0 },
  };
  const session = (expiresAt: string | null, state: 'valid' | 'expired') => ({
    ...{ state, userId: 'AB1234', obtainedAt: null, source: null, verifiedAt: null },
    expiresAt,
  });
  const check = (
    what: string,
    changes: Partial<Found> = {},
    login = session(null, 'expired'),
    page: Partial<Page> = {},
  ) =>
    readyChecks(
      { ...found, ...changes },
      { session: login, brokers: [], overview: null, accounts: [], orders: null, ...page },
      NOW,
    ).find((each) => each.what === what);

  it('never takes what could not be read for well', () => {
    const all = readyChecks(
      found,
      { session: null, brokers: null, overview: null, accounts: null, orders: null },
      NOW,
    );
    const bad = all.filter(({ is }) => is === 'fail').map(({ what }) => what);
    expect(bad).toEqual(['Login', 'Funds', 'Trading day', 'Gateway']);
    const unknown = all.filter(({ is }) => is === 'unknown').map(({ what }) => what);
    expect(unknown).toEqual([
      'Sell authorisation',
      'Expiries today and on the next trading day',
      'Clock',
    ]);
  });

  it('looks at how long the login still holds', () => {
    expect(check('Login', {}, session('2026-11-24T06:00:00+05:30', 'valid'))?.is).toBe('ok');
    expect(check('Login', {}, session('2026-11-23T09:30:00+05:30', 'valid'))?.is).toBe('look');
    expect(check('Login', {}, session('2026-11-23T06:00:00+05:30', 'expired'))).toMatchObject({
      ...{ is: 'fail', words: 'it ended Mon 23 Nov, 06:00 IST' },
    });
  });

  it('names the limit of which least is left, and a clock that is off', () => {
    const windows = [{ seconds: 1, limit: 10, left: 1, reserved: 0 }];
    const limits = [
      { broker: 'alt', buckets: [{ name: 'orders', windows, waiting: 0, pausedUntil: null }] },
    ];
    expect(check('Limits left', { limits })).toMatchObject({
      ...{ is: 'look', words: 'least at alt, orders: 1 of 10 in 1 s' },
    });
    expect(check('Clock', { clock: -9_000 })).toMatchObject({
      ...{ is: 'fail', words: 'the gateway’s is 9 s behind this machine’s' },
    });
  });

  const share = (changes: Partial<Schemas['Holding']>) =>
    ({
      ...{ instrument: 'NSE:INFY', quantity: 10, t1Quantity: 0, usedQuantity: 0 },
      ...{ authorisedQuantity: 0, ...changes },
    }) as Schemas['Holding'];

  it.each([
    ['ok', 'no delivered share', []],
    ['ok', 'no delivered share', [share({ t1Quantity: 10 })]],
    ['ok', '10 of 10', [share({ authorisedQuantity: 10 })]],
    ['look', '10 of 15', [share({ authorisedQuantity: 10 }), share({ quantity: 5 })]],
    // More of one share are authorised than are held: that says nothing of the other.
    ['look', '10 of 15', [share({ authorisedQuantity: 99 }), share({ quantity: 5 })]],
    ['unknown', 'does not tell it of NSE:INFY', [share({ authorisedQuantity: null })]],
  ] as const)('says of the authorisation to sell: %s, %s', (is, words, holdings) => {
    const found = check('Sell authorisation', { holdings });
    expect(found?.is).toBe(is);
    expect(found?.words).toContain(words);
  });

  const calendar = {
    ...{ today: '2026-11-23', nextTradingDay: '2026-11-24', isTradingDay: true, holidays: [] },
  } as unknown as Schemas['Calendar'];
  const list = (asOf: string | null) => ({
    ...{ name: 'nfo', count: 2, asOf, outdated: false, problem: null },
  });
  const broker = (changes: Partial<Schemas['BrokerStatus']>) =>
    ({
      ...{ broker: 'alt', mode: 'live', setUp: true, available: true, instruments: null },
      ...{ addressRefusedAt: null, streaming: null, postbacks: null, clock: null, ...changes },
    }) as Schemas['BrokerStatus'];
  const lists = (asOf: string | null) =>
    broker({ instruments: { ...list(asOf), lists: [list(asOf)] } });
  const CHECKED = 'Expiries today and on the next trading day';

  it('names what expires today and on the next trading day, and what of it is held', () => {
    const page = { brokers: [lists('2026-11-23T08:00:00+05:30')] };
    const none = [{ name: 'NFO:INFY-FUT', expiry: '2026-11-26', isHeld: true }];
    const look = (expiring: typeof none, more: Partial<Page> = {}) =>
      check(CHECKED, { calendar, expiring }, undefined, { ...page, ...more });
    expect(look(none)).toMatchObject({ is: 'ok', words: 'none today, nor on Tue 24 Nov' });
    const soon = [
      { name: 'NIFTY', expiry: '2026-11-24', isHeld: false },
      { name: 'NFO:X', expiry: '2026-11-23', isHeld: true },
    ];
    expect(look(soon)).toMatchObject({
      ...{ is: 'look', words: 'NIFTY on Tue 24 Nov, NFO:X today (you hold it)' },
    });
    const unread = { broker: 'alt', mode: 'live', positions: null, problem: 'no answer' } as const;
    expect(look(none, { accounts: [unread] })).toMatchObject({
      ...{ is: 'unknown', words: 'the positions at alt cannot be read' },
    });
    expect(look(none, { accounts: null })?.is).toBe('unknown');
  });

  it('calls expiries unknown where a list of instruments was not read', () => {
    const of = (brokers: Page['brokers']) =>
      check(CHECKED, { calendar, expiring: [] }, undefined, { brokers });
    expect(of([lists(null)])).toMatchObject({
      ...{ is: 'unknown', words: 'the instrument list “nfo” has not been read' },
    });
    expect(of([])?.is).toBe('unknown');
  });

  it('compares the clock with the time of the brokers, which alone tell whether it is right', () => {
    const told = (name: string, aheadMs: number) =>
      broker({ broker: name, clock: { aheadMs, toldAt: '2026-11-23T08:59:00+05:30' } });
    const of = (...brokers: readonly Schemas['BrokerStatus'][]) =>
      check('Clock', {}, undefined, { brokers });
    expect(of(broker({}))).toMatchObject({
      ...{ is: 'unknown', words: 'no broker has told its time since the gateway started' },
    });
    expect(of(told('alt', 900), broker({}))).toMatchObject({
      ...{ is: 'ok', words: 'agrees with that of alt' },
    });
    expect(of(told('alt', 0), told('primary', -4_000))).toMatchObject({
      is: 'look',
      words: 'the gateway’s is 4 s behind that of primary: is the time service of its machine on?',
    });
    expect(of(told('alt', 75_000))).toMatchObject({
      is: 'fail',
      words:
        'the gateway’s is 75 s ahead of that of alt: switch on the time service of its machine',
    });
  });

  it('tells whether the ticker is open, and when the last postback came', () => {
    const since = '2026-11-23T08:00:00+05:30';
    const of = (what: string, changes: Partial<Schemas['BrokerStatus']>) =>
      check(what, {}, undefined, { brokers: [broker(changes)] });
    expect(of('Ticker, alt', { streaming: true })?.is).toBe('ok');
    expect(of('Ticker, alt', { streaming: false })).toMatchObject({
      ...{ is: 'look', words: 'not open: prices and orders are polled' },
    });
    expect(of('Ticker, alt', {})).toBeUndefined();
    const POSTBACK = 'Last postback, alt';
    const lastAt = '2026-11-23T09:20:00+05:30';
    expect(of(POSTBACK, { postbacks: { since, lastAt } })).toMatchObject({
      ...{ is: 'ok', words: 'Mon 23 Nov, 09:20 IST' },
    });
    expect(of(POSTBACK, { postbacks: { since, lastAt: null } })?.is).toBe('unknown');
    expect(of(POSTBACK, {})).toBeUndefined();
  });

  it('calls the outgoing address good once a live order of today was taken, and not known before', () => {
    const of = (order: Partial<Order> | null, changes: Partial<Schemas['BrokerStatus']> = {}) =>
      check('Outgoing address, alt', {}, undefined, {
        brokers: [broker(changes)],
        orders: order && ordersOf([orderOf({ createdAt: '2026-11-23T08:59:00+05:30', ...order })]),
      });
    expect(of({})).toMatchObject({ is: 'ok', words: 'an order of 08:59:00 IST was taken' });
    for (const order of [
      null,
      { brokerOrderId: null },
      { createdAt: '2026-11-20T15:00:00+05:30' },
      { broker: 'primary' },
      { mode: 'paper' },
      { external: true },
      { boundBy: 'person' },
    ] as const) {
      expect(of(order)?.is, JSON.stringify(order)).toBe('unknown');
    }
    expect(
      of({}, { addressRefusedAt: '2026-11-23T08:58:00+05:30', addressAdvice: null }),
    ).toMatchObject({ is: 'fail', words: 'refused Mon 23 Nov, 08:58 IST' });
  });
});
