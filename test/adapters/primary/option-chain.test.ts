import { describe, expect, it } from 'vitest';
import type { OptionChainQuery } from '../../../src/domain/option-chain.ts';
import type { HttpReply } from '../../../src/platform/http.ts';
import {
  answered,
  failureOf,
  infosys,
  instrument,
  lost,
  option,
  setUp,
  success,
} from './support.ts';

const nifty = instrument({
  name: 'NSE:NIFTY 50',
  tradingSymbol: 'NIFTY 50',
  segment: 'INDEX',
  securityId: '40000001',
});
const contract = (securityId: string, strike: number, optionType: 'CE' | 'PE') =>
  instrument({
    ...option,
    name: `NFO:NIFTY26NOV${strike}${optionType}`,
    securityId,
    expiry: '2026-11-24',
    strike,
    optionType,
  });
const listed = [nifty, contract('1', 24450, 'CE'), contract('2', 24450, 'PE')];

const leg = (securityId: string, more: object = {}) => ({
  security_id: securityId,
  trading_symbol: 'NIFTY-Nov2026-24450-CE',
  last_price: 182.4,
  previous_close_price: '176.1',
  oi: 91_000,
  previous_oi: 84_500,
  volume: '5,82,909',
  top_bid_price: 182.3,
  top_bid_quantity: 650,
  top_ask_price: 182.5,
  top_ask_quantity: 130,
  iv: 11.8,
  greeks: { delta: 0.52, gamma: 0.0009, theta: -9.1, vega: 11.2 },
  ...more,
});
const chain = (strikes: object, more: object = {}) =>
  success({ underlying_ltp: 24_462.3, expiry: '2026-11-24', strikes, ...more });
const missing = answered(404, { status: 'error', message: 'Route not found' });
const query = (changes: Partial<OptionChainQuery> = {}): OptionChainQuery => ({
  underlying: nifty,
  expiry: '2026-11-24',
  strikes: null,
  ...changes,
});

/** A broker that answers each path by its own. */
function serving(replies: Readonly<Record<string, HttpReply>>) {
  const set = setUp({ respond: (_, url) => replies[url.pathname] ?? missing, instruments: listed });
  return { ...set, paths: () => set.transport.urls.map((url) => url.pathname) };
}
const documented = (reply: HttpReply) => serving({ '/market/option-chain': reply });

describe('an option chain', () => {
  it('is asked for by the underlying’s number, and for enough strikes on both sides', async () => {
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

  it('is mapped, with the contracts’ names from the list of instruments', async () => {
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
  ] as const)(
    'takes no name from a list that has %s under that number',
    async (_, key, row, side) => {
      const { marketData } = documented(chain({ [key]: row }));
      expect((await marketData.optionChain!(query())).strikes[0]![side]).toMatchObject({
        instrument: null,
        securityId: '1',
      });
    },
  );

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

  it('without an expiry is of the nearest that is not over', async () => {
    const { marketData, transport } = serving({
      '/market/instruments/expiries': success(['2026-12-29', '2026-11-19', '2026-11-24']),
      '/market/option-chain': chain({}),
    });
    expect(await marketData.optionChain!(query({ expiry: null }))).toMatchObject({
      expiry: '2026-11-24',
    });
    expect(transport.urls.at(-1)!.searchParams.get('expiry')).toBe('2026-11-24');
  });

  it('without an expiry is left to the broker where there is no list of them', async () => {
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
    ['with an expiry that is no day', chain({}, { expiry: 'soon' }), 'bad_payload'],
    ['without strikes', success({ underlying_ltp: 1 }), 'bad_payload'],
    ['with strikes that are null', success({ strikes: null }), 'bad_payload'],
    ['with a strike that is no number', chain({ near: { ce: leg('1') } }), 'bad_payload'],
    [
      'with a strike twice',
      chain({ '24450': { ce: leg('1') }, '24450.0': { ce: leg('2') } }),
      'bad_payload',
    ],
    ['with a leg that is none', chain({ '24450': { ce: 'x' } }), 'bad_payload'],
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

describe('the older form of the chain', () => {
  const older = (strike: number, securityId: string, more: object = {}) =>
    leg(securityId, { strike_price: strike, expiry: '2026-11-24', ...more });
  const sides = success({
    calls: [older(24450, '1'), older(24500, '3', { expiry: '2026-12-29' })],
    puts: [older(24450, '2')],
  });

  it.each([404, 405])(
    'is asked for by symbol when the documented one answers %i',
    async (status) => {
      const { marketData, transport } = serving({
        '/market/option-chain': answered(status, { status: 'error', message: 'no' }),
        '/option-chain': sides,
      });
      expect(await marketData.optionChain!(query())).toMatchObject({
        underlying: 'NSE:NIFTY 50',
        underlyingPrice: null,
        expiry: '2026-11-24',
        strikes: [
          {
            strike: 24450,
            call: { instrument: 'NFO:NIFTY26NOV24450CE', bid: 182.3 },
            put: { instrument: 'NFO:NIFTY26NOV24450PE' },
          },
        ],
      });
      expect(transport.urls.at(-1)!.search).toBe('?symbol=NIFTY');
    },
  );

  it('is asked at once for ten minutes, and then the documented one again', async () => {
    const { marketData, paths, time } = serving({ '/option-chain': sides });
    await marketData.optionChain!(query());
    await marketData.optionChain!(query());
    expect(paths()).toEqual(['/market/option-chain', '/option-chain', '/option-chain']);
    await time.advance(600_000);
    await marketData.optionChain!(query());
    expect(paths().slice(3)).toEqual(['/market/option-chain', '/option-chain']);
  });

  it('is not remembered when it was not there either', async () => {
    const { marketData, paths } = serving({});
    for (const again of [query(), query()]) {
      expect(await failureOf(marketData.optionChain!(again))).toMatchObject({ status: 404 });
    }
    expect(paths()).toEqual([
      ...['/market/option-chain', '/option-chain'],
      ...['/market/option-chain', '/option-chain'],
    ]);
  });

  it('without an expiry is of the nearest to come', async () => {
    const days = ['2026-12-29', '2026-11-17', '2026-11-24'];
    const calls = days.map((expiry, index) => older(24450, `7${index}`, { expiry }));
    const { marketData } = serving({ '/option-chain': success({ calls, puts: [] }) });
    const found = await marketData.optionChain!(query({ expiry: null }));
    expect(found).toMatchObject({
      expiry: '2026-11-24',
      strikes: [{ call: { securityId: '72' } }],
    });
  });

  it('takes the expiry of a leg from the list of instruments when the leg does not say it', async () => {
    const calls = [older(24450, '1', { expiry: '' })];
    const { marketData } = serving({ '/option-chain': success({ calls, puts: [] }) });
    expect(await marketData.optionChain!(query())).toMatchObject({ expiry: '2026-11-24' });
  });

  it('that nobody knows the expiry of is of no stated one, where none was asked for', async () => {
    const calls = [older(24450, '8', { expiry: '' })];
    const { marketData } = serving({ '/option-chain': success({ calls, puts: [] }) });
    expect(await marketData.optionChain!(query({ expiry: null }))).toMatchObject({
      expiry: null,
      strikes: [{ strike: 24450 }],
    });
  });

  it.each([
    [
      'does not say its expiry, where one was asked for',
      { calls: [older(1, '8', { expiry: '' })], puts: [] },
    ],
    ['has another expiry alone', { calls: [older(1, '8', { expiry: '2026-12-29' })], puts: [] }],
    ['has a leg without a strike', { calls: [leg('1')], puts: [] }],
    ['has no puts', { calls: [] }],
  ])('that %s is a failure', async (_, data) => {
    const { marketData } = serving({ '/option-chain': success(data) });
    expect(await failureOf(marketData.optionChain!(query()))).toMatchObject({
      kind: 'bad_payload',
    });
  });
});

describe('the older form with a leg that does not say its expiry beside one that does', () => {
  it('is a failure: the leg may be of this chain or of another', async () => {
    const said = leg('1', { strike_price: 24450, expiry: '2026-11-24' });
    const silent = leg('8', { strike_price: 24500 });
    const { marketData } = serving({
      '/option-chain': success({ calls: [said, silent], puts: [] }),
    });
    const failure = await failureOf(marketData.optionChain!(query({ expiry: null })));
    expect(failure).toMatchObject({ kind: 'bad_payload' });
  });
});

describe('expiries', () => {
  it('are asked for by the name that derivatives go by, and come in order, once each', async () => {
    const { marketData, transport } = serving({
      '/market/instruments/expiries': success(['2026-12-29', '24-Nov-2026', '2026-12-29']),
    });
    expect(await marketData.expiries!(nifty)).toEqual(['2026-11-24', '2026-12-29']);
    expect(Object.fromEntries(transport.urls[0]!.searchParams)).toEqual({
      underlying: 'NIFTY',
      segment: 'DERIVATIVE',
    });
  });

  it.each([
    ['NIFTY BANK', 'BANKNIFTY'],
    ['Nifty Fin Service', 'FINNIFTY'],
    ['SENSEX', 'SENSEX'],
  ])('of the index %s are those of %s', async (tradingSymbol, symbol) => {
    const { marketData, transport } = serving({ '/market/instruments/expiries': success(null) });
    expect(await marketData.expiries!({ ...nifty, tradingSymbol })).toEqual([]);
    expect(transport.urls[0]!.searchParams.get('underlying')).toBe(symbol);
  });

  it.each([
    ['one that is no day', success(['2026-02-30']), 'bad_payload'],
    ['one that is no text', success([20261124]), 'bad_payload'],
    ['no list', success({}), 'bad_payload'],
    ['null without a success', answered(200, { data: null }), 'bad_payload'],
    ['an outage', answered(503, ''), 'http'],
  ])('fail for %s', async (_, reply, kind) => {
    const { marketData } = serving({ '/market/instruments/expiries': reply });
    expect(await failureOf(marketData.expiries!(nifty))).toMatchObject({ kind });
  });
});
