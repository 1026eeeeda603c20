import { describe, expect, it } from 'vitest';
import type { BrokerId } from '../../src/domain/broker.ts';
import type { Candle } from '../../src/domain/candle.ts';
import { BrokerError, type BrokerFailure, notSent } from '../../src/domain/outcome.ts';
import type { OptionChain } from '../../src/domain/option-chain.ts';
import type { MarketData } from '../../src/domain/ports.ts';
import { createMarketReads } from '../../src/router/market-reads.ts';
import { INFY, NOW } from '../routes/support/samples.ts';
import { VirtualTime } from '../support/virtual-time.ts';
import { epochMs } from '../../src/units/branded.ts';

const CANDLE: Candle = { at: NOW, open: 1, high: 2, low: 1, close: 2, volume: 3 };
const CHAIN: OptionChain = {
  underlying: INFY.name,
  underlyingPrice: 1500,
  expiry: '2026-11-24',
  strikes: [],
};
const query = {
  instrument: 'NSE:INFY',
  interval: '5minute',
  from: epochMs(NOW - 1),
  to: NOW,
} as const;

const failing = (broker: BrokerId, failure: BrokerFailure) => async (): Promise<never> => {
  throw new BrokerError(broker, failure);
};
const outage: BrokerFailure = { kind: 'transport', message: 'the connection was reset' };
const lacking: BrokerFailure = { kind: 'not_sent', reason: 'not_open', message: 'has no 2minute' };

/** Market data of the brokers of the route, in order; those named in `loggedOut` have no session. */
function reads(
  sources: Readonly<Partial<Record<BrokerId, Partial<MarketData>>>>,
  loggedOut: readonly BrokerId[] = [],
) {
  const brokers = Object.entries(sources) as [BrokerId, Partial<MarketData>][];
  return createMarketReads({
    brokers: brokers.map(([id, source]) => ({
      id,
      mode: 'live',
      marketData: { broker: id, ...source } as MarketData,
    })),
    route: brokers.map(([id]) => id),
    view: (broker) => ({
      broker,
      mode: 'live',
      blocked: loggedOut.includes(broker) ? notSent('token', 'no token') : null,
    }),
    instrument: async () => INFY,
    clock: new VirtualTime(NOW),
  });
}

const candles = async () => [CANDLE];

describe('candles', () => {
  it('come from the first broker of the route, which the answer names', async () => {
    let asked: unknown;
    const { getCandles } = reads({
      alt: { candles: async (given) => ((asked = given), [CANDLE]) },
      primary: { candles: async () => [] },
    });
    expect(await getCandles(query)).toEqual({
      data: [CANDLE],
      meta: { broker: 'alt', mode: 'live', asOf: NOW, ageMs: 0 },
    });
    expect(asked).toEqual({
      instrument: INFY,
      interval: '5minute',
      from: epochMs(NOW - 1),
      to: NOW,
    });
  });

  it.each([
    ['cannot be reached', { candles: failing('alt', outage) }],
    ['has none at all', {}],
    ['has none of that width', { candles: failing('alt', lacking) }],
  ])('come from the next broker when the first %s', async (_, alt) => {
    const { getCandles } = reads({ alt, primary: { candles } });
    expect((await getCandles(query)).meta.broker).toBe('primary');
  });

  it('come from the next broker when the first has no session', async () => {
    const { getCandles } = reads({ alt: { candles: async () => [] }, primary: { candles } }, [
      'alt',
    ]);
    expect((await getCandles(query)).meta.broker).toBe('primary');
  });

  it('are empty when one broker says that there are none', async () => {
    const { getCandles } = reads({ alt: { candles: async () => [] }, primary: { candles } });
    expect((await getCandles(query)).data).toEqual([]);
  });

  it('fail with the first broker’s error when none answers', async () => {
    const { getCandles } = reads({
      alt: { candles: failing('alt', lacking) },
      primary: { candles: failing('primary', outage) },
    });
    await expect(getCandles(query)).rejects.toMatchObject({ broker: 'primary', failure: outage });
  });

  it('that no broker offers are a mistake of the request, with the reason', async () => {
    const { getCandles } = reads({ alt: { candles: failing('alt', lacking) }, primary: {} });
    await expect(getCandles(query)).rejects.toMatchObject({
      code: 'not_offered',
      message:
        'no broker has candles of 5minute for NSE:INFY ' +
        '(alt: has no 2minute; primary does not have it)',
    });
  });

  it('that only a broker without a session offers are not an invalid request', async () => {
    const { getCandles } = reads(
      { alt: { candles: failing('alt', lacking) }, primary: { candles } },
      ['primary'],
    );
    await expect(getCandles(query)).rejects.toMatchObject({ code: 'no_broker' });
  });

  it('are unavailable when no broker has a session', async () => {
    const { getCandles } = reads({ alt: { candles }, primary: { candles } }, ['alt', 'primary']);
    await expect(getCandles(query)).rejects.toMatchObject({ code: 'no_broker' });
  });

  it('come only from the broker that the caller names', async () => {
    const { getCandles } = reads({
      alt: { candles },
      primary: { candles: failing('primary', outage) },
    });
    const named = getCandles(query, { broker: 'primary' });
    await expect(named).rejects.toMatchObject({ broker: 'primary' });
  });

  it('are not supported by a named broker that has none', async () => {
    const { getCandles } = reads({ alt: { candles }, primary: {} });
    const named = getCandles(query, { broker: 'primary' });
    await expect(named).rejects.toMatchObject({ code: 'not_supported' });
  });

  it('fail at once with an unexpected error', async () => {
    const { getCandles } = reads({
      alt: { candles: async () => Promise.reject(new TypeError('a slip')) },
      primary: { candles },
    });
    await expect(getCandles(query)).rejects.toThrow(TypeError);
  });
});

describe('an option chain', () => {
  it('comes from the broker that has one', async () => {
    let asked: unknown;
    const { getOptionChain } = reads({
      alt: {},
      primary: { optionChain: async (given) => ((asked = given), CHAIN) },
    });
    const wanted = { underlying: 'NSE:INFY', expiry: null, strikes: 5 };
    expect(await getOptionChain(wanted)).toMatchObject({
      data: CHAIN,
      meta: { broker: 'primary' },
    });
    expect(asked).toEqual({ underlying: INFY, expiry: null, strikes: 5 });
  });
});

describe('expiries', () => {
  it('come from the broker that has them', async () => {
    const { getExpiries } = reads({ alt: {}, primary: { expiries: async () => ['2026-11-24'] } });
    expect((await getExpiries('NSE:INFY')).data).toEqual(['2026-11-24']);
  });

  it('that no broker of the route has are not supported', async () => {
    const { getExpiries } = reads({ alt: {} });
    await expect(getExpiries('NSE:INFY')).rejects.toMatchObject({
      code: 'not_supported',
      message: 'no broker has expiries of NSE:INFY (alt does not have it)',
    });
  });
});
