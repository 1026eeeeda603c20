import { describe, expect, it } from 'vitest';
import { answered, failureOf, success } from './support.ts';
import { leg, query, serving } from './option-chain-support.ts';

describe('the older form of the chain', () => {
  const older = (strike: number, securityId: string, more: object = {}) =>
    leg(securityId, { strike_price: strike, expiry: '2026-11-24', ...more });
  const sides = success({
    calls: [older(24450, '1'), older(24500, '3', { expiry: '2026-12-29' })],
    puts: [older(24450, '2')],
  });

  it.each([404, 405])(
    'is requested by symbol when the documented one answers %i',
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

  it('is requested first for ten minutes, and then the documented one again', async () => {
    const { marketData, paths, time } = serving({ '/option-chain': sides });
    await marketData.optionChain!(query());
    await marketData.optionChain!(query());
    expect(paths()).toEqual(['/market/option-chain', '/option-chain', '/option-chain']);
    await time.advance(600_000);
    await marketData.optionChain!(query());
    expect(paths().slice(3)).toEqual(['/market/option-chain', '/option-chain']);
  });

  it('is not remembered when it was missing too', async () => {
    const { marketData, paths } = serving({});
    for (const again of [query(), query()]) {
      expect(await failureOf(marketData.optionChain!(again))).toMatchObject({ status: 404 });
    }
    expect(paths()).toEqual([
      ...['/market/option-chain', '/option-chain'],
      ...['/market/option-chain', '/option-chain'],
    ]);
  });

  it('without an expiry is that of the nearest expiry', async () => {
    const days = ['2026-12-29', '2026-11-17', '2026-11-24'];
    const calls = days.map((expiry, index) => older(24450, `7${index}`, { expiry }));
    const { marketData } = serving({ '/option-chain': success({ calls, puts: [] }) });
    const found = await marketData.optionChain!(query({ expiry: null }));
    expect(found).toMatchObject({
      expiry: '2026-11-24',
      strikes: [{ call: { securityId: '72' } }],
    });
  });

  it('takes the expiry of an option from the master list when the row does not state it', async () => {
    const calls = [older(24450, '1', { expiry: '' })];
    const { marketData } = serving({ '/option-chain': success({ calls, puts: [] }) });
    expect(await marketData.optionChain!(query())).toMatchObject({ expiry: '2026-11-24' });
  });

  it('has no expiry where nobody states one and none was requested', async () => {
    const calls = [older(24450, '8', { expiry: '' })];
    const { marketData } = serving({ '/option-chain': success({ calls, puts: [] }) });
    expect(await marketData.optionChain!(query({ expiry: null }))).toMatchObject({
      expiry: null,
      strikes: [{ strike: 24450 }],
    });
  });

  it.each([
    [
      'does not state its expiry, where one was requested',
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

describe('the older form with one option that states its expiry and one that does not', () => {
  it('is a failure: the option may belong to this chain or to another', async () => {
    const said = leg('1', { strike_price: 24450, expiry: '2026-11-24' });
    const silent = leg('8', { strike_price: 24500 });
    const { marketData } = serving({
      '/option-chain': success({ calls: [said, silent], puts: [] }),
    });
    const failure = await failureOf(marketData.optionChain!(query({ expiry: null })));
    expect(failure).toMatchObject({ kind: 'bad_payload' });
  });
});
