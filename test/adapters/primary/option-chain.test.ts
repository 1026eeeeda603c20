import { describe, expect, it } from 'vitest';
import type { HttpReply } from '../../../src/platform/http.ts';
import { answered, failureOf, infosys, instrument, lost, success } from './support.ts';
import { listed, leg, query, serving } from './option-chain-support.ts';

const chain = (strikes: object, more: object = {}) =>
  success({ underlying_ltp: 24_462.3, expiry: '2026-11-24', strikes, ...more });
const documented = (reply: HttpReply) => serving({ '/market/option-chain': reply });

describe('an option chain', () => {
  it('is requested by the underlying’s id, with enough strikes on both sides', async () => {
    const { marketData, transport } = documented(chain({}));
    await marketData.optionChain!(query({ strikes: 5 }));
    expect(Object.fromEntries(transport.urls[0]!.searchParams)).toEqual({
      exchange: 'NSE',
      segment: 'INDEX',
      'underlying-scrip': '40000001',
      expiry: '2026-11-24',
      strike_count: '11',
    });
  });

  it('of a share names the segment EQUITY, and leaves the number of strikes to the broker', async () => {
    const { marketData, transport } = documented(chain({}));
    await marketData.optionChain!(query({ underlying: infosys }));
    const asked = Object.fromEntries(transport.urls[0]!.searchParams);
    expect(asked).toMatchObject({ segment: 'EQUITY', 'underlying-scrip': '1594' });
    expect(asked).not.toHaveProperty('strike_count');
  });

  it('is mapped, with the contracts’ names from the master list', async () => {
    const { marketData } = documented(
      chain({ '24450.0': { ce: leg('1'), pe: leg('99') }, '24400': { ce: null } }),
    );
    const found = await marketData.optionChain!(query());
    expect(found).toMatchObject({
      underlying: 'NSE:NIFTY 50',
      underlyingPrice: 24_462.3,
      expiry: '2026-11-24',
      strikes: [{ strike: 24450, put: { instrument: null, securityId: '99' } }],
    });
    expect(found.strikes[0]!.call).toEqual({
      instrument: 'NFO:NIFTY26NOV24450CE',
      securityId: '1',
      lastPrice: 182.4,
      previousClose: 176.1,
      openInterest: 91_000,
      previousOpenInterest: 84_500,
      volume: 582_909,
      bid: 182.3,
      bidQuantity: 650,
      ask: 182.5,
      askQuantity: 130,
      impliedVolatility: 11.8,
      greeks: { delta: 0.52, gamma: 0.0009, theta: -9.1, vega: 11.2 },
    });
  });

  it('has null for figures that are missing, zero where there is no price, or no number', async () => {
    const bare = { security_id: '1', last_price: 0, top_bid_price: '', oi: 'n/a', greeks: null };
    const { marketData } = documented(chain({ '24450': { ce: bare } }));
    const found = await marketData.optionChain!(query());
    expect(found.strikes).toMatchObject([
      {
        call: { lastPrice: null, bid: null, openInterest: null, volume: null, greeks: null },
        put: null,
      },
    ]);
  });

  it.each([
    ['another strike', '24500', { ce: leg('1') }, 'call'],
    ['the other side', '24450', { pe: leg('1') }, 'put'],
  ] as const)('takes no name from a list that has %s under that id', async (_, key, row, side) => {
    const { marketData } = documented(chain({ [key]: row }));
    expect((await marketData.optionChain!(query())).strikes[0]![side]).toMatchObject({
      instrument: null,
      securityId: '1',
    });
  });

  it('takes no name from a contract of another expiry', async () => {
    const { marketData } = documented(
      chain({ '24450': { ce: leg('1') } }, { expiry: '2026-12-29' }),
    );
    const found = await marketData.optionChain!(query({ expiry: '2026-12-29' }));
    expect(found.strikes[0]!.call).toMatchObject({ instrument: null });
  });

  it('has its strikes ascending, and no more on either side than were asked for', async () => {
    const keys = ['24600', '24550', '24500', '24450', '24400', '24350', '9900'];
    const { marketData } = documented(
      chain(Object.fromEntries(keys.map((key) => [key, { ce: leg(key) }]))),
    );
    const strikes = async (count: number | null) =>
      (await marketData.optionChain!(query({ strikes: count }))).strikes.map((each) => each.strike);
    expect(await strikes(2)).toEqual([24400, 24450, 24500, 24550]);
    expect(await strikes(null)).toEqual(keys.map(Number).toReversed());
  });

  it('keeps the strike that is the price itself besides those on its sides', async () => {
    const keys = ['24350', '24400', '24450', '24500', '24550'];
    const legs = Object.fromEntries(keys.map((key) => [key, { pe: leg(key) }]));
    const { marketData } = documented(chain(legs, { underlying_ltp: 24450 }));
    const found = await marketData.optionChain!(query({ strikes: 1 }));
    expect(found.strikes.map((each) => each.strike)).toEqual([24400, 24450, 24500]);
  });

  it('without an expiry is that of the nearest expiry', async () => {
    const { marketData, transport } = serving({
      '/market/instruments/expiries': success(['2026-12-29', '2026-11-19', '2026-11-24']),
      '/market/option-chain': chain({}),
    });
    expect(await marketData.optionChain!(query({ expiry: null }))).toMatchObject({
      expiry: '2026-11-24',
    });
    expect(transport.urls.at(-1)!.searchParams.get('expiry')).toBe('2026-11-24');
  });

  it('without an expiry leaves the choice to the broker where it lists no expiries', async () => {
    const { marketData, transport } = documented(chain({}));
    await marketData.optionChain!(query({ expiry: null }));
    expect(transport.urls.at(-1)!.searchParams.has('expiry')).toBe(false);
  });

  it.each([
    ['of another expiry', chain({}, { expiry: '2026-12-29' }), 'bad_payload'],
    [
      'with a leg of another expiry',
      chain({ '24450': { ce: leg('1', { expiry: '2026-12-29' }) } }),
      'bad_payload',
    ],
    ['with an expiry that is not a date', chain({}, { expiry: 'soon' }), 'bad_payload'],
    ['without strikes', success({ underlying_ltp: 1 }), 'bad_payload'],
    ['with strikes that are null', success({ strikes: null }), 'bad_payload'],
    ['with a strike that is not a number', chain({ near: { ce: leg('1') } }), 'bad_payload'],
    [
      'with a strike twice',
      chain({ '24450': { ce: leg('1') }, '24450.0': { ce: leg('2') } }),
      'bad_payload',
    ],
    ['with an option that is not an object', chain({ '24450': { ce: 'x' } }), 'bad_payload'],
    [
      'that is a failure inside a 2xx',
      answered(200, { status: 'error', message: 'no' }),
      'error_body',
    ],
    ['that is null', success(null), 'bad_payload'],
    ['that is refused', answered(400, { message: 'Invalid expiry' }), 'http'],
    ['that was lost', lost, 'transport'],
  ])('%s is a failure', async (_, reply, kind) => {
    const { marketData, paths } = documented(reply);
    expect(await failureOf(marketData.optionChain!(query()))).toMatchObject({ kind });
    expect(paths()).not.toContain('/option-chain');
  });

  it.each([
    ['a derivative', listed[1]!],
    ['an underlying without a number', instrument({ securityId: null })],
  ])('of %s is not asked for', async (_, underlying) => {
    const { marketData, transport } = documented(chain({}));
    for (const call of [
      marketData.optionChain!(query({ underlying })),
      marketData.expiries!(underlying),
    ]) {
      expect(await failureOf(call)).toMatchObject({ kind: 'not_sent', reason: 'not_open' });
    }
    expect(transport.requests).toHaveLength(0);
  });
});
