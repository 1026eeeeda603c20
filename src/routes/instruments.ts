import { z } from 'zod';
import {
  parentExchange,
  parseInstrumentReference,
  type Instrument,
  type InstrumentReference,
} from '../domain/instrument.ts';
import { GatewayProblem } from '../domain/problem.ts';
import type { Gateway } from '../router/gateway.ts';
import { defineRoute, json, type Route } from './define-route.ts';
import { enveloped, success } from './envelope.ts';
import { digits, instrument as instrumentText, printable } from './inputs.ts';

const DEFAULT_LIMIT = 50;
const MOST = 1000;

export const instrumentSchema = z
  .object({
    name: z.string(),
    exchange: z.string(),
    tradingSymbol: z.string(),
    segment: z.enum(['EQUITY', 'DERIVATIVE', 'INDEX']),
    securityId: z.string().nullable().meta({ description: 'The number in a scrip code' }),
    instrumentToken: z.number().nullable(),
    lotSize: z.number(),
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
      summary: 'Instruments by a part of their symbol or name',
      query: z.strictObject({
        q: printable(64).optional(),
        exchange: z
          .string()
          .regex(/^[A-Z]{2,8}$/, 'takes an exchange, such as NSE')
          .optional(),
        limit: digits(1, MOST).optional(),
      }),
      replies: {
        200: { description: 'Instruments', schema: enveloped(z.array(instrumentSchema)) },
      },
      handler: async ({ query: { q, exchange, limit = DEFAULT_LIMIT } }) => {
        const found = await gateway.getInstruments({ text: q, exchange, limit });
        return json(200, success(found.map(instrumentView)));
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/v1/instruments/{instrument}',
      scope: 'read',
      summary: 'One instrument, by its name or its scrip code',
      params: z.strictObject({ instrument: instrumentText }),
      replies: { 200: { description: 'The instrument', schema: enveloped(instrumentSchema) } },
      handler: async ({ params }) => {
        const found = await findInstrument(gateway, params.instrument);
        if (found) return json(200, success(instrumentView(found)));
        throw new GatewayProblem({
          code: 'unknown_instrument',
          detail: `No master list has the instrument ${params.instrument}.`,
        });
      },
    }),
  ];
}

/** The gateway searches by parts of names; the one that is meant is picked out of what it finds. */
async function findInstrument(
  gateway: Pick<Gateway, 'getInstruments'>,
  text: string,
): Promise<Instrument | null> {
  const reference = parseInstrumentReference(text);
  if (!reference) return null;
  const all = Number.MAX_SAFE_INTEGER;
  const among = await gateway.getInstruments(
    reference.kind === 'name'
      ? { text: reference.tradingSymbol, exchange: reference.exchange, limit: all }
      : { limit: all },
  );
  return pick(among, reference);
}

function pick(among: readonly Instrument[], reference: InstrumentReference): Instrument | null {
  if (reference.kind === 'name') {
    const { exchange, tradingSymbol } = reference;
    const same = (each: Instrument): boolean =>
      each.exchange === exchange && each.tradingSymbol === tradingSymbol;
    return among.find(same) ?? null;
  }
  // NIDX holds the indices of NSE; other codes name the exchange, also for its derivatives.
  const isIndex = reference.exchange === 'NIDX';
  const exchange = isIndex ? 'NSE' : reference.exchange;
  const numbered = among.filter(
    (each) =>
      each.securityId === reference.securityId && parentExchange(each.exchange) === exchange,
  );
  const segments = isIndex ? (['INDEX'] as const) : (['EQUITY', 'DERIVATIVE', 'INDEX'] as const);
  for (const segment of segments) {
    const found = numbered.find((each) => each.segment === segment);
    if (found) return found;
  }
  return null;
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
    tickSize: instrument.tickSize,
    freezeQuantity: instrument.freezeQuantity,
    isin: instrument.isin,
    displayName: instrument.displayName,
    expiry: instrument.expiry,
    strike: instrument.strike,
    optionType: instrument.optionType,
  };
}
