import { describe, expect, it } from 'vitest';
import { answered, failureOf, success } from './support.ts';
import { nifty, serving } from './option-chain-support.ts';

describe('expiries', () => {
  it('are requested by the symbol of the derivatives, and returned in order, once each', async () => {
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
    ['one that is not a date', success(['2026-02-30']), 'bad_payload'],
    ['one that is not a text', success([20261124]), 'bad_payload'],
    ['an object instead of a list', success({}), 'bad_payload'],
    ['null without a success', answered(200, { data: null }), 'bad_payload'],
    ['an outage', answered(503, ''), 'http'],
  ])('fail for %s', async (_, reply, kind) => {
    const { marketData } = serving({ '/market/instruments/expiries': reply });
    expect(await failureOf(marketData.expiries!(nifty))).toMatchObject({ kind });
  });
});
