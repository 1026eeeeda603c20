import { z } from 'zod';
import { atOrNull, figure, instrumentShown, number } from './answer-parts.ts';
import { isInstrumentText } from '../domain/instrument.ts';
import type { Answer } from '../domain/answer.ts';
import { GatewayProblem } from '../domain/problem.ts';
import type { DepthLevel, Quote } from '../domain/quote.ts';
import type { Found, Gateway, ReadOptions } from '../router/gateway.ts';
import {
  answered,
  type BrokerInputs,
  defineRoute,
  INSTRUMENT_TAKES,
  isoOrNull,
  json,
  metaView,
  type Reply,
  type Route,
  success,
} from './define-route.ts';
import { MARKET_READS } from './declared-problems.ts';
import { unchanging } from './shared-texts.ts';

const MOST_INSTRUMENTS = 500;

const level = z.object({
  price: number('Rupees'),
  quantity: number('Shares or units that wait at this price'),
  orders: figure('How many orders wait at this price; null where the broker does not tell it'),
});

const UNTOLD = '; null where the broker does not tell it';

export const quoteSchema = z
  .object({
    instrument: instrumentShown,
    lastPrice: number('The price of the last trade, in rupees'),
    open: figure(`The first price of the day, in rupees${UNTOLD}`),
    high: figure(`The highest price of the day, in rupees${UNTOLD}`),
    low: figure(`The lowest price of the day, in rupees${UNTOLD}`),
    previousClose: figure(`The close of the trading day before, in rupees${UNTOLD}`),
    change: figure(`Rupees from the close before to the last price, as the broker has it${UNTOLD}`),
    changePercent: figure(`The same in percent of the close before${UNTOLD}`),
    volume: figure(`Shares or units traded today${UNTOLD}`),
    bid: figure(
      'The highest price that somebody buys at, in rupees; null where nobody does, or it is not told',
    ),
    ask: figure('The lowest price that somebody sells at, in rupees; null likewise'),
    depth: z
      .object({
        buy: z.array(level).meta({ description: 'Orders that buy, best price first' }),
        sell: z.array(level).meta({ description: 'Orders that sell, best price first' }),
      })
      .nullable()
      .meta({ description: `What waits at the best prices of each side${UNTOLD}` }),
    upperCircuit: figure(`The highest price that the exchange takes today, in rupees${UNTOLD}`),
    lowerCircuit: figure(`The lowest price that the exchange takes today, in rupees${UNTOLD}`),
    yearHigh: figure(`The highest price of the last 52 weeks, in rupees${UNTOLD}`),
    yearLow: figure(`The lowest price of the last 52 weeks, in rupees${UNTOLD}`),
    averagePrice: figure(`The average price of the day by volume, in rupees${UNTOLD}`),
    lastQuantity: figure(`Shares or units of the last trade${UNTOLD}`),
    lastTradeAt: atOrNull(`When the last trade was made${UNTOLD}`),
    buyQuantity: figure(`All that waits to be bought at the exchange, shares or units${UNTOLD}`),
    sellQuantity: figure(`All that waits to be sold at the exchange, shares or units${UNTOLD}`),
    openInterest: figure(
      `The open interest of a derivative, as the broker counts it${UNTOLD}; some brokers write 0 of a share`,
    ),
    openInterestHigh: figure(`The highest open interest of the day${UNTOLD}`),
    openInterestLow: figure(`The lowest open interest of the day${UNTOLD}`),
    at: atOrNull(`Of what time the quote is, by the broker${UNTOLD}`),
  })
  .meta({ id: 'Quote' });

const ohlcSchema = quoteSchema
  .pick({
    ...{ instrument: true, lastPrice: true, open: true, high: true, low: true },
    ...{ previousClose: true, at: true },
  })
  .meta({ id: 'Ohlc' });

const lastPriceSchema = z
  .object({ instrument: instrumentShown, lastPrice: quoteSchema.shape.lastPrice })
  .meta({ id: 'LastPrice' });

/** By instrument as the caller wrote it; `errors` says why there is no answer for an instrument. */
function byInstrument<T extends z.ZodType>(data: T) {
  return answered(z.record(z.string(), data)).extend({
    errors: z.record(z.string(), z.string()).meta({
      description: 'By instrument as the request has it, why there is no answer for it',
    }),
  });
}

/** Several instruments in one parameter. */
export function instrumentListOf(most: number) {
  return z
    .string()
    .transform(listOf)
    .refine((list) => list.length > 0, 'is required: name at least one instrument')
    .refine((list) => list.length <= most, `takes at most ${most}`)
    .meta({
      description: 'Instruments, separated by commas',
      example: 'NSE:INFY,NSE_2885',
      override: { type: 'string', pattern: '^[, ]*[^, ][ -~]*$' },
    });
}

const instrumentList = instrumentListOf(MOST_INSTRUMENTS);

export function quoteRoutes(gateway: Gateway, { readQuery }: BrokerInputs): readonly Route[] {
  const query = readQuery.extend({ instruments: instrumentList });
  return [
    defineRoute({
      method: 'GET',
      path: '/api/v1/quotes',
      scope: 'read',
      isMarketData: true,
      isRepeatable: true,
      operationId: 'getQuotes',
      tag: 'Prices',
      summary: 'Quotes by instrument',
      query,
      problems: MARKET_READS,
      replies: { 200: { description: 'Quotes', schema: byInstrument(quoteSchema) } },
      handler: ({ query: { instruments, ...options } }) =>
        priced(instruments, options, gateway.getQuotes.bind(gateway), quoteView),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/v1/ohlc',
      scope: 'read',
      isMarketData: true,
      isRepeatable: true,
      operationId: 'getOhlc',
      tag: 'Prices',
      summary: "The day's open, high and low, the close before, and the last price, by instrument",
      query,
      problems: MARKET_READS,
      replies: { 200: { description: 'Prices of the day', schema: byInstrument(ohlcSchema) } },
      handler: ({ query: { instruments, ...options } }) =>
        priced(instruments, options, gateway.getQuotes.bind(gateway), ohlcView),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/v1/ltp',
      scope: 'read',
      isMarketData: true,
      isRepeatable: true,
      operationId: 'getLastPrices',
      tag: 'Prices',
      summary: 'Last traded prices by instrument',
      query,
      problems: MARKET_READS,
      replies: { 200: { description: 'Last prices', schema: byInstrument(lastPriceSchema) } },
      handler: ({ query: { instruments, ...options } }) =>
        priced(
          instruments,
          options,
          gateway.getLastPrices.bind(gateway),
          ({ instrument, lastPrice }) => ({ instrument, lastPrice }),
        ),
    }),
  ];
}

/**
 * A wrong name among right ones appears under `errors`; if all are wrong, the request is refused.
 */
async function priced<T>(
  instruments: readonly string[],
  options: ReadOptions,
  ask: (instruments: readonly string[], options: ReadOptions) => Promise<Answer<Found<T>>>,
  view: (data: T) => unknown,
): Promise<Reply> {
  const well = instruments.filter(isInstrumentText);
  if (well.length === 0) {
    throw new GatewayProblem({
      code: 'invalid_request',
      detail: `query.instruments: ${INSTRUMENT_TAKES}`,
      errors: [{ path: 'query.instruments', message: INSTRUMENT_TAKES }],
    });
  }
  const { data, meta } = await ask(well, options);
  const ill = instruments.filter((each) => !well.includes(each));
  const errors = [...data.errors, ...ill.map((each) => [each, INSTRUMENT_TAKES] as const)];
  return json(
    200,
    success(Object.fromEntries([...data.found].map(([name, each]) => [name, view(each)])), {
      errors: Object.fromEntries(errors),
      meta: metaView(meta),
    }),
  );
}

function listOf(text: string): readonly string[] {
  const items = text.split(',').map((item) => item.trim());
  return [...new Set(items.filter((item) => item !== ''))];
}

/** Of a quote that many ask for; quotes do not change. */
const views = new WeakMap<Quote, z.output<typeof quoteSchema>>();

function quoteView(quote: Quote): z.output<typeof quoteSchema> {
  let view = views.get(quote);
  if (!view) views.set(quote, (view = unchanging(newQuoteView(quote))));
  return view;
}

function newQuoteView(quote: Quote): z.output<typeof quoteSchema> {
  return {
    instrument: quote.instrument,
    lastPrice: quote.lastPrice,
    open: quote.open,
    high: quote.high,
    low: quote.low,
    previousClose: quote.previousClose,
    change: quote.change,
    changePercent: quote.changePercent,
    volume: quote.volume,
    bid: quote.bid,
    ask: quote.ask,
    depth: quote.depth && {
      buy: quote.depth.buy.map(levelView),
      sell: quote.depth.sell.map(levelView),
    },
    upperCircuit: quote.upperCircuit,
    lowerCircuit: quote.lowerCircuit,
    yearHigh: quote.yearHigh ?? null,
    yearLow: quote.yearLow ?? null,
    averagePrice: quote.trading?.averagePrice ?? null,
    lastQuantity: quote.trading?.lastQuantity ?? null,
    lastTradeAt: isoOrNull(quote.trading?.lastTradeAt ?? null),
    buyQuantity: quote.trading?.buyQuantity ?? null,
    sellQuantity: quote.trading?.sellQuantity ?? null,
    openInterest: quote.trading?.openInterest ?? null,
    openInterestHigh: quote.trading?.openInterestHigh ?? null,
    openInterestLow: quote.trading?.openInterestLow ?? null,
    at: isoOrNull(quote.at),
  };
}

function ohlcView(quote: Quote): z.output<typeof ohlcSchema> {
  const { instrument, lastPrice, open, high, low, previousClose, at } = quote;
  return { instrument, lastPrice, open, high, low, previousClose, at: isoOrNull(at) };
}

function levelView({ price, quantity, orders }: DepthLevel): z.output<typeof level> {
  return { price, quantity, orders };
}
