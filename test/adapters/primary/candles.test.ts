import { describe, expect, it } from 'vitest';
import type { CandleQuery } from '../../../src/domain/candle.ts';
import type { HttpReply } from '../../../src/platform/http.ts';
import { answered, failureOf, infosys, instrument, lost, setUp } from './support.ts';
import { epochMs, type EpochMs } from '../../../src/units/branded.ts';

const at = (text: string): EpochMs => epochMs(Date.parse(`${text}+05:30`));
const row = (seconds: number, more: object = {}) => ({
  ts: seconds,
  o: 1500.05,
  h: 1510,
  l: '1,490.5',
  c: 1505,
  v: 12_000,
  ...more,
});
const history = (data: unknown): HttpReply => answered(200, { success: true, data });
const badCodes = answered(400, { debug_info: 'Invalid scrip codes', message: 'Bad Request' });

const query = (changes: Partial<CandleQuery> = {}): CandleQuery => ({
  instrument: infosys,
  interval: '5minute',
  from: at('2026-11-19T09:15:00'),
  to: at('2026-11-19T15:30:00'),
  ...changes,
});

const windows = (urls: readonly URL[]) =>
  urls.map(({ searchParams }) =>
    ['start_time', 'end_time'].map((name) => Number(searchParams.get(name))),
  );

/** A broker with a candle at each of these instants, both ends of a window included. */
const tradingAt =
  (...instants: readonly number[]) =>
  (_: unknown, url: URL): HttpReply => {
    const [[from, to]] = windows([url]) as [[number, number]];
    const candles = instants.filter((each) => each >= from && each <= to);
    return history({ NSE_1594: { candles: candles.map((each) => row(each / 1000)) } });
  };

describe('candles', () => {
  it('are asked for in epoch milliseconds, and read in epoch seconds', async () => {
    const begun = at('2026-11-19T09:15:00');
    const { marketData, transport } = setUp({ respond: tradingAt(begun) });
    expect(await marketData.candles!(query())).toEqual([
      { at: begun, open: 1500.05, high: 1510, low: 1490.5, close: 1505, volume: 12_000 },
    ]);
    const url = transport.urls[0]!;
    expect(url.pathname).toBe('/market/historical/5minute');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      'scrip-codes': 'NSE_1594',
      start_time: String(begun),
      end_time: String(at('2026-11-19T15:30:00')),
    });
  });

  it('of a wide window are read page by page, oldest first', async () => {
    const days = ['2026-11-02', '2026-11-10', '2026-11-18'].map((day) => at(`${day}T10:00:00`));
    const { marketData, transport, time } = setUp({ respond: tradingAt(...days) });
    const from = at('2026-11-01T00:00:00');
    const found = await time.settle(marketData.candles!(query({ from })));
    expect(found.map((candle) => candle.at)).toEqual(days);
    const pages = windows(transport.urls);
    expect(pages).toHaveLength(3);
    expect(pages.flat()).toEqual([
      from,
      ...['2026-11-08', '2026-11-08', '2026-11-15', '2026-11-15'].map((day) =>
        at(`${day}T00:00:00`),
      ),
      at('2026-11-19T15:30:00'),
    ]);
  });

  it('that are on two pages are returned once', async () => {
    const border = at('2026-11-08T00:00:00');
    const { marketData, time } = setUp({ respond: tradingAt(border) });
    const found = await time.settle(
      marketData.candles!(query({ from: at('2026-11-01T00:00:00') })),
    );
    expect(found.map((candle) => candle.at)).toEqual([border]);
  });

  it('that are on two pages are taken from the later one, which has them complete', async () => {
    const border = at('2026-11-08T00:00:00');
    const { marketData, transport, time } = setUp();
    transport.respond = () =>
      history({ NSE_1594: { candles: [row(border / 1000, { v: transport.requests.length })] } });
    const found = marketData.candles!(
      query({ from: at('2026-11-01T00:00:00'), to: epochMs(border + 1) }),
    );
    expect(await time.settle(found)).toMatchObject([{ at: border, volume: 2 }]);
  });

  it('at the end of the window are left out', async () => {
    const { from, to } = query();
    const { marketData } = setUp({ respond: tradingAt(from, to) });
    expect((await marketData.candles!(query())).map((candle) => candle.at)).toEqual([from]);
  });

  it('are sorted where the broker does not sort them', async () => {
    const times = [at('2026-11-19T09:25:00'), at('2026-11-19T09:15:00')];
    const { marketData } = setUp({
      respond: () => history({ NSE_1594: { candles: times.map((each) => row(each / 1000)) } }),
    });
    const found = await marketData.candles!(query());
    expect(found.map((candle) => candle.at)).toEqual(times.toSorted());
  });

  it('of the future are not asked for', async () => {
    const { marketData, transport, time } = setUp({ respond: () => history({}) });
    const to = at('2027-11-19T00:00:00');
    expect(await time.settle(marketData.candles!(query({ to })))).toEqual([]);
    expect(transport.requests).toHaveLength(1);
  });

  it('are an empty list when the broker reports success and has none', async () => {
    for (const data of [{}, null, { NSE_1594: null }, { NSE_1594: { candles: [] } }]) {
      const { marketData } = setUp({ respond: () => history(data) });
      expect(await marketData.candles!(query())).toEqual([]);
    }
  });

  it('without a volume, as of an index, have 0', async () => {
    const seconds = query().from / 1000;
    const { marketData } = setUp({
      respond: () => history({ NSE_1594: { candles: [row(seconds, { v: null })] } }),
    });
    expect(await marketData.candles!(query())).toMatchObject([{ volume: 0 }]);
  });

  const candle = (more: object) => history({ NSE_1594: { candles: [row(1_790_000_000, more)] } });
  it.each([
    ['an outage', answered(503, ''), 'http'],
    ['a lost connection', lost, 'transport'],
    ['a failure inside a 2xx', answered(200, { success: false, data: {} }), 'error_body'],
    ['an empty reply without a success', answered(200, { data: {} }), 'bad_payload'],
    [
      'an empty list without a success',
      answered(200, { data: { NSE_1594: { candles: [] } } }),
      'bad_payload',
    ],
    ['no data', answered(200, { success: true }), 'bad_payload'],
    ['another code’s candles', history({ NSE_1: { candles: [] } }), 'bad_payload'],
    ['candles that are not a list', history({ NSE_1594: { candles: {} } }), 'bad_payload'],
    ['a time in milliseconds', candle({ ts: 1_790_000_000_000 }), 'bad_payload'],
    ['a candle without a time', candle({ ts: null }), 'bad_payload'],
    ['a candle without a price', candle({ c: '' }), 'bad_payload'],
    ['a row that is null', history({ NSE_1594: { candles: [null] } }), 'bad_payload'],
    ['a page', answered(200, '<html>'), 'bad_payload'],
  ])('fail for %s', async (_, reply, kind) => {
    const { marketData } = setUp({ respond: () => reply });
    expect(await failureOf(marketData.candles!(query()))).toMatchObject({ kind });
  });

  it('fail as a whole when one page fails', async () => {
    const { marketData, transport, time } = setUp();
    transport.respond = () =>
      transport.requests.length === 2
        ? answered(503, '')
        : history({ NSE_1594: { candles: [row(query().from / 1000)] } });
    const failure = failureOf(
      time.settle(marketData.candles!(query({ from: at('2026-11-01T00:00:00') }))),
    );
    expect(await failure).toMatchObject({ kind: 'http', status: 503 });
    expect(transport.requests).toHaveLength(2);
  });

  it('of an index are asked for under its second code when the first is bad', async () => {
    const index = instrument({ name: 'NSE:NIFTY 50', segment: 'INDEX', securityId: '40000001' });
    const { marketData, transport, time } = setUp({
      respond: (_, url) =>
        url.searchParams.get('scrip-codes') === 'NIDX_40000001'
          ? badCodes
          : history({ NSE_40000001: { candles: [row(query().from / 1000)] } }),
    });
    const found = await time.settle(marketData.candles!(query({ instrument: index })));
    expect(found).toHaveLength(1);
    expect(transport.requests).toHaveLength(2);
  });

  it('that a code lacks do not affect its quotes', async () => {
    const { marketData, transport, time } = setUp({ respond: () => badCodes });
    expect(await failureOf(time.settle(marketData.candles!(query())))).toMatchObject({
      kind: 'not_sent',
      reason: 'not_open',
    });
    transport.respond = () => history({ NSE_1594: { live_price: 1500 } });
    expect((await marketData.quotes([infosys])).size).toBe(1);
  });

  it.each([
    ['an instrument without an id', { instrument: instrument({ securityId: null }) }],
    ['a window of more pages than others could wait for', { from: at('2020-01-01T00:00:00') }],
  ])('are not asked for %s', async (_, changes) => {
    const { marketData, transport, time } = setUp({ respond: () => history({}) });
    const failure = await failureOf(time.settle(marketData.candles!(query(changes))));
    expect(failure).toMatchObject({ kind: 'not_sent', reason: 'not_open' });
    expect(transport.requests).toHaveLength(0);
  });
});
