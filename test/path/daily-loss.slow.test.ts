import { describe, expect, it } from 'vitest';
import { journalEvents } from '../support/journal-events.ts';
import type { Rig, RigOptions } from '../support/rig.ts';
import { BUY, loggedInRig, place } from './walk.ts';

const INTRADAY = { ...BUY, product: 'INTRADAY', quantity: 100 } as const;
const EXIT = { ...INTRADAY, side: 'SELL' } as const;

/** A rig that may lose ₹5,000 in a day, with 100 shares bought at about ₹1,500. */
async function riskyRig(options: RigOptions = {}): Promise<Rig> {
  const rig = await loggedInRig({ environment: { APP_MAX_DAILY_LOSS: '5000' }, ...options });
  const bought = await place(rig, INTRADAY, 'risk');
  if (bought.status !== 201) throw new Error(bought.text);
  await rig.time.advance(20_000);
  return rig;
}

const reads = (rig: Rig): number =>
  rig.sent.filter(({ url }) => url === 'http://kite.test/portfolio/positions').length;

/** Until the positions were read once more; resolves with how long that took, ms. */
async function nextRead(rig: Rig): Promise<number> {
  const [before, begun] = [reads(rig), rig.time.elapsed()];
  while (reads(rig) === before) await rig.time.advance(100);
  return rig.time.elapsed() - begun;
}

const price = (rig: Rig, rupees: number): void =>
  rig.sandbox.exchange.setPrice('NSE:INFY', rupees * 100);
const isEngaged = async (rig: Rig): Promise<boolean> =>
  (await rig.get('/api/v1/kill-switch')).body.data.engaged;
const account = async (rig: Rig) =>
  (await rig.get('/api/v1/limits')).body.brakes.maxDailyLoss.accounts.find(
    (each: { broker: string }) => each.broker === 'alt',
  );
const release = (rig: Rig, headers = {}) =>
  rig.post('/api/v1/kill-switch', { engaged: false, reason: 'looked at it' }, headers);
const alerts = (rig: Rig, level: string): string[] =>
  journalEvents(rig.dataDirectory, 'alert')
    .filter(({ data }) => data['level'] === level)
    .map(({ data }) => String(data['message']));
const spoilPositions = (rig: Rig): string =>
  rig.sandbox.faults.add({
    broker: 'kite',
    kind: 'error_before',
    match: { method: 'GET', path: '/portfolio/positions' },
  });

describe('the daily loss limit', () => {
  it('engages the kill switch once two reads show the loss, with the figures and an alert', async () => {
    await using rig = await riskyRig();
    price(rig, 1_440);
    await nextRead(rig);
    expect(await isEngaged(rig)).toBe(false);
    expect(await nextRead(rig)).toBeGreaterThanOrEqual(2_900);
    await rig.time.advance(500);
    const { body } = await rig.get('/api/v1/kill-switch');
    expect(body.data).toMatchObject({ engaged: true, changedBy: null, onDisk: true });
    expect(body.data.reason).toMatch(/profit at alt is -₹60\d\d\.\d\d, and APP_MAX_DAILY_LOSS/);
    expect(alerts(rig, 'critical')).toEqual([expect.stringMatching(/allows a loss of ₹5000\.00/)]);
    expect((await place(rig, INTRADAY, 'more')).body.code).toBe('kill_switch');
    expect((await place(rig, EXIT, 'exit')).status).toBe(201);
  });

  it('does not engage it for a price of one moment', async () => {
    await using rig = await riskyRig();
    price(rig, 1_440);
    await nextRead(rig);
    price(rig, 1_500);
    await rig.time.advance(60_000);
    expect(await isEngaged(rig)).toBe(false);
    expect(alerts(rig, 'critical')).toEqual([]);
  });

  it('counts what was placed in the broker’s app, and what has been realised', async () => {
    await using rig = await loggedInRig({ environment: { APP_MAX_DAILY_LOSS: '5000' } });
    rig.sandbox.kite.placeByHand({
      ...{ instrument: 'NSE:INFY', side: 'BUY', quantity: 100, product: 'intraday' },
    });
    await rig.time.advance(1_000);
    price(rig, 1_440);
    rig.sandbox.kite.placeByHand({
      ...{ instrument: 'NSE:INFY', side: 'SELL', quantity: 100, product: 'intraday' },
    });
    await rig.time.advance(80_000);
    expect(await isEngaged(rig)).toBe(true);
  });

  it('holds at the primary brokerage as well', async () => {
    await using rig = await loggedInRig({
      environment: { APP_MAX_DAILY_LOSS: '5000', APP_ROUTE_TRADING: 'primary,alt' },
    });
    expect((await place(rig, { ...INTRADAY, broker: 'primary' }, 'risk')).status).toBe(201);
    await rig.time.advance(20_000);
    price(rig, 1_440);
    await rig.time.advance(20_000);
    expect((await rig.get('/api/v1/kill-switch')).body.data.reason).toMatch(
      /profit at primary is -₹60/,
    );
  });

  it('shows the day’s profit, and reads it every fifteen seconds while positions are open', async () => {
    await using rig = await riskyRig();
    await rig.time.advance(60_000);
    const before = reads(rig);
    await rig.time.advance(60_000);
    expect(reads(rig) - before).toBe(4);
    expect(await account(rig)).toMatchObject({ broker: 'alt', from: 0, unread: null });
    expect((await account(rig)).profit).toBeLessThan(0);
  });

  it('reads once a minute without positions, also in the evening, and not at all while every market is shut', async () => {
    await using rig = await loggedInRig({
      ...{ start: '2026-11-06T15:30:00+05:30', environment: { APP_MAX_DAILY_LOSS: '5000' } },
    });
    await rig.time.advance(60_000);
    const before = reads(rig);
    await rig.time.advance(300_000);
    expect(reads(rig) - before).toBe(5);
    await rig.time.advanceTo('2026-11-06T19:00:00+05:30');
    const evening = reads(rig);
    await rig.time.advance(300_000);
    expect(reads(rig) - evening).toBe(5);
    await rig.time.advanceTo('2026-11-06T23:57:00+05:30');
    const shut = reads(rig);
    await rig.time.advance(3_600_000);
    expect(reads(rig)).toBe(shut);
  });

  it('is armed again by a release, from the loss at that moment, also over a restart', async () => {
    await using rig = await riskyRig();
    price(rig, 1_440);
    await rig.time.advance(20_000);
    expect((await account(rig)).from).toBeNull();
    const { key } = rig.composed.callers.add({ name: 'bot', scope: 'trade' });
    const refused = await release(rig, { authorization: `Bearer ${key.reveal()}` });
    expect(refused.body.code).toBe('forbidden');
    await rig.restart();
    await rig.time.advance(30_000);
    expect(alerts(rig, 'critical')).toHaveLength(1);
    expect((await release(rig)).status).toBe(200);
    await rig.time.advance(30_000);
    expect((await account(rig)).from).toBeLessThan(-6_000);
    await rig.restart();
    price(rig, 1_400);
    await rig.time.advance(40_000);
    expect(await isEngaged(rig)).toBe(false);
    price(rig, 1_385);
    await rig.time.advance(20_000);
    expect(await isEngaged(rig)).toBe(true);
    expect(alerts(rig, 'critical')).toHaveLength(2);
  });

  it('begins anew on the next day', async () => {
    await using rig = await riskyRig();
    price(rig, 1_440);
    await rig.time.advance(20_000);
    expect(await isEngaged(rig)).toBe(true);
    await rig.time.advance(86_400_000);
    expect((await account(rig)).from).toBe(0);
  });

  it('alerts where the figure cannot be read, never takes that for 0, and goes on when it can', async () => {
    await using rig = await riskyRig();
    price(rig, 1_440);
    await nextRead(rig);
    const fault = spoilPositions(rig);
    await rig.time.advance(60_000);
    expect(await isEngaged(rig)).toBe(false);
    expect(alerts(rig, 'critical')).toEqual([
      expect.stringMatching(/profit at alt cannot be read/),
    ]);
    expect((await account(rig)).unread).not.toBeNull();
    rig.sandbox.faults.remove(fault);
    await rig.time.advance(20_000);
    expect(await isEngaged(rig)).toBe(true);
    expect(alerts(rig, 'warning')).toContainEqual(expect.stringMatching(/can be read again/));
  });

  it('reads nothing and shows nothing where none is set', async () => {
    await using rig = await riskyRig({ environment: {} });
    const before = reads(rig);
    price(rig, 1_000);
    await rig.time.advance(120_000);
    expect(reads(rig)).toBe(before);
    expect((await rig.get('/api/v1/limits')).body.brakes.maxDailyLoss).toBeNull();
  });
});
