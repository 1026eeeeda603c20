import { z } from 'zod';
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
    name: z.string(),
    exchange: z.string(),
    tradingSymbol: z.string(),
    segment: z.enum(['EQUITY', 'DERIVATIVE', 'INDEX']),
    securityId: z
      .string()
      .nullable()
      .meta({ description: "The exchange's id of the instrument, 1594 in NSE_1594" }),
    instrumentToken: z.number().nullable(),
    lotSize: z.number(),
    multiplier: z.number().nullable().meta({
      description: 'Units of the underlying in one of a quantity; null where no list says it',
    }),
    tickSize: z.number().nullable(),
    freezeQuantity: z.number().nullable(),
    isin: z.string().nullable(),
    displayName: z.string(),
    expiry: z.string().nullable(),
    strike: z.number().nullable(),
    optionType: z.enum(['CE', 'PE']).nullable(),
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
