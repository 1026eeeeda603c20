import { z } from 'zod';
import { EXIT_STATUSES, EXIT_STOPS, type ExitResponse } from '../domain/exit.ts';
import { istIso } from '../domain/ist.ts';
import { SIDES } from '../domain/order.ts';
import { answeringBroker, answeringMode, instrumentShown, text } from './answer-parts.ts';
import {
  clientOrderIdShown,
  createdAtShown,
  productShown,
  updatedAtShown,
} from './order-fields.ts';
import { statusFilter } from './status-filter.ts';

/** An exit as answers show it (docs/exits.md). */
export const exitSchema = z
  .object({
    id: text('`exit_…`'),
    clientOrderId: clientOrderIdShown,
    broker: answeringBroker,
    mode: answeringMode,
    instrument: instrumentShown,
    product: productShown,
    side: z.enum(SIDES).meta({ description: 'Of its orders: SELL ends a long position' }),
    quantity: z
      .int()
      .nullable()
      .meta({ description: 'Shares or units that it was asked to end; null for all that is held' }),
    orderId: z.string().nullable().meta({
      description: 'The resting order that it takes the place of; null for a position',
    }),
    status: z.enum(EXIT_STATUSES).meta({
      description: "`flat` only where the broker's own book and positions say so",
    }),
    why: z.enum(EXIT_STOPS).nullable().meta({ description: 'Why it ended otherwise than flat' }),
    detail: z.string().meta({ description: 'What it does now, or how it ended; for people' }),
    held: z.number().nullable().meta({
      description:
        'What was still held when it ended; null while it runs, or where it is not known',
    }),
    attempt: z.int().meta({ description: 'The price attempt of its present order, from 1' }),
    legs: z.int().meta({ description: 'Orders sent for it' }),
    createdAt: createdAtShown,
    updatedAt: updatedAtShown,
  })
  .meta({ id: 'Exit' });

/** Of exits, and of closings, which have the same states. */
export const exitStatuses = (entries: 'Exits' | 'Closings') =>
  statusFilter(entries, EXIT_STATUSES, (status) => status === 'running');

export function exitView(exit: ExitResponse): z.output<typeof exitSchema> {
  return { ...exit, createdAt: istIso(exit.createdAt), updatedAt: istIso(exit.updatedAt) };
}
