import { describe, expect, it } from 'vitest';
import type { Position } from '../../../src/domain/portfolio.ts';
import type { ExecutionState } from '../../../src/execution/journal/state.ts';
import type { Change } from '../../../src/execution/journal/records.ts';
import { createLossWatch, type LossWatchParts } from '../../../src/execution/loss/loss-watch.ts';
import { decideKillSwitch, killSwitchOf } from '../../../src/execution/submit/brakes.ts';
import { silentLog } from '../../../src/platform/log.ts';
import type { Decision } from '../../../src/platform/single-writer.ts';
import { VirtualTime } from '../../support/virtual-time.ts';
import { accept, alertsOf, instrument, portfolio, position, stateOf } from '../support/makers.ts';

const MINUTE_MS = 60_000;
const CRUDE = 'MCX:CRUDEOIL26NOVFUT';

/** Ten shares or lots, bought today, that have lost so many rupees. */
const losing = (name: string, rupees: number): Position =>
  position({
    ...{ instrument: name, product: 'MARGIN', quantity: 10, buyQuantity: 10, lastPrice: 100 },
    day: { buyQuantity: 10, buyValue: 1_000 + rupees, sellQuantity: 0, sellValue: 0 },
  });

/** The watch of an account whose positions a test writes, with a limit of 5,000 rupees. */
function bench(start: string) {
  const time = new VirtualTime(start);
  const state = stateOf();
  const account = { positions: [] as Position[], isReadable: true, reads: 0 };
  const alerts: unknown[] = [];
  const submit = async <Reply>(decide: (current: ExecutionState) => Decision<Change, Reply>) => {
    const decision = decide(state);
    alerts.push(...alertsOf(decision));
    return accept(state, decision);
  };
  const watch = createLossWatch({
    ...{ trading: { broker: 'alt', mode: 'live', blocked: () => null }, marketHours: 'exchange' },
    account: {
      broker: 'alt',
      positions() {
        account.reads += 1;
        if (!account.isReadable) return Promise.reject(new Error('maintenance'));
        return Promise.resolve(account.positions);
      },
      unread: () => [],
    },
    ...{ now: () => time.now(), clock: time, scheduler: time, log: silentLog, limit: 5_000 },
    instruments: { byName: (name: string) => instrument({ name }) },
    ...{ loadInstruments: () => Promise.resolve(), quotes: () => Promise.resolve(new Map()) },
    ...{ writer: { state, submit }, commitRetry: { commit: submit, stop: () => undefined } },
    engage: (command: Parameters<typeof decideKillSwitch>[1]) =>
      submit((current) => decideKillSwitch(current, { ...command, at: time.now() })),
    closeIntraday: null,
  } as unknown as LossWatchParts);
  return {
    ...{ time, account, alerts, watch },
    isEngaged: () => killSwitchOf(state)?.engaged === true,
    /** The gateway has read the account for another reason. */
    know(positions: Position[]) {
      const row = portfolio({ broker: 'alt', readAt: time.now(), positions });
      accept(state, { changes: [{ table: 'portfolios', key: 'alt', row }], reply: null });
    },
  };
}

describe('the daily loss of an account in the evening', () => {
  it('is seen of a contract that is bought then, within a minute and the seconds of a second read', async () => {
    const { time, account, isEngaged } = bench('2026-11-06T15:00:00+05:30');
    await time.advance(4 * 60 * MINUTE_MS);
    account.positions = [losing(CRUDE, 50_000)];
    await time.advance(MINUTE_MS + 20_000);
    expect(isEngaged()).toBe(true);
  });

  it('is seen where the gateway starts then', async () => {
    const { time, account, isEngaged } = bench('2026-11-06T18:00:00+05:30');
    account.positions = [losing(CRUDE, 50_000)];
    await time.advance(30_000);
    expect(isEngaged()).toBe(true);
  });

  it('is read each fifteen seconds once the gateway has seen the position', async () => {
    const { time, account, know } = bench('2026-11-06T18:00:00+05:30');
    await time.advance(MINUTE_MS);
    account.positions = [losing(CRUDE, 0)];
    know(account.positions);
    const before = account.reads;
    await time.advance(MINUTE_MS);
    expect(account.reads - before).toBeGreaterThanOrEqual(4);
  });

  it('of shares alone does not count then, and no alert says that it cannot be read', async () => {
    const { time, account, alerts, isEngaged } = bench('2026-11-06T18:00:00+05:30');
    account.positions = [losing('NSE:INFY', 50_000)];
    await time.advance(10 * MINUTE_MS);
    expect(account.reads).toBeLessThanOrEqual(11);
    account.isReadable = false;
    await time.advance(10 * MINUTE_MS);
    expect([isEngaged(), alerts]).toEqual([false, []]);
  });

  it('is not read at night', async () => {
    const { time, account } = bench('2026-11-07T00:30:00+05:30');
    await time.advance(10 * MINUTE_MS);
    expect(account.reads).toBe(0);
  });
});

describe('a list of positions that lacks a row', () => {
  it('does not deny a loss that was seen before another one lacks it too', async () => {
    const { time, account, isEngaged } = bench('2026-11-06T11:00:00+05:30');
    account.positions = [losing('NSE:INFY', 50_000)];
    await time.advance(16_000);
    expect(isEngaged()).toBe(false);
    account.positions = [];
    await time.advance(2_000);
    account.positions = [losing('NSE:INFY', 50_000)];
    await time.advance(5_000);
    expect(isEngaged()).toBe(true);
  });

  it('is believed where the next one lacks it as well', async () => {
    const { time, account, watch } = bench('2026-11-06T11:00:00+05:30');
    account.positions = [losing('NSE:INFY', 3_000)];
    await time.advance(16_000);
    expect(watch.state().profit).toBe(-3_000);
    account.positions = [];
    await time.advance(20_000);
    expect(watch.state().profit).toBe(0);
  });
});
