import { z } from 'zod';
import { figure, number, text, word } from './answer-parts.ts';
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

const UNTOLD = '; null where the broker does not tell it';

const legSchema = z
  .object({
    instrument: word('The name of the contract; null where no instrument list has it'),
    securityId: word("The exchange's id of the contract; null where it is not known"),
    lastPrice: figure(`The price of the last trade, in rupees${UNTOLD}`),
    previousClose: figure(`The close of the trading day before, in rupees${UNTOLD}`),
    openInterest: figure(`The open interest now, as the broker counts it${UNTOLD}`),
    previousOpenInterest: figure(`The open interest of the day before, likewise${UNTOLD}`),
    volume: figure(`Units traded today${UNTOLD}`),
    bid: figure(`The highest price that somebody buys at, in rupees${UNTOLD}`),
    bidQuantity: figure(`Units that wait to be bought at that price${UNTOLD}`),
    ask: figure(`The lowest price that somebody sells at, in rupees${UNTOLD}`),
    askQuantity: figure(`Units that wait to be sold at that price${UNTOLD}`),
    impliedVolatility: figure(`The volatility that the price implies, in percent a year${UNTOLD}`),
    greeks: z
      .object({
        delta: figure(`Change of the price for a rupee of the underlying${UNTOLD}`),
        gamma: figure(`Change of delta for a rupee of the underlying${UNTOLD}`),
        theta: figure(
          `Change of the price by the passing of time, as the broker computes it${UNTOLD}`,
        ),
        vega: figure(`Change of the price by the volatility, as the broker computes it${UNTOLD}`),
      })
      .nullable()
      .meta({ description: `What the broker computes of the contract's risk${UNTOLD}` }),
  })
  .meta({ id: 'OptionLeg' });

export const optionChainSchema = z
  .object({
    underlying: text('The name of what the options are on, as in NSE:NIFTY 50'),
    underlyingPrice: figure(`The price of the underlying, in rupees${UNTOLD}`),
    expiry: word(
      'The IST day on which these options expire; null where the broker does not say it',
    ),
    strikes: z
      .array(
        z.object({
          strike: number('The price, in rupees, at which the options are exercised'),
          call: legSchema
            .nullable()
            .meta({ description: 'The call of this strike; null where there is none' }),
          put: legSchema
            .nullable()
            .meta({ description: 'The put of this strike; null where there is none' }),
        }),
      )
      .meta({ description: 'Ascending' }),
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
