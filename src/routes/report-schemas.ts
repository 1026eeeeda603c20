import { z } from 'zod';
import { FIGURE_SOURCES } from '../domain/day-report.ts';
import { answeringBroker, answeringMode, at, count, figure, flag } from './answer-parts.ts';
import { uncertainOrders } from './key-positions.ts';

const figureSchema = z
  .object({
    rupees: figure('The figure itself; null where it is not known, never 0: `note` says why'),
    source: z
      .enum(FIGURE_SOURCES)
      .nullable()
      .meta({
        description:
          "`journal`: the gateway's own orders. `positions`: what the broker says that the account holds. " +
          '`broker_charges`: computed by the broker. `settings`: the brokerage of the paper account. Null where the ' +
          'figure is not known',
      }),
    estimate: z.boolean().meta({
      description:
        'Whether what is booked in the end may differ: `note` says by which rule it was made',
    }),
    note: z.string().nullable().meta({ description: 'For people' }),
  })
  .meta({
    id: 'ReportFigure',
    description:
      'Rupees. `realised`: made by what was closed on the day, against its average cost, by orders of the gateway. ' +
      '`profit`: the profit of the day, without charges. `net`: the profit less the charges',
  });

const account = {
  broker: answeringBroker,
  mode: answeringMode,
  account: z
    .string()
    .nullable()
    .meta({ description: 'The user at the broker; null where it is not known', example: 'AB1234' }),
  orders: z
    .object({
      placed: count('All of them'),
      filled: count('Those that have filled whole'),
      partial: count('Those that ended with a part filled'),
      cancelled: count('Those that ended with nothing filled'),
      rejected: count('Those that were refused, or were uncertain and are called not placed'),
      notSent: count('Those that never left this machine'),
      open: count('Those that are neither over nor in doubt'),
      uncertain: count('Those of which it is not known whether a broker has them'),
      disputed: count('Those at which a person has to look'),
    })
    .meta({
      description:
        'Orders of the gateway in the book of the day, by how they stand now; slices count as their order',
    }),
  fills: z
    .object({
      count: z
        .int()
        .nonnegative()
        .nullable()
        .meta({ description: 'How many; null where not all trades are known' }),
      bought: figure('Rupees paid; null where a price is not known'),
      sold: figure('Rupees received; null where a price is not known'),
      note: z.string().nullable().meta({ description: 'Why one of them is not known' }),
    })
    .meta({ description: 'What orders of the gateway have filled on the day' }),
  charges: figureSchema.meta({ description: 'What the orders of the day have cost' }),
  realised: figureSchema.meta({
    description:
      'Made by what orders of the gateway closed on the day, against its average cost, without charges',
  }),
  profit: figureSchema.meta({ description: 'The profit of the day, without charges' }),
  net: figureSchema.meta({ description: 'The profit less the charges' }),
  uncertainOrders,
};

export const dayReportSchema = z
  .object({
    day: z.iso.date().meta({ description: 'The trading day, from 06:00 IST to 06:00' }),
    isToday: z.boolean().meta({ description: 'Whether the day goes on: figures still change' }),
    isTradingDay: flag('Whether the exchanges trade on the day'),
    asOf: at('When the report was made'),
    accounts: z
      .array(
        z
          .object({
            ...account,
            elsewhere: z
              .int()
              .nonnegative()
              .nullable()
              .meta({
                description:
                  "Orders placed elsewhere that have filled; null where the broker's book of the day cannot be read, " +
                  'as that of an earlier day',
              }),
          })
          .meta({ id: 'WholeAccountReport' }),
      )
      .nullable()
      .meta({
        description: 'Each broker and the paper account apart; null for a key without admin',
      }),
    keys: z
      .array(
        z.object({
          key: z.string().meta({ description: 'The id of the key' }),
          name: z.string().nullable().meta({ description: 'Null where there is no such key now' }),
          accounts: z
            .array(z.object(account).meta({ id: 'AccountReport' }))
            .meta({ description: 'What the key has done at each account, and what that came to' }),
        }),
      )
      .meta({
        description:
          'For an admin every key that has traded or holds something; otherwise that of the request alone',
      }),
    unreadOrders: z.array(z.string()).meta({
      description: 'Orders whose rows in the journal cannot be read: they are in no figure',
      example: [],
    }),
  })
  .meta({ id: 'DayReport' });
