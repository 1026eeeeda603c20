import { describe, expect, it } from 'vitest';
import { sum } from '../../src/domain/money.ts';
import { elsewhere } from '../support/kite-elsewhere.ts';
import type { Rig } from '../support/rig.ts';
import { BUY, loggedInRig, place, RESTING, spoilPlacing, spoilReading } from './walk.ts';

const INTRADAY = { ...BUY, product: 'INTRADAY' };
const FORM = {
  ...{ exchange: 'NSE', tradingsymbol: 'INFY', transaction_type: 'BUY', quantity: '5' },
  ...{ order_type: 'MARKET', product: 'CNC', validity: 'DAY', market_protection: '-1' },
};
const DAY_MS = 86_400_000;

interface Figure {
  readonly rupees: number | null;
  readonly estimate: boolean;
  readonly source: string | null;
  readonly note: string | null;
}
interface Account {
  readonly broker: string;
  readonly mode: string;
  readonly orders: Readonly<Record<string, number>>;
  readonly fills: Readonly<Record<string, number | string | null>>;
  readonly charges: Figure;
  readonly realised: Figure;
  readonly profit: Figure;
  readonly net: Figure;
  readonly uncertainOrders: readonly string[];
  readonly elsewhere?: number | null;
}
interface Report {
  readonly day: string;
  readonly isToday: boolean;
  readonly accounts: readonly Account[] | null;
  readonly keys: readonly {
    readonly key: string;
    readonly name: string | null;
    readonly accounts: readonly Account[];
  }[];
}

const ask = (rig: Rig, day = 'today', headers: Record<string, string> = {}, query = '') =>
  rig.call({ method: 'GET', path: `/api/v1/reports/${day}${query}`, headers });

async function report(rig: Rig, ...more: [string?, Record<string, string>?, string?]) {
  const reply = await ask(rig, ...more);
  if (reply.status !== 200) throw new Error(`GET report: ${reply.text}`);
  const data: Report = reply.body.data;
  return data;
}

function accountAt(broker: string, accounts: readonly Account[] | null | undefined): Account {
  const found = accounts?.find((each) => each.broker === broker);
  if (!found) throw new Error(`the report does not have ${broker}`);
  return found;
}

/** A strategy has bought intraday, and sold at a higher price. */
async function afterTrades() {
  const rig = await loggedInRig();
  const { key, caller } = rig.composed.callers.add({ name: 'a strategy', scope: 'trade' });
  const headers = { authorization: `Bearer ${key.reveal()}` };
  await rig.post('/api/v1/orders', { ...INTRADAY, quantity: 8 }, headers);
  await rig.time.advance(3_000);
  rig.sandbox.exchange.setPrice('NSE:INFY', 151_000);
  await rig.post('/api/v1/orders', { ...INTRADAY, side: 'SELL', quantity: 8 }, headers);
  await rig.time.advance(3_000);
  return { rig, headers, id: caller.id, [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose]() };
}

describe('the report of a day', () => {
  it('has orders, fills, charges and profit of each account and key', async () => {
    await using after = await afterTrades();
    const { rig, id } = after;
    await place(rig, RESTING, 'of-the-admin');
    await rig.time.advance(3_000);
    const { accounts, keys, day, isToday } = await report(rig);
    expect([day, isToday]).toEqual(['2026-11-06', true]);
    const alt = accountAt('alt', accounts);
    expect(alt.orders).toMatchObject({ placed: 3, filled: 2, open: 1, uncertain: 0 });
    const { count, bought, sold } = alt.fills;
    expect(count).toBe(2);
    const made = sum([Number(sold), -Number(bought)]);
    expect(made).toBeGreaterThan(70);
    expect(alt.realised).toMatchObject({ rupees: made, source: 'journal' });
    expect(alt.profit).toMatchObject({ rupees: made, source: 'positions', estimate: false });
    const note = await rig.get('/api/v1/contract-note');
    const total: number = note.body.data.total.total;
    expect(alt.charges).toMatchObject({ rupees: total, source: 'broker_charges', estimate: true });
    expect(alt.charges.note).toContain('computed by alt');
    expect(alt.net).toMatchObject({ rupees: sum([made, -total]), estimate: true });
    const strategy = keys.find((each) => each.key === id);
    expect(strategy?.name).toBe('a strategy');
    const own = accountAt('alt', strategy?.accounts);
    expect(own.orders).toMatchObject({ placed: 2, filled: 2, open: 0 });
    expect([own.profit.rupees, own.charges.rupees]).toEqual([made, total]);
    const admin = keys.find((each) => each.key === 'admin');
    const resting = accountAt('alt', admin?.accounts);
    expect(resting).toMatchObject({
      orders: { placed: 1, open: 1 },
      fills: { count: 0, bought: 0, sold: 0 },
      charges: { rupees: 0, note: 'no order has filled' },
      profit: { rupees: 0 },
    });
  });

  it('keeps paper and each broker apart', async () => {
    await using rig = await loggedInRig();
    await place(rig, { ...INTRADAY, mode: 'paper' }, 'k1');
    await rig.time.advance(5_000);
    const { accounts, keys } = await report(rig);
    const paper = accountAt('paper', accounts);
    expect(paper).toMatchObject({
      ...{ mode: 'paper', orders: { placed: 1, filled: 1 }, elsewhere: 0 },
      charges: { source: 'settings', estimate: false },
      profit: { source: 'journal' },
    });
    expect(accountAt('alt', accounts).orders['placed']).toBe(0);
    expect(keys.flatMap(({ accounts: of }) => of.map(({ broker }) => broker))).toEqual(['paper']);
    const narrow = await report(rig, 'today', {}, '?broker=paper');
    expect(narrow.accounts?.map(({ broker }) => broker)).toEqual(['paper']);
  });

  it('shows a key its own orders alone, and no account', async () => {
    await using after = await afterTrades();
    const { rig, headers, id } = after;
    const own = await report(rig, 'today', headers);
    expect(own.accounts).toBeNull();
    expect(own.keys.map(({ key }) => key)).toEqual([id]);
    expect(accountAt('alt', own.keys[0]?.accounts).orders['placed']).toBe(2);
    const { key } = rig.composed.callers.add({ name: 'a reader', scope: 'read' });
    const reader = await report(rig, 'today', { authorization: `Bearer ${key.reveal()}` });
    expect(reader.keys).toMatchObject([{ name: 'a reader', accounts: [] }]);
  });

  it('counts what was filled elsewhere in the charges and the profit of the account alone', async () => {
    await using rig = await loggedInRig();
    elsewhere(rig.sandbox, 'POST', '/orders/regular', FORM);
    await rig.time.advance(3_000);
    const { accounts, keys } = await report(rig);
    const alt = accountAt('alt', accounts);
    expect(alt).toMatchObject({ elsewhere: 1, orders: { placed: 0 }, fills: { count: 0 } });
    expect(alt.charges.rupees).toBeGreaterThan(0);
    expect(alt.profit.rupees).not.toBeNull();
    expect(keys).toEqual([]);
  });

  it('says what is not known: of an uncertain order, and of an account that cannot be read', async () => {
    await using rig = await loggedInRig();
    await place(rig, INTRADAY, 'known');
    await rig.time.advance(3_000);
    spoilPlacing(rig, 'error_before');
    const { id } = (await place(rig, INTRADAY, 'lost')).body.data;
    const doubtful = accountAt('alt', (await report(rig)).keys[0]?.accounts);
    expect(doubtful).toMatchObject({ orders: { uncertain: 1 }, uncertainOrders: [id] });
    for (const figure of [doubtful.realised, doubtful.profit, doubtful.charges, doubtful.net]) {
      expect(figure).toMatchObject({ rupees: null, source: null });
    }
    expect(doubtful.profit.note).toContain(id);
    const whole = accountAt('alt', (await report(rig)).accounts);
    expect(whole.charges.rupees).toBeGreaterThan(0);
    expect(whole.profit).toMatchObject({ source: 'positions' });
    await rig.time.advance(6_000);
    for (const path of ['/portfolio/positions', '/orders']) spoilReading(rig, 'reset_after', path);
    const alt = accountAt('alt', (await report(rig)).accounts);
    expect(alt).toMatchObject({
      ...{ elsewhere: null, orders: { placed: 2, filled: 1, uncertain: 1 } },
      ...{ profit: { rupees: null }, charges: { rupees: null }, net: { rupees: null } },
    });
    expect(alt.profit.note).toMatch(/alt/);
  });

  it('is that of the broker without charges where it computes none', async () => {
    await using rig = await loggedInRig();
    await place(rig, { ...INTRADAY, broker: 'primary' }, 'k1');
    await rig.time.advance(3_000);
    const primary = accountAt('primary', (await report(rig)).accounts);
    expect(primary.orders).toMatchObject({ placed: 1, filled: 1 });
    expect(primary.charges).toMatchObject({ rupees: null, note: /computes no charges/ });
  });
});

describe('the report of an earlier day', () => {
  it('is the same a day and a restart later, and a fortnight later', async () => {
    await using after = await afterTrades();
    const { rig, id } = after;
    const today = accountAt('alt', (await report(rig)).accounts);
    const same = async (days: number) => {
      rig.time.stepWall(days * DAY_MS);
      await rig.restart();
      await rig.logIn();
      await rig.time.advance(3_000);
      const { accounts, keys, isToday } = await report(rig, '2026-11-06');
      expect(isToday).toBe(false);
      const alt = accountAt('alt', accounts);
      expect(alt.orders).toMatchObject({ placed: 2, filled: 2 });
      expect([alt.fills, alt.realised]).toEqual([today.fills, today.realised]);
      expect(alt.profit).toMatchObject({ rupees: today.profit.rupees, estimate: true });
      expect(alt.charges).toMatchObject({ rupees: today.charges.rupees, estimate: true });
      expect(alt.charges.note).toContain('now');
      expect(alt.elsewhere).toBeNull();
      const own = accountAt('alt', keys.find(({ key }) => key === id)?.accounts);
      expect(own.realised.rupees).toBe(today.realised.rupees);
    };
    await same(1);
    await same(13);
  });

  it('does not guess the profit of what stayed open, and says why', async () => {
    await using rig = await loggedInRig();
    await place(rig, BUY, 'k1');
    await rig.time.advance(DAY_MS);
    const alt = accountAt('alt', (await report(rig, '2026-11-06')).accounts);
    expect(alt.fills).toMatchObject({ count: 1, sold: 0 });
    expect(alt.profit).toMatchObject({ rupees: null, note: /keeps no prices of earlier days/ });
    // Nobody is logged in, and only the broker can compute its charges.
    expect(alt.charges).toMatchObject({ rupees: null, source: null });
  });
});

describe('a day without a report', () => {
  it('is one that has not begun, one before the journal, or no day', async () => {
    await using rig = await loggedInRig();
    expect((await report(rig, '2026-11-06')).isToday).toBe(true);
    const future = await ask(rig, '2026-11-07');
    expect([future.status, future.body.code]).toEqual([400, 'invalid_request']);
    expect(future.body.detail).toContain('has not begun');
    const empty = await ask(rig, '2026-11-05');
    expect([empty.status, empty.body.code]).toEqual([404, 'unknown_day']);
    await place(rig, RESTING, 'k1');
    const before = await ask(rig, '2026-11-05');
    expect(before.body.detail).toContain('begins on 2026-11-06');
    for (const day of ['yesterday', '2026-02-30', '06-11-2026']) {
      expect((await ask(rig, day)).status).toBe(400);
    }
  });
});
