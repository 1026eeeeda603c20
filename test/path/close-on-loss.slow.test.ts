import { describe, expect, it } from 'vitest';
import { memoryEnvironment } from '../../src/platform/environment.ts';
import { journalEvents } from '../support/journal-events.ts';
import type { Rig, RigOptions } from '../support/rig.ts';
import { BUY, loggedInRig, place, spoilReading } from './walk.ts';

const INTRADAY = { ...BUY, product: 'INTRADAY', quantity: 100, broker: 'alt' } as const;
const SHORT = 'NFO:NIFTY26NOV24450CE';
const LONG = 'NFO:NIFTY26NOV24500CE';
const OPTION = { orderType: 'MARKET', quantity: 65, broker: 'alt' } as const;
const SETTINGS = { APP_MAX_DAILY_LOSS: '5000', APP_CLOSE_ON_DAILY_LOSS: 'true' };

/** A rig that closes its intraday positions at a loss of ₹5,000, with 100 shares bought at about ₹1,500. */
async function riskyRig(options: RigOptions = {}, more: readonly object[] = []): Promise<Rig> {
  const rig = await loggedInRig({ environment: SETTINGS, ...options });
  for (const [index, order] of [INTRADAY, ...more].entries()) {
    const placed = await place(rig, order, `risk-${index}`);
    if (placed.status !== 201) throw new Error(placed.text);
  }
  await rig.time.advance(20_000);
  return rig;
}

/** The price falls so far that the limit is reached, and the gateway has read that twice. */
async function lose(rig: Rig, rupees = 1_440): Promise<void> {
  const before = alerts(rig, 'critical').length;
  rig.sandbox.exchange.setPrice('NSE:INFY', rupees * 100);
  for (let waited = 0; waited < 60 && alerts(rig, 'critical').length === before; waited += 1) {
    await rig.time.advance(500);
  }
}

const alerts = (rig: Rig, level: string): string[] =>
  journalEvents(rig.dataDirectory, 'alert')
    .filter(({ data }) => data['level'] === level)
    .map(({ data }) => String(data['message']));

const maxDailyLoss = async (rig: Rig) => (await rig.get('/api/v1/limits')).body.brakes.maxDailyLoss;
const told = async (rig: Rig) => {
  const { accounts } = await maxDailyLoss(rig);
  return accounts.find(({ broker }: { broker: string }) => broker === 'alt').closing;
};
const closings = (rig: Rig): Set<unknown> =>
  new Set(journalEvents(rig.dataDirectory, 'closing.updated').map(({ data }) => data['id']));

/** What has filled of an instrument at the alternative broker, bought less sold. */
const net = (rig: Rig, name = 'NSE:INFY'): number =>
  rig.sandbox.kite
    .orders()
    .filter(({ instrument }) => instrument === name)
    .reduce((sum, { side, filledQuantity }) => sum + (side === 'BUY' ? 1 : -1) * filledQuantity, 0);
const sold = (rig: Rig, name = 'NSE:INFY'): number =>
  rig.sandbox.kite
    .orders()
    .filter(({ instrument, side }) => instrument === name && side === 'SELL')
    .reduce((sum, { filledQuantity }) => sum + filledQuantity, 0);

describe('a daily loss that closes intraday positions', () => {
  it('closes them once the kill switch is engaged, and says what it does', async () => {
    await using rig = await riskyRig();
    await lose(rig);
    expect(alerts(rig, 'critical')).toEqual([
      expect.stringMatching(
        /kill switch is engaged, and the gateway closes the intraday positions there now/,
      ),
    ]);
    await rig.time.advance(60_000);
    expect(net(rig)).toBe(0);
    const [id] = closings(rig);
    expect(await maxDailyLoss(rig)).toMatchObject({ closesIntraday: true });
    expect(await told(rig)).toEqual({ status: 'begun', id, reason: null });
    const closing = (await rig.get(`/api/v1/positions/close-all/${String(id)}`)).body.data;
    expect(closing).toMatchObject({ status: 'flat', detail: '1 of 1 positions are closed' });
    expect(alerts(rig, 'warning').slice(-2)).toEqual([
      expect.stringMatching(/^closing closing_\S+ of the daily loss limit has begun: 1 intraday/),
      expect.stringMatching(/^closing closing_\S+ is over: 1 of 1 positions are closed/),
    ]);
  });

  it('is off unless it is set: positions stay open, and the alert says so', async () => {
    await using rig = await riskyRig({ environment: { APP_MAX_DAILY_LOSS: '5000' } });
    await lose(rig);
    await rig.time.advance(60_000);
    expect([net(rig), closings(rig).size]).toEqual([100, 0]);
    expect(alerts(rig, 'critical')).toEqual([expect.stringMatching(/and positions stay open/)]);
    expect([(await maxDailyLoss(rig)).closesIntraday, await told(rig)]).toEqual([false, null]);
  });

  it('leaves what is carried, and no short position of it without its intraday hedge', async () => {
    await using rig = await riskyRig({}, [
      { ...OPTION, instrument: LONG, side: 'BUY', product: 'INTRADAY' },
      { ...OPTION, instrument: SHORT, side: 'SELL', product: 'MARGIN' },
    ]);
    await lose(rig);
    await rig.time.advance(60_000);
    expect([net(rig), net(rig, LONG), net(rig, SHORT)]).toEqual([0, 65, -65]);
    expect(alerts(rig, 'warning').at(-1)).toMatch(
      /ended partly_flat.*Not closed: NFO:NIFTY26NOV24500CE \(INTRADAY\) at alt: it may cover -65/,
    );
  });

  it('closes an intraday short position beside a carried one of the same contract', async () => {
    await using rig = await riskyRig({}, [
      { ...OPTION, instrument: SHORT, side: 'SELL', product: 'MARGIN' },
      { ...OPTION, instrument: SHORT, side: 'SELL', product: 'INTRADAY' },
    ]);
    const before = rig.sandbox.kite.orders().length;
    await lose(rig);
    await rig.time.advance(60_000);
    expect([net(rig), net(rig, SHORT)]).toEqual([0, -65]);
    const bought = rig.sandbox.kite.orders().slice(before);
    expect(bought.filter(({ instrument }) => instrument === SHORT)).toMatchObject([
      { side: 'BUY', quantity: 65, product: 'intraday' },
    ]);
  });

  it('closes an intraday spread whole, what is short first', async () => {
    await using rig = await riskyRig({}, [
      { ...OPTION, instrument: LONG, side: 'BUY', product: 'INTRADAY' },
      { ...OPTION, instrument: SHORT, side: 'SELL', product: 'INTRADAY' },
    ]);
    const before = rig.sandbox.kite.orders().length;
    await lose(rig);
    await rig.time.advance(60_000);
    expect([net(rig), net(rig, LONG), net(rig, SHORT)]).toEqual([0, 0, 0]);
    const options = rig.sandbox.kite.orders().slice(before);
    expect(
      options.filter(({ instrument }) => instrument !== 'NSE:INFY').map(({ side }) => side),
    ).toEqual(['BUY', 'SELL']);
  });
});

const HOLDINGS = '/portfolio/holdings';
const release = (rig: Rig) =>
  rig.post('/api/v1/kill-switch', { engaged: false, reason: 'looked at it' });

describe('where the account cannot be read', () => {
  it('tries again, says so once, and closes once it can be read', async () => {
    await using rig = await riskyRig();
    const fault = spoilReading(rig, 'error_before', HOLDINGS);
    await lose(rig);
    await rig.time.advance(60_000);
    expect([net(rig), await told(rig)]).toMatchObject([100, { status: 'wanted', id: null }]);
    expect(alerts(rig, 'warning')).toEqual([
      expect.stringMatching(/could not begin yet: what alt holds cannot be read.*tries again/),
    ]);
    rig.sandbox.faults.remove(fault);
    await rig.time.advance(60_000);
    expect([net(rig), closings(rig).size]).toEqual([0, 1]);
  });

  it('gives up after three minutes, with a critical alert that names what stays open', async () => {
    await using rig = await riskyRig();
    const fault = spoilReading(rig, 'error_before', HOLDINGS);
    await lose(rig);
    await rig.time.advance(170_000);
    expect(alerts(rig, 'critical')).toHaveLength(1);
    await rig.time.advance(30_000);
    expect(alerts(rig, 'critical').slice(1)).toEqual([
      expect.stringMatching(
        /at alt are NOT being closed.*what alt holds cannot be read.*last read.*: 100 NSE:INFY\./,
      ),
    ]);
    rig.sandbox.faults.remove(fault);
    await rig.restart();
    await rig.time.advance(60_000);
    expect([net(rig), closings(rig).size]).toEqual([100, 0]);
    expect(await told(rig)).toMatchObject({ status: 'not_begun', id: null });
  });

  it('begins nothing any more once the kill switch is released', async () => {
    await using rig = await riskyRig();
    const fault = spoilReading(rig, 'error_before', HOLDINGS);
    await lose(rig);
    await release(rig);
    rig.sandbox.faults.remove(fault);
    await rig.time.advance(30_000);
    expect([net(rig), closings(rig).size]).toEqual([100, 0]);
    expect(await told(rig)).toMatchObject({ reason: 'the kill switch was released before' });
  });
});

describe('after a restart', () => {
  it('goes on with what it had begun, once', async () => {
    await using rig = await riskyRig();
    await lose(rig);
    await rig.time.advance(1_000);
    expect(closings(rig).size).toBe(1);
    await rig.crash();
    await rig.time.advance(60_000);
    await rig.restart();
    await rig.time.advance(60_000);
    expect([net(rig), sold(rig), closings(rig).size]).toEqual([0, 100, 1]);
  });

  it('begins what the loss of before asked for and could not begin', async () => {
    await using rig = await riskyRig();
    const fault = spoilReading(rig, 'error_before', HOLDINGS);
    await lose(rig);
    await rig.crash();
    rig.sandbox.faults.remove(fault);
    await rig.time.advance(60_000);
    expect([net(rig), sold(rig), closings(rig).size]).toEqual([0, 100, 1]);
    expect(alerts(rig, 'critical')).toHaveLength(1);
  });

  it('begins nothing after more than five minutes, and says so once', async () => {
    await using rig = await riskyRig();
    const fault = spoilReading(rig, 'error_before', HOLDINGS);
    await lose(rig);
    const on = rig.environment.all();
    await rig.restart(memoryEnvironment({ ...on, APP_CLOSE_ON_DAILY_LOSS: 'false' }));
    rig.sandbox.faults.remove(fault);
    await rig.time.advance(330_000);
    expect(await told(rig)).toMatchObject({ status: 'wanted' });
    for (let start = 0; start < 2; start += 1) {
      await rig.restart(memoryEnvironment(on));
      await rig.time.advance(30_000);
    }
    expect(alerts(rig, 'critical').slice(1)).toEqual([
      expect.stringMatching(/NOT being closed.*: the gateway was not running for minutes/),
    ]);
    expect(net(rig)).toBe(100);
    expect(closings(rig).size).toBe(0);
  });
});

describe('a second loss after a release', () => {
  it('closes what has been bought since', async () => {
    await using rig = await riskyRig();
    await lose(rig);
    await rig.time.advance(60_000);
    await release(rig);
    await rig.time.advance(20_000);
    expect((await place(rig, INTRADAY, 'again')).status).toBe(201);
    await rig.time.advance(20_000);
    await lose(rig, 1_380);
    await rig.time.advance(60_000);
    expect([net(rig), sold(rig), closings(rig).size]).toEqual([0, 200, 2]);
  });
});
