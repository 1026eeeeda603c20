import { z } from 'zod';
import type { BrokerId } from '../domain/broker.ts';
import { isInstrumentText } from '../domain/instrument.ts';
import { CURSOR_TAKES, readCursor, writeCursor } from '../router/pages.ts';
import { epochMs } from '../units/branded.ts';
import { noPattern } from './no-pattern.ts';

/** Inputs of more than one route. Query parameters are texts, so numbers are read from digits. */

export const maxAgeMs = digits(0, 86_400_000).meta({
  description: 'How old an answer may be, in ms; 0 reads it from the broker now',
});

/** Inputs that name a broker: one of the configured instances, and no other. */
export function brokerInputs(brokers: readonly BrokerId[]) {
  const brokerName = z
    .enum(brokers)
    .meta({ id: 'BrokerName', description: 'The broker to use; the route chooses when absent' });
  return {
    brokerName,
    readQuery: z.strictObject({ broker: brokerName.optional(), maxAgeMs: maxAgeMs.optional() }),
    brokerQuery: z.strictObject({ broker: brokerName.optional() }),
  };
}
export type BrokerInputs = ReturnType<typeof brokerInputs>;

/** Our order id, or `<broker>:<brokerOrderId>` for an order placed elsewhere. */
export const orderId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_.:-]{0,99}$/, 'is not an order id')
  .meta({
    description: 'The id of an order; `<broker>:<brokerOrderId>` for one placed elsewhere',
    example: 'ord_0193576c-2f00-7000-8000-000000000000',
  });

/** `missing` is the error where there is none. */
export const keyOf = (missing?: string) =>
  z
    .string({ error: ({ input }) => (input === undefined ? missing : undefined) })
    .regex(/^[\x21-\x7e](?:[\x20-\x7e]{0,62}[\x21-\x7e])?$/, 'takes 1 to 64 printable characters')
    .meta({ description: 'Identifies the request: repeating it returns the order that it placed' });
export const idempotencyKey = keyOf();

export const keyHeader = z.object({ 'Idempotency-Key': idempotencyKey.optional() });

/** As `isInstrumentText` reads it, in a form that other languages know. */
const REST = '[A-Za-z0-9 &._-]';
const INSTRUMENT_PATTERN =
  `^([A-Za-z]{2,8}:[A-Za-z0-9]${REST}{0,49}|[A-Za-z]${REST}{0,49}` +
  `|[0-9]{1,20}[A-Za-z &._-]${REST}{0,29})$`;

export const INSTRUMENT_TAKES = 'is not an instrument: write NSE:INFY, NSE_1594 or INFY';

/** An instrument in any of its forms; the gateway checks whether it exists. */
export const instrument = z
  .string()
  .refine((text) => isInstrumentText(text), INSTRUMENT_TAKES)
  .meta({
    description:
      'NSE:INFY, NSE_1594 or INFY: an exchange with a symbol, or with its number, or a symbol alone',
    example: 'NSE:INFY',
    override: { pattern: INSTRUMENT_PATTERN },
  });

export function printable(longest: number) {
  return z
    .string()
    .regex(
      new RegExp(`^[\\x20-\\x7e]{1,${longest}}$`),
      `takes 1 to ${longest} printable characters`,
    );
}

/** Whose orders a list has. */
export const listScope = z.enum(['mine', 'account']).meta({
  description: '`mine`: those of the key of the request alone; `account`, the default: all',
});

/** A whole number in a query parameter. */
export function digits(from: number, to: number) {
  const takes = `takes a whole number from ${from} to ${to}`;
  return z
    .string()
    .regex(/^\d{1,12}$/, takes)
    .transform(Number)
    .refine((value) => value >= from && value <= to, takes)
    .meta({ override: { type: 'integer', minimum: from, maximum: to, ...noPattern } });
}

const POSITION = {
  list: 'orders',
  of: '2026-11-23',
  after: { createdAt: epochMs(1_795_400_000_000), id: 'ord_1' },
} as const;

/** Opaque to callers; only the list that made it reads it. */
export const cursor = z
  .string()
  .refine((text) => readCursor(text) !== null, CURSOR_TAKES)
  .meta({
    example: writeCursor(POSITION),
    override: { type: 'string', pattern: '^[A-Za-z0-9_-]+$' },
  });

/** An existing IST calendar day, `YYYY-MM-DD`. */
export const day = z.iso.date('takes a day, YYYY-MM-DD');
