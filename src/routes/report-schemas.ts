import { z } from 'zod';
import { FIGURE_SOURCES } from '../domain/day-report.ts';
import { answeringBroker, answeringMode, time } from './define-route.ts';
import { uncertainOrders } from './key-positions.ts';

const rupees = z.number().nullable();
const count = z.int().nonnegative();

const figureSchema = z
  .object({
    rupees: rupees.meta({ description: 'Null where it is not known, never 0: `note` says why' }),
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
      placed: count,
      ...{ filled: count, partial: count, cancelled: count, rejected: count, notSent: count },
      open: count.meta({ description: 'Neither over nor in doubt' }),
      ...{ uncertain: count, disputed: count },
    })
    .meta({
      description:
        'Orders of the gateway in the book of the day, by how they stand now; slices count as their order',
    }),
  fills: z
    .object({
      count: count.nullable().meta({ description: 'Null where not all trades are known' }),
      bought: rupees.meta({ description: 'Rupees; null where a price is not known' }),
      sold: rupees,
      note: z.string().nullable().meta({ description: 'Why one of them is not known' }),
    })
    .meta({ description: 'What orders of the gateway have filled on the day' }),
  ...{ charges: figureSchema, realised: figureSchema, profit: figureSchema, net: figureSchema },
  uncertainOrders,
};

export const dayReportSchema = z
  .object({
    day: z.iso.date().meta({ description: 'The trading day, from 06:00 IST to 06:00' }),
    isToday: z.boolean().meta({ description: 'Whether the day goes on: figures still change' }),
    isTradingDay: z.boolean(),
    asOf: time,
    accounts: z
      .array(
        z
          .object({
            ...account,
            elsewhere: count.nullable().meta({
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
          accounts: z.array(z.object(account).meta({ id: 'AccountReport' })),
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
