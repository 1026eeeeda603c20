import { z } from 'zod';
import type { BrokerId } from '../domain/broker.ts';
import { parseInstrumentReference } from '../domain/instrument.ts';
import { CURSOR_TAKES, readCursor } from '../router/order-page.ts';

/** Inputs of more than one route. Query parameters are texts, so numbers are read from digits. */

export const maxAgeMs = digits(0, 86_400_000).meta({
  description: 'How old an answer may be, in ms; 0 reads it from the broker now',
});

/** Inputs that name a broker: one of the configured instances, and no other. */
export function brokerInputs(brokers: readonly BrokerId[]) {
  const brokerName = z
    .enum(brokers)
    .meta({ description: 'The broker to use; the route chooses when absent' });
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
  .meta({ example: 'ord_0193576c-2f00-7000-8000-000000000000' });

export const idempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e](?:[\x20-\x7e]{0,62}[\x21-\x7e])?$/, 'takes 1 to 64 printable characters')
  .meta({ description: 'Identifies the request: repeating it returns the order that it placed' });

export const keyHeader = z.object({ 'Idempotency-Key': idempotencyKey.optional() });

export const INSTRUMENT_TAKES = 'is not an instrument: write NSE:INFY or NSE_1594';

/** An instrument in either form; the gateway checks whether it exists. */
export const instrument = z
  .string()
  .refine((text) => parseInstrumentReference(text) !== null, INSTRUMENT_TAKES)
  .meta({ example: 'NSE:INFY' });

export function printable(longest: number) {
  return z
    .string()
    .regex(
      new RegExp(`^[\\x20-\\x7e]{1,${longest}}$`),
      `takes 1 to ${longest} printable characters`,
    );
}

/** A whole number in a query parameter. */
export function digits(from: number, to: number) {
  const takes = `takes a whole number from ${from} to ${to}`;
  return z
    .string()
    .regex(/^\d{1,12}$/, takes)
    .transform(Number)
    .refine((value) => value >= from && value <= to, takes)
    .meta({ override: { type: 'integer', minimum: from, maximum: to, pattern: undefined } });
}

/** Opaque to callers; only the list that made it reads it. */
export const cursor = z.string().refine((text) => readCursor(text) !== null, CURSOR_TAKES);

/** An existing IST calendar day, `YYYY-MM-DD`. */
export const day = z.iso.date('takes a day, YYYY-MM-DD');
