import { z } from 'zod';
import { MODES } from '../../domain/broker.ts';
import { CLOSING_STATUSES } from '../../domain/closing.ts';
import { PRODUCTS, SIDES } from '../../domain/order.ts';
import { epochMs } from '../../units/branded.ts';
import { EXIT_ENDS, EXIT_STOPS } from '../../domain/exit.ts';

const text = z.string();
const instant = z.number().int().transform(epochMs);
const count = z.number().int().nonnegative();
const orderType = z.enum(['LIMIT', 'MARKET']);

const filledBefore = z.object({
  quantity: count,
  byAll: z.literal(true).exactOptional(),
});

/** What a row of the table of exits has to be. */
export const exitRow = z.object({
  id: text,
  caller: text,
  idempotencyKey: text,
  requestHash: text,
  broker: text,
  mode: z.enum(MODES),
  account: text.exactOptional(),
  instrument: text,
  product: z.enum(PRODUCTS),
  side: z.enum(SIDES),
  quantity: count.nullable(),
  orderId: text.nullable(),
  cancelExternal: z.literal(true).exactOptional(),
  filledBefore: filledBefore.exactOptional(),
  day: text,
  plan: z.object({
    orderType,
    attempt: count,
    protectedAt: z.number().exactOptional(),
    isMarketBlocked: z.boolean(),
    most: count.nullable(),
    waits: count,
  }),
  legs: z.array(
    z.object({
      number: count,
      orderType,
      quantity: count,
      price: z.number().nullable(),
      atBand: z.boolean(),
      atProtection: z.literal(true).exactOptional(),
      withoutBid: z.literal(true).exactOptional(),
      at: instant,
      isOver: z.boolean(),
    }),
  ),
  known: z
    .object({
      most: z.number().int(),
      opened: count,
      ended: count.exactOptional(),
      missing: count.exactOptional(),
    })
    .exactOptional(),
  isCancelWanted: z.boolean(),
  doing: text,
  over: z
    .object({
      end: z.enum(EXIT_ENDS),
      why: z.enum(EXIT_STOPS).nullable(),
      detail: text,
      held: z.number().nullable(),
      at: instant,
    })
    .nullable(),
  createdAt: instant,
  updatedAt: instant,
});

/** What a row of the table of closings has to be. */
export const closingRow = z.object({
  id: text,
  caller: text,
  idempotencyKey: text,
  requestHash: text,
  day: text,
  positions: z.array(
    z.object({
      broker: text,
      mode: z.enum(MODES),
      instrument: text,
      product: text,
      net: z.number(),
      quantity: count.nullable(),
      underlying: text,
      phase: z.literal([1, 2]),
      status: z.enum(CLOSING_STATUSES),
      exitId: text.nullable(),
      reason: text.nullable(),
    }),
  ),
  unread: z
    .array(
      z.object({
        broker: text,
        mode: z.enum(MODES),
        list: z.enum(['positions', 'holdings']),
        instrument: text.nullable(),
        product: text.nullable(),
        quantity: z.number().nullable(),
        reason: text,
      }),
    )
    .exactOptional(),
  accounts: z.array(z.object({ broker: text, account: text })).exactOptional(),
  filledBefore: z.array(filledBefore.nullable()).exactOptional(),
  isCancelWanted: z.boolean(),
  over: z.object({ end: z.enum(EXIT_ENDS), detail: text, at: instant }).nullable(),
  createdAt: instant,
  updatedAt: instant,
});
