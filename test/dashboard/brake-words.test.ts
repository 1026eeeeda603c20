import { describe, expect, it } from 'vitest';
import type { Schemas } from '../../client/index.ts';
import { brakeWords } from '../../dashboard/src/pure/brake-words.ts';

const OFF: Schemas['Brakes'] = {
  ...{ maxOrderValue: null, maxOrderQuantity: null, maxOpenOrders: null },
  ...{ maxOrdersPerMinute: null, maxDailyLoss: null },
};
const NO_LIMITS: Schemas['KeyLimits'] = {
  ...{ maxOrderValue: null, maxOrdersPerMinute: null, maxDailyLoss: null },
  ...{ maxOrderQuantity: { every: null, named: {} }, maxOpenOrders: { every: null, named: {} } },
};
const key = (limits: Partial<Schemas['KeyLimits']>, stopped: Schemas['Key']['stopped'] = null) => ({
  limits: { ...NO_LIMITS, ...limits },
  stopped,
});
const words = (
  brakes: Schemas['Brakes'] | string,
  own: ReturnType<typeof key> | string = key({}),
  instrument = 'NSE:INFY',
): string => brakeWords(brakes, own, { broker: 'alt', instrument, mode: 'live' });

describe('the brakes of a ticket', () => {
  it('are each limit of the account that is set, and what is used of it', () => {
    const open = { broker: 'alt', instrument: 'NSE:INFY', open: 3, limit: 20 };
    const brakes: Schemas['Brakes'] = {
      maxOrderValue: 200_000,
      maxOrderQuantity: { every: 500, named: {} },
      maxOpenOrders: { every: 20, named: {}, open: [{ ...open, broker: 'paper', open: 9 }, open] },
      maxOrdersPerMinute: {
        limit: 60,
        used: [
          { mode: 'live', orders: 12 },
          { mode: 'paper', orders: 1 },
        ],
      },
      maxDailyLoss: { limit: 10_000, closesIntraday: false, accounts: [] },
    };
    expect(words(brakes)).toBe(
      'at most ₹2,00,000.00 an order, at most 500 in an order, at most 20 open orders of an instrument (3 now), at most 60 orders a minute (12 now), at most ₹10,000.00 of loss a day',
    );
  });

  it('are none only where neither the account nor the key has one', () => {
    expect(words(OFF)).toBe('none is set, for the account or for your key');
    expect(words({ ...OFF, maxOrderQuantity: { every: 500, named: {} } })).toBe(
      'at most 500 in an order',
    );
    expect(words(OFF, key({ maxOrderValue: 5_000 }))).toBe(
      'of your key: at most ₹5,000.00 an order',
    );
    expect(
      words({ ...OFF, maxOrderValue: 9_000 }, key({ maxOpenOrders: { every: 2, named: {} } })),
    ).toBe('at most ₹9,000.00 an order; of your key: at most 2 open orders of an instrument');
  });

  it('name a limit that holds by name in place of the one for every instrument', () => {
    const maxOrderQuantity = { every: 500, named: { 'NSE:INFY': 50, NIFTY: 1_800, TCS: 7 } };
    const of = (instrument: string): string =>
      words({ ...OFF, maxOrderQuantity }, key({}), instrument);
    expect(of('NSE:INFY')).toBe('at most 50 in an order of NSE:INFY');
    expect(of('BSE:TCS')).toBe('at most 7 in an order of TCS');
    expect(of('NFO:NIFTY26NOVFUT')).toBe('at most 500 in an order, of NIFTY 1,800');
    expect(of('NSE:SBIN')).toBe('at most 500 in an order');
    const onlyNamed = { every: null, named: { 'NSE:INFY': 50 } };
    expect(words({ ...OFF, maxOrderQuantity: onlyNamed }, key({}), 'NSE:SBIN')).toMatch(/^none/);
  });

  it('say that the key is stopped, and what could not be read', () => {
    const stopped = { reason: 'a loss of ₹600', at: '2026-11-23T10:00:00+05:30', by: 'gateway' };
    expect(words(OFF, key({}, stopped))).toBe(
      'your key is stopped (a loss of ₹600); none is set, for the account or for your key',
    );
    expect(words('the gateway is away', key({ maxOrderValue: 5_000 }))).toBe(
      'those of the account are not known: the gateway is away; of your key: at most ₹5,000.00 an order',
    );
    expect(words(OFF, 'the gateway is away')).toBe(
      'those of your key are not known: the gateway is away',
    );
  });
});
