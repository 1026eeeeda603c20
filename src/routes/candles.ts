import { z } from 'zod';
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
  time,
} from './define-route.ts';
import { instant } from './instant.ts';
import { CANDLE_READS } from './declared-problems.ts';

export const candleSchema = z
  .object({
    at: time.meta({ description: 'Start of the candle' }),
    open: z.number(),
    high: z.number(),
    low: z.number(),
    close: z.number(),
    volume: z.number(),
    openInterest: z.number().nullable().meta({ description: 'At the end of the candle' }),
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
