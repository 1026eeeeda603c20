import { z } from 'zod';
import { instrumentShown } from './answer-parts.ts';
import { MODES } from '../domain/broker.ts';
import type { LimitByInstrument } from '../domain/order-limits.ts';
import type { Brakes, BrokerLimits, Gateway } from '../router/gateway.ts';
import {
  answeringBroker,
  type BrokerInputs,
  defineRoute,
  enveloped,
  isoOrNull,
  json,
  type Route,
  success,
  time,
} from './define-route.ts';

const window = z.object({
  seconds: z
    .number()
    .meta({ description: 'Length of the rolling window in seconds; 86400 is a ' + 'day' }),
  limit: z.int().meta({ description: 'Calls that the broker takes within the window' }),
  left: z.int().meta({ description: 'Calls that the window still allows now' }),
  reserved: z.int().meta({
    description:
      'Of the limit, places that are kept: of orders for cancels and exits, of reads for those that ' +
      'watch orders',
  }),
});

const brokerLimitsSchema = z
  .object({
    broker: answeringBroker,
    buckets: z
      .array(
        z.object({
          name: z.string().meta({ description: 'Which calls count towards it: orders, quotes, …' }),
          windows: z.array(window).meta({ description: 'Each limit of these calls' }),
          waiting: z.int().meta({ description: 'Calls that wait for a place' }),
          pausedUntil: time
            .nullable()
            .meta({ description: 'No call leaves before this time; null ' + 'without a pause' }),
        }),
      )
      .meta({ description: 'Calls that are counted together' }),
  })
  .meta({ id: 'BrokerLimits' });

const byInstrument = z.object({
  every: z.number().nullable().meta({ description: 'For every instrument; null for none' }),
  named: z.record(z.string(), z.number()).meta({
    description: 'By instrument (NSE:INFY) or underlying (NIFTY), in place of `every`',
  }),
});

const dailyLossSchema = z.object({
  limit: z.number().meta({ description: 'Rupees' }),
  closesIntraday: z.boolean().meta({
    description: 'Whether the intraday positions of an account are closed once it is reached',
  }),
  accounts: z
    .array(
      z.object({
        broker: answeringBroker,
        profit: z.number().nullable().meta({
          description: "The day's profit, rupees, negative for a loss; null before it was read",
        }),
        at: time.nullable().meta({ description: 'When it was read' }),
        from: z.number().nullable().meta({
          description:
            'The profit from which the limit counts; null until the kill switch is released',
        }),
        unread: z
          .string()
          .nullable()
          .meta({ description: 'Why it could not be read since; null where it was' }),
        closing: z
          .object({
            status: z
              .enum(['wanted', 'begun', 'not_begun'])
              .meta({ description: 'Whether a closing has begun for it' }),
            id: z.string().nullable().meta({ description: 'Of the closing; null before it began' }),
            reason: z.string().nullable().meta({ description: 'Why it did not begin' }),
          })
          .nullable()
          .meta({
            description:
              'What became of closing the intraday positions after the last loss of today that reached the ' +
              'limit; null without one',
          }),
      }),
    )
    .meta({ description: 'The profit of each live account, as far as it is known' }),
});

const brakesSchema = z
  .object({
    maxOrderValue: z.number().nullable().meta({ description: 'Rupees of one order' }),
    maxOrderQuantity: byInstrument.nullable().meta({ description: 'Shares or units of one order' }),
    maxOpenOrders: byInstrument
      .extend({
        open: z
          .array(
            z.object({
              broker: answeringBroker,
              instrument: instrumentShown,
              open: z.int().meta({ description: 'Orders in it that are open now' }),
              limit: z.int().meta({ description: 'How many of them may be' }),
            }),
          )
          .meta({ description: 'Each instrument with open orders to which a limit applies' }),
      })
      .nullable()
      .meta({ description: 'Open orders of one instrument at one broker' }),
    maxOrdersPerMinute: z
      .object({
        limit: z.int().meta({ description: 'How many may be placed in any 60 seconds' }),
        used: z
          .array(
            z.object({
              mode: z
                .enum(MODES)
                .meta({ description: 'Orders with real money, or of the paper account' }),
              orders: z.int().meta({ description: 'Of the last minute' }),
            }),
          )
          .meta({ description: 'What of it is used, for live and for paper orders apart' }),
      })
      .nullable()
      .meta({ description: 'Orders of all keys together' }),
  })
  .extend({
    maxDailyLoss: dailyLossSchema.nullable().meta({
      description: 'The loss of a live account in a day that engages the kill switch',
    }),
  })
  .meta({ id: 'Brakes', description: "The gateway's own limits; null where none is set" });

export function limitRoutes(gateway: Gateway, { brokerQuery }: BrokerInputs): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/v1/limits',
      scope: 'read',
      operationId: 'getLimits',
      tag: 'Gateway',
      summary:
        "What is left of the brokers' rate limits, as the gateway counts them, and of its own limits",
      query: brokerQuery,
      problems: [],
      replies: {
        200: {
          description: 'Limits',
          schema: enveloped(z.array(brokerLimitsSchema)).extend({
            brakes: brakesSchema.meta({ description: "The gateway's own limits of the settings" }),
          }),
        },
      },
      handler: ({ query }) => {
        const brakes = brakesView(gateway.getBrakes());
        return json(200, success(gateway.getLimits(query).map(view), { brakes }));
      },
    }),
  ];
}

function view({ broker, buckets }: BrokerLimits): z.output<typeof brokerLimitsSchema> {
  return {
    broker,
    buckets: buckets.map(({ name, windows, waiting, pausedUntil }) => ({
      name,
      windows: windows.map(({ perMs, ...rest }) => ({ seconds: perMs / 1000, ...rest })),
      waiting,
      pausedUntil: isoOrNull(pausedUntil),
    })),
  };
}

function brakesView({ orders, dailyLoss }: Brakes): z.output<typeof brakesSchema> {
  const { limits, open, ofMinute } = orders;
  const openOrders = limitView(limits.openOrders);
  return {
    maxOrderValue: limits.value,
    maxOrderQuantity: limitView(limits.quantity),
    maxOpenOrders: openOrders && { ...openOrders, open: [...open] },
    maxDailyLoss: dailyLoss && {
      limit: dailyLoss.limit,
      closesIntraday: dailyLoss.closesIntraday,
      accounts: dailyLoss.accounts.map((account) => ({
        ...account,
        at: isoOrNull(account.at),
        closing: closingView(account.closing),
      })),
    },
    maxOrdersPerMinute:
      limits.perMinute === null ? null : { limit: limits.perMinute, used: [...(ofMinute ?? [])] },
  };
}

type LossAccount = NonNullable<Brakes['dailyLoss']>['accounts'][number];
type LossAccountView = z.output<typeof dailyLossSchema>['accounts'][number];

function closingView(closing: LossAccount['closing']): LossAccountView['closing'] {
  if (closing === null) return null;
  return {
    status: closing.kind,
    id: closing.kind === 'begun' ? closing.id : null,
    reason: closing.kind === 'not_begun' ? closing.reason : null,
  };
}

/** Null where nothing is set. */
function limitView({ every, named }: LimitByInstrument): z.output<typeof byInstrument> | null {
  return every === null && named.size === 0 ? null : { every, named: Object.fromEntries(named) };
}
