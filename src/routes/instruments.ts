import { z } from 'zod';
import { figure, instrumentShown, number, text, word } from './answer-parts.ts';
import { type Instrument, multiplierOf } from '../domain/instrument.ts';
import type { Gateway } from '../router/gateway.ts';
import {
  day,
  defineRoute,
  digits,
  enveloped,
  instrument as instrumentText,
  json,
  pagedAlone,
  printable,
  type Route,
  success,
} from './define-route.ts';
import { NAMING } from './declared-problems.ts';
import { instrumentCursor, placeOfCursor, writeInstrumentCursor } from './instrument-cursors.ts';

const DEFAULT_LIMIT = 50;
const MOST = 1000;

export const instrumentSchema = z
  .object({
    name: instrumentShown,
    exchange: text('Exchange and segment in one word: NSE, BSE, NFO, BFO, …'),
    tradingSymbol: text('The symbol at the exchange, as orders name it: INFY'),
    segment: z
      .enum(['EQUITY', 'DERIVATIVE', 'INDEX'])
      .meta({ description: 'Shares, futures and options, or an index, which nobody trades' }),
    securityId: z
      .string()
      .nullable()
      .meta({ description: "The exchange's id of the instrument, 1594 in NSE_1594" }),
    instrumentToken: figure(
      "The alternative broker's number of it; null where its list does not have it",
    ),
    lotSize: number('Shares or units in one lot: a quantity is whole lots. 1 of a share'),
    multiplier: z.number().nullable().meta({
      description: 'Units of the underlying in one of a quantity; null where no list says it',
    }),
    tickSize: figure('Prices are whole multiples of it, in rupees; null where it is not known'),
    freezeQuantity: figure(
      'The most that the exchange takes in one order, from the lists of the exchange or the settings; null where it is not known',
    ),
    isin: word('The ISIN, the same on every exchange; null where no list has one'),
    displayName: text('The name of the company or the contract, for people; never a symbol'),
    expiry: word('The IST day on which a derivative expires; null for any other'),
    strike: figure('The price, in rupees, at which an option is exercised; null for any other'),
    optionType: z
      .enum(['CE', 'PE'])
      .nullable()
      .meta({ description: 'CE is a call, PE a put; null for what is no option' }),
  })
  .meta({ id: 'Instrument' });

export function instrumentRoutes(gateway: Gateway): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/v1/instruments',
      scope: 'read',
      operationId: 'searchInstruments',
      tag: 'Instruments',
      summary:
        'Searches instruments by words of their symbol or name, best match first; leaves out expired contracts',
      query: z.strictObject({
        q: printable(64).optional().meta({ description: 'Words, each of which must be found' }),
        exchange: z
          .string()
          .regex(/^[A-Z]{2,8}$/, 'takes an exchange, such as NSE')
          .optional()
          .meta({ description: 'Only instruments of this exchange', example: 'NSE' }),
        segment: z
          .enum(['EQUITY', 'DERIVATIVE', 'INDEX'])
          .optional()
          .meta({ description: 'Only instruments of this segment' }),
        type: z
          .enum(['FUT', 'CE', 'PE'])
          .optional()
          .meta({ description: 'Only futures, calls or puts' }),
        expiry: day.optional().meta({ description: 'Only contracts that expire on this day' }),
        limit: digits(1, MOST)
          .optional()
          .meta({ description: `The most instruments in the page; ${DEFAULT_LIMIT} when absent` }),
        cursor: instrumentCursor.optional(),
      }),
      problems: ['no_broker', 'wrong_cursor'],
      replies: {
        200: { description: 'Instruments', schema: pagedAlone(z.array(instrumentSchema)) },
      },
      handler: async ({ query: { q, limit = DEFAULT_LIMIT, cursor, ...filters } }) => {
        const wanted = { text: q, ...filters };
        const after = placeOfCursor(cursor, wanted);
        const { instruments, last } = await gateway.getInstruments({ ...wanted, limit, after });
        const nextCursor = last && writeInstrumentCursor(wanted, last);
        return json(200, success(instruments.map(instrumentView), { meta: { nextCursor } }));
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/v1/instruments/{instrument}',
      scope: 'read',
      operationId: 'getInstrument',
      tag: 'Instruments',
      summary: 'One instrument, by its name (NSE:INFY) or its security id (NSE_1594)',
      params: z.strictObject({ instrument: instrumentText }),
      problems: [...NAMING, 'no_broker'],
      replies: { 200: { description: 'The instrument', schema: enveloped(instrumentSchema) } },
      handler: async ({ params }) => {
        const found = await gateway.getInstrument(params.instrument);
        return json(200, success(instrumentView(found)));
      },
    }),
  ];
}

function instrumentView(instrument: Instrument): z.output<typeof instrumentSchema> {
  return {
    name: instrument.name,
    exchange: instrument.exchange,
    tradingSymbol: instrument.tradingSymbol,
    segment: instrument.segment,
    securityId: instrument.securityId,
    instrumentToken: instrument.instrumentToken,
    lotSize: instrument.lotSize,
    multiplier: multiplierOf(instrument),
    tickSize: instrument.tickSize,
    freezeQuantity: instrument.freezeQuantity,
    isin: instrument.isin,
    displayName: instrument.displayName,
    expiry: instrument.expiry,
    strike: instrument.strike,
    optionType: instrument.optionType,
  };
}
