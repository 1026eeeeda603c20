import { z } from 'zod';
import { at, figure, number } from './answer-parts.ts';
import { CANDLE_INTERVALS, type Candle } from '../domain/candle.ts';
import { istIso } from '../domain/ist.ts';
import { GatewayProblem } from '../domain/problem.ts';
import type { Clock } from '../platform/clock.ts';
import type { Gateway } from '../router/gateway.ts';
import {
  answerBody,
  answered,
  type BrokerInputs,
  defineRoute,
  instrument,
  json,
  type Route,
} from './define-route.ts';
import { instant } from './instant.ts';
import { CANDLE_READS } from './declared-problems.ts';

export const candleSchema = z
  .object({
    at: at('Start of the candle'),
    open: number('The first price of the candle, in rupees'),
    high: number('Its highest price, in rupees'),
    low: number('Its lowest price, in rupees'),
    close: number('Its last price, in rupees'),
    volume: number('Shares or units traded in it'),
    openInterest: figure(
      'The open interest of a derivative at the end of the candle, as the broker counts it; null where the broker does not tell it',
    ),
  })
  .meta({ id: 'Candle' });

export function candleRoutes(
  gateway: Gateway,
  clock: Clock,
  { readQuery }: BrokerInputs,
): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/v1/candles',
      scope: 'read',
      isMarketData: true,
      operationId: 'getCandles',
      tag: 'Prices',
      summary: 'Candles of an instrument, oldest first; a range of any length',
      query: readQuery.extend({
        instrument,
        interval: z.enum(CANDLE_INTERVALS).meta({ description: 'The width of a candle' }),
        from: instant.meta({ description: 'Start of the range, included' }),
        to: instant
          .optional()
          .meta({ description: 'End of the range, not included; now when ' + 'absent' }),
      }),
      problems: CANDLE_READS,
      replies: { 200: { description: 'Candles', schema: answered(z.array(candleSchema)) } },
      handler: async ({ query: { instrument: name, interval, from, to: until, ...options } }) => {
        const to = until ?? clock.now();
        if (from >= to) throw nothingBetween();
        const asked = { instrument: name, interval, from, to };
        const answer = await gateway.getCandles(asked, options);
        return json(
          200,
          answerBody(answer, (candles) => candles.map(candleView)),
        );
      },
    }),
  ];
}

function nothingBetween(): GatewayProblem {
  const message = 'must be before query.to';
  return new GatewayProblem({
    code: 'empty_range',
    detail: `query.from: ${message}`,
    errors: [{ path: 'query.from', message }],
  });
}

function candleView(candle: Candle): z.output<typeof candleSchema> {
  const { at, open, high, low, close, volume, openInterest = null } = candle;
  return { at: istIso(at), open, high, low, close, volume, openInterest };
}
