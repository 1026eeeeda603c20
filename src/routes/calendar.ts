import { z } from 'zod';
import { text } from './answer-parts.ts';
import { tradingCalendar } from '../domain/trading-calendar.ts';
import type { Clock } from '../platform/clock.ts';
import { defineRoute, enveloped, json, type Route, success } from './define-route.ts';

const timeOfDay = z.string().meta({ description: 'HH:MM IST', example: '15:30' });
const calendarDay = z.string().meta({ example: '2026-11-24' });

const calendarSchema = z
  .object({
    year: text('The calendar year, YYYY, that the holidays are of'),
    holidays: z
      .array(calendarDay)
      .nullable()
      .meta({ description: 'On weekdays; null where the list of the year is not known' }),
    specialSessions: z
      .array(
        z.object({
          day: calendarDay.meta({ description: 'The IST day of the session' }),
          name: text('What it is held for, such as Muhurat trading'),
        }),
      )
      .meta({
        description:
          'Trading on days that are none otherwise, such as Muhurat, at hours of their own',
      }),
    exchanges: z
      .array(
        z.object({
          exchange: text('NSE, BSE, MCX, …'),
          ordersFrom: timeOfDay,
          close: timeOfDay,
          sessions: z
            .array(
              z.object({
                name: z
                  .enum(['pre_open', 'continuous', 'closing_auction', 'post_close', 'after_market'])
                  .meta({ description: 'Which part of the day it is' }),
                from: timeOfDay,
                to: timeOfDay,
              }),
            )
            .meta({ description: 'Those that are known; empty where none is' }),
          sameHolidays: z.boolean().meta({ description: 'Whether the holidays are those of it' }),
          openNow: z.boolean().meta({ description: 'Whether it accepts ordinary orders now' }),
        }),
      )
      .meta({ description: 'The hours of each exchange on an ordinary day' }),
    today: calendarDay.meta({ description: 'The present IST day' }),
    isTradingDay: z.boolean().meta({ description: 'Of today' }),
    nextTradingDay: calendarDay.meta({ description: 'The first trading day after today' }),
  })
  .meta({ id: 'Calendar' });

/** Days and hours of trading (docs/spec/market-hours.md). They do not depend on APP_MARKET_HOURS. */
export function calendarRoutes(clock: Clock): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/v1/calendar',
      scope: 'read',
      operationId: 'getCalendar',
      tag: 'Instruments',
      summary: 'Trading holidays of a year, and the hours of each exchange',
      query: z.strictObject({
        year: z
          .string()
          .regex(/^20\d{2}$/, 'takes a year, such as 2026')
          .optional()
          .meta({ description: 'This year when absent' }),
      }),
      problems: [],
      replies: { 200: { description: 'The calendar', schema: enveloped(calendarSchema) } },
      handler: ({ query: { year } }) => json(200, success(tradingCalendar(clock.now(), year))),
    }),
  ];
}
