import { describe, expect, it } from 'vitest';
import { continueFrom, endOf, type Continued } from './continued.ts';
import { EVENING } from './evening.ts';

const ends = async ({ byKey }: Continued): Promise<Record<string, string>> =>
  Object.fromEntries([...(await byKey(EVENING.day))].map(([key, order]) => [key, endOf(order)]));

const TAKEN = {
  resting: 'working 0',
  'at the market': 'working 0',
  sliced: 'working 0',
  'sliced#1': 'working 0',
  'sliced#2': 'working 0',
  'sliced#3': 'working 0',
  'at the primary': 'working 0',
  cancelled: 'cancelled 0',
  'never there': 'uncertain unknown',
  sending: 'working 0 by tag',
};

describe('after-market orders of the old version', () => {
  it('are kept in the evening, and what was on its way is found', async () => {
    await using continued = await continueFrom('evening');
    await continued.brokers.time.advance(60_000);
    expect(await ends(continued)).toEqual({
      ...TAKEN,
      late: 'uncertain unknown',
      'late, to be cancelled': 'uncertain unknown',
    });
  });

  it('are continued in the morning, through the session that they are for', async () => {
    await using continued = await continueFrom('evening', '2026-11-06T08:40:00+05:30');
    const { brokers } = continued;
    const placed = brokers.sandbox.kite.orders().length;
    await continued.running.logIn();
    await brokers.time.advance(60_000);
    const found = {
      ...TAKEN,
      late: 'working 0 by tag',
      'late, to be cancelled': 'cancelled 0 by tag',
    };
    expect(await ends(continued)).toEqual(found);

    await continued.restartAt('2026-11-06T09:14:00+05:30');
    await brokers.time.advanceTo('2026-11-06T09:20:00+05:30');
    const traded = {
      'at the market': 'filled 10',
      sliced: 'filled 250',
      'sliced#1': 'filled 100',
      'sliced#2': 'filled 100',
      'sliced#3': 'filled 50',
    };
    expect(await ends(continued)).toEqual({ ...found, ...traded });

    await continued.restartAt('2026-11-06T15:29:00+05:30');
    await brokers.time.advanceTo('2026-11-06T15:56:00+05:30');
    expect(await ends(continued)).toEqual({
      ...found,
      ...traded,
      resting: 'cancelled 0',
      'at the primary': 'cancelled 0',
      late: 'cancelled 0 by tag',
      'never there': 'uncertain unknown',
      sending: 'cancelled 0 by tag',
    });
    expect(brokers.sandbox.kite.orders()).toHaveLength(placed);
  });
});
