import { describe, expect, it } from 'vitest';
import { pagesOf } from '../../../src/adapters/alt/candles.ts';
import type { CandleInterval, CandleQuery } from '../../../src/domain/candle.ts';
import type { HttpRequest } from '../../../src/platform/http.ts';
import { altBench, failureOf, instrument, type Bench } from './support/alt-broker.ts';
import { html, success } from './support/scripted-transport.ts';
import { epochMs, type EpochMs } from '../../../src/units/branded.ts';

const DAY = 86_400_000;
const ist = (text: string): EpochMs => epochMs(Date.parse(`${text.replace(' ', 'T')}+05:30`));
const FROM = ist('2026-01-01 09:15:00');

const stamp = (at: number): string =>
  new Date(at + 5.5 * 3_600_000).toISOString().replace('.000Z', '+0530');
const candle = (at: number, close = 1): unknown[] => [stamp(at), 1, 1, 1, close, 5];

const query = (changes: Partial<CandleQuery> = {}): CandleQuery => ({
  instrument: instrument('NSE:INFY'),
  interval: '1minute',
  from: FROM,
  to: epochMs(FROM + DAY),
  ...changes,
});

const asked = (request: HttpRequest, name: string): number =>
  ist(new URL(request.url).searchParams.get(name) ?? '');

/** Answers each page with one candle at its beginning. */
const oneEach = (request: HttpRequest) => success({ candles: [candle(asked(request, 'from'))] });

const read = ({ broker, time }: Bench, changes: Partial<CandleQuery> = {}) =>
  time.settle(broker.marketData.candles(query(changes)));

it('candles are asked for with their open interest', async () => {
  const bench = altBench(oneEach);
  await read(bench);
  expect(new URL(bench.transport.last.url).searchParams.get('oi')).toBe('1');
});

describe('candles over a long span', () => {
  it.each([
    ['1minute', 60],
    ['3minute', 100],
    ['5minute', 100],
    ['10minute', 100],
    ['15minute', 200],
    ['30minute', 200],
    ['60minute', 400],
    ['1day', 2_000],
  ] as const)('of %s go %i days to a call', async (interval, days) => {
    const bench = altBench(oneEach);
    const candles = await read(bench, { interval, to: epochMs(FROM + (days + 1) * DAY) });
    const spans = bench.transport.requests.map(
      (request) => asked(request, 'to') - asked(request, 'from'),
    );
    expect(spans).toEqual([days * DAY - 1_000, DAY - 1_000]);
    expect(candles.map(({ at }) => at)).toEqual([FROM, FROM + days * DAY]);
  });

  it('leave no gap between calls, and request nothing twice', () => {
    const pages = pagesOf(FROM, epochMs(FROM + 130.5 * DAY), 60);
    expect(pages.map(({ from, to }) => [(from - FROM) / DAY, (to - FROM) / DAY])).toEqual([
      [0, 60],
      [60, 120],
      [120, 130.5],
    ]);
  });

  it('fail as a whole when one of the calls fails', async () => {
    const bench = altBench(success({ candles: [candle(FROM)] }), html(502));
    const failure = failureOf(
      bench.broker.marketData.candles(query({ to: epochMs(FROM + 61 * DAY) })),
    );
    expect((await bench.time.settle(failure)).kind).toBe('http');
  });

  it('keep to three calls a second', async () => {
    const bench = altBench(oneEach);
    const reading = bench.broker.marketData.candles(query({ to: epochMs(FROM + 240 * DAY) }));
    await bench.time.advance(999);
    expect(bench.transport.requests).toHaveLength(3);
    expect(await bench.time.settle(reading)).toHaveLength(4);
  });

  it('are oldest first and each appears once, whatever the order and the overlap', async () => {
    const at = (days: number): number => FROM + days * DAY;
    const bench = altBench(
      success({ candles: [candle(at(59)), candle(at(1)), candle(at(60), 7)] }),
      success({ candles: [candle(at(60), 8), candle(at(1))] }),
    );
    const candles = await read(bench, { to: epochMs(at(61)) });
    expect(candles.map(({ at: when, close }) => [(when - FROM) / DAY, close])).toEqual([
      [1, 1],
      [59, 1],
      [60, 8],
    ]);
  });
});

describe('the ends of a span', () => {
  it('include the first instant and exclude the last', async () => {
    const bench = altBench(
      success({ candles: [FROM - 60_000, FROM, FROM + 60_000].map((at) => candle(at)) }),
    );
    const candles = await read(bench, { to: epochMs(FROM + 60_000) });
    expect(candles.map(({ at }) => at)).toEqual([FROM]);
    expect(asked(bench.transport.last, 'to')).toBe(FROM + 59_000);
  });

  it('send no request when there is nothing between them', async () => {
    const bench = altBench(oneEach);
    expect(await read(bench, { to: FROM })).toEqual([]);
    expect(bench.transport.requests).toEqual([]);
  });

  it.each([
    ['before any clock', { from: epochMs(-1) }],
    ['that are no numbers', { from: epochMs(NaN) }],
    ['without an end', { to: epochMs(Infinity) }],
    ['after any clock', { to: epochMs(8.64e15) }],
    ['further apart than 100 calls reach', { from: epochMs(0), to: FROM }],
  ])('send no request when they are %s', async (_what, changes) => {
    const bench = altBench(oneEach);
    const failure = await failureOf(bench.broker.marketData.candles(query(changes)));
    expect(failure).toMatchObject({ kind: 'not_sent', reason: 'not_open' });
    expect(bench.transport.requests).toEqual([]);
  });

  it.each(['2minute', '4minute', '120minute', '1week', '1month'] as CandleInterval[])(
    'are not asked for at %s, which the broker does not have',
    async (interval) => {
      const bench = altBench(oneEach);
      const failure = await failureOf(bench.broker.marketData.candles(query({ interval })));
      expect(failure).toMatchObject({ kind: 'not_sent', reason: 'not_open' });
      expect(bench.transport.requests).toEqual([]);
    },
  );
});
