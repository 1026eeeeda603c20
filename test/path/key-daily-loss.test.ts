import { describe, expect, it } from 'vitest';
import { journalEvents } from '../support/journal-events.ts';
import type { Rig } from '../support/rig.ts';
import { BUY, loggedInRig, place } from './walk.ts';

const INTRADAY = { ...BUY, product: 'INTRADAY', quantity: 100 } as const;
const EXIT = { ...INTRADAY, side: 'SELL' } as const;

const price = (rig: Rig, rupees: number): void =>
  rig.sandbox.exchange.setPrice('NSE:INFY', rupees * 100);

/** A key that may lose ₹5,000 in a day, with 100 shares bought at about ₹1,500. */
async function risky() {
  const rig = await loggedInRig();
  const limits = { maxDailyLoss: 5_000 };
  const made = await rig.post('/api/v1/keys', { name: 'momentum', scope: 'trade', limits });
  const { id, key } = made.body.data;
  const headers = { authorization: `Bearer ${key}` };
  const bought = await rig.post('/api/v1/orders', INTRADAY, headers);
  if (bought.status !== 201) throw new Error(bought.text);
  await rig.time.advance(20_000);
  return {
    ...{ rig, headers, id },
    post: (order: object) => rig.post('/api/v1/orders', order, headers),
    record: async () => (await rig.get(`/api/v1/keys/${id}`)).body.data,
    release: () =>
      rig.post(`/api/v1/keys/${id}/kill-switch`, { engaged: false, reason: 'looked at it' }),
    [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose](),
  };
}

describe('the daily loss limit of a key', () => {
  it('stops the key, no other key, and no way out', async () => {
    await using key = await risky();
    price(key.rig, 1_440);
    await key.rig.time.advance(20_000);
    const { stopped, limits } = await key.record();
    expect(limits.maxDailyLoss).toBe(5_000);
    expect(stopped).toMatchObject({ by: 'gateway' });
    expect(stopped.reason).toMatch(/profit is -₹60\d\d\.\d\d, and a loss of ₹5000\.00 is allowed/);
    const refused = await key.post(INTRADAY);
    expect([refused.status, refused.body.code]).toEqual([409, 'kill_switch']);
    expect(refused.body.detail).toMatch(/the key momentum is stopped: its loss of the day/);
    expect((await place(key.rig, INTRADAY, 'of the admin')).status).toBe(201);
    expect((await key.post(EXIT)).status).toBe(201);
    const alerts = journalEvents(key.rig.dataDirectory, 'alert').map(({ data }) => data['message']);
    expect(alerts).toContainEqual(expect.stringMatching(/^the key momentum is stopped/));
  });

  it('does not stop it for a price of one moment', async () => {
    await using key = await risky();
    const quotes = (): number =>
      key.rig.sent.filter(({ url }) => url.startsWith('http://kite.test/quote')).length;
    price(key.rig, 1_440);
    const before = quotes();
    for (let tries = 0; tries < 300 && quotes() === before; tries += 1) {
      await key.rig.time.advance(100);
    }
    expect(quotes()).toBeGreaterThan(before);
    price(key.rig, 1_500);
    await key.rig.time.advance(60_000);
    expect((await key.record()).stopped).toBeNull();
  });

  it('counts the loss of the key, not that of the account', async () => {
    await using key = await risky();
    expect((await place(key.rig, { ...INTRADAY, quantity: 500 }, 'of the admin')).status).toBe(201);
    price(key.rig, 1_480);
    await key.rig.time.advance(60_000);
    expect((await key.record()).stopped).toBeNull();
  });

  it('counts anew from where an admin has released it', async () => {
    await using key = await risky();
    price(key.rig, 1_440);
    await key.rig.time.advance(20_000);
    expect((await key.release()).status).toBe(200);
    await key.rig.time.advance(60_000);
    expect((await key.record()).stopped).toBeNull();
    price(key.rig, 1_380);
    await key.rig.time.advance(40_000);
    expect((await key.record()).stopped.reason).toMatch(/when it was released/);
  });

  it('holds after a restart, and so does the loss', async () => {
    await using key = await risky();
    price(key.rig, 1_440);
    await key.rig.restart();
    await key.rig.time.advance(60_000);
    expect((await key.record()).stopped).toMatchObject({ by: 'gateway' });
    await key.rig.restart();
    expect((await key.record()).stopped).toMatchObject({ by: 'gateway' });
  });

  it('is told to be blind once its figure has been unknown for half a minute', async () => {
    await using key = await risky();
    for (const broker of ['kite', 'primary'] as const) {
      key.rig.sandbox.faults.add({
        broker,
        kind: 'error_before',
        match: { path: /quote|ltp|ohlc/ },
      });
    }
    const told = (): number =>
      journalEvents(key.rig.dataDirectory, 'alert').filter(({ data }) =>
        String(data['message']).startsWith("the day's profit of the key momentum is not known"),
      ).length;
    await key.rig.time.advance(28_000);
    expect(told()).toBe(0);
    await key.rig.time.advance(60_000);
    expect(told()).toBe(1);
    expect((await key.record()).stopped).toBeNull();
  });
});
