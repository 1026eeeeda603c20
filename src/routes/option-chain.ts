import { z } from 'zod';
import type { OptionChain, OptionLeg } from '../domain/option-chain.ts';
import type { Gateway } from '../router/gateway.ts';
import {
  answerBody,
  answered,
  type BrokerInputs,
  day,
  defineRoute,
  digits,
  instrument,
  json,
  type Route,
} from './define-route.ts';
import { CHAIN_READS } from './declared-problems.ts';

const MOST_STRIKES = 200;

const figure = z.number().nullable();

const legSchema = z
  .object({
    instrument: z.string().nullable(),
    securityId: z.string().nullable(),
    lastPrice: figure,
    previousClose: figure,
    openInterest: figure,
    previousOpenInterest: figure,
    volume: figure,
    bid: figure,
    bidQuantity: figure,
    ask: figure,
    askQuantity: figure,
    impliedVolatility: figure.meta({ description: 'Percent' }),
    greeks: z.object({ delta: figure, gamma: figure, theta: figure, vega: figure }).nullable(),
  })
  .meta({ id: 'OptionLeg' });

export const optionChainSchema = z
  .object({
    underlying: z.string(),
    underlyingPrice: figure,
    expiry: z.string().nullable(),
    strikes: z.array(
      z.object({ strike: z.number(), call: legSchema.nullable(), put: legSchema.nullable() }),
    ),
  })
  .meta({ id: 'OptionChain' });

const underlying = instrument.meta({ example: 'NSE:NIFTY 50' });

export function optionChainRoutes(gateway: Gateway, { readQuery }: BrokerInputs): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/v1/option-chain',
      scope: 'read',
      isMarketData: true,
      operationId: 'getOptionChain',
      tag: 'Prices',
      summary: 'Option chain of an instrument for one expiry, by strike',
      query: readQuery.extend({
        underlying,
        expiry: day.optional().meta({ description: 'The nearest when absent' }),
        strikes: digits(1, MOST_STRIKES)
          .optional()
          .meta({ description: 'Number of strikes on either side of the price' }),
      }),
      problems: CHAIN_READS,
      replies: { 200: { description: 'The chain', schema: answered(optionChainSchema) } },
      handler: async ({ query: { underlying: name, expiry, strikes, ...options } }) => {
        const asked = { underlying: name, expiry: expiry ?? null, strikes: strikes ?? null };
        return json(200, answerBody(await gateway.getOptionChain(asked, options), chainView));
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/v1/expiries',
      scope: 'read',
      isMarketData: true,
      operationId: 'getExpiries',
      tag: 'Prices',
      summary: 'Days on which options on an instrument expire',
      query: readQuery.extend({ underlying }),
      problems: CHAIN_READS,
      replies: { 200: { description: 'Days, ascending', schema: answered(z.array(day)) } },
      handler: async ({ query: { underlying: name, ...options } }) =>
        json(
          200,
          answerBody(await gateway.getExpiries(name, options), (days) => days),
        ),
    }),
  ];
}

function chainView(chain: OptionChain): z.output<typeof optionChainSchema> {
  return {
    underlying: chain.underlying,
    underlyingPrice: chain.underlyingPrice,
    expiry: chain.expiry,
    strikes: chain.strikes.map(({ strike, call, put }) => ({
      strike,
      call: call && legView(call),
      put: put && legView(put),
    })),
  };
}

function legView(leg: OptionLeg): z.output<typeof legSchema> {
  return {
    instrument: leg.instrument,
    securityId: leg.securityId,
    lastPrice: leg.lastPrice,
    previousClose: leg.previousClose,
    openInterest: leg.openInterest,
    previousOpenInterest: leg.previousOpenInterest,
    volume: leg.volume,
    bid: leg.bid,
    bidQuantity: leg.bidQuantity,
    ask: leg.ask,
    askQuantity: leg.askQuantity,
    impliedVolatility: leg.impliedVolatility,
    greeks: leg.greeks && {
      delta: leg.greeks.delta,
      gamma: leg.greeks.gamma,
      theta: leg.greeks.theta,
      vega: leg.greeks.vega,
    },
  };
}
