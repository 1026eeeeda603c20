import { z } from 'zod';
import { istDay, istTimeOfDay } from '../domain/ist.ts';
import { GatewayProblem } from '../domain/problem.ts';
import type { Clock } from '../platform/clock.ts';
import { sha256 } from '../platform/secret.ts';
import type { Gateway } from '../router/gateway.ts';
import { PRODUCT_KEYS, productOf } from '../routes/order-schemas.ts';
import { plus } from '../units/branded.ts';
import type { ToolDefinition } from './tool-definition.ts';

export interface DerivedKeyParts {
  readonly gateway: Pick<Gateway, 'getInstrument' | 'getBrokers'>;
  readonly clock: Pick<Clock, 'now'>;
}

const HOUR_MS = 3_600_000;
/** A day of calls begins when Kite's logins end, and no exchange is open. */
const DAY_BEGINS_MS = 6 * HOUR_MS;
const QUIET_MS = HOUR_MS / 4;

const figure = z
  .number()
  .nullish()
  .transform((value) => value ?? null);
const product = z.enum(PRODUCT_KEYS).transform(productOf);
const leg = z.object({
  triggerPrice: z.number(),
  side: z.string(),
  quantity: z.number(),
  product,
  price: z.number(),
});

/**
 * What makes two calls the same: what reaches the market. Label, broker and mode do not count: a repeat
 * that leaves one of them out must not become a second order, and is refused as another request
 * (`idempotency_conflict`).
 */
const MEANINGS = {
  order: z.object({
    instrument: z.string(),
    side: z.string(),
    quantity: z.number(),
    orderType: z.string(),
    product,
    price: figure,
    triggerPrice: figure,
    validity: z.string().default('DAY'),
    amo: z.boolean().default(false),
  }),
  trigger: z.object({ instrument: z.string(), legs: z.array(leg) }),
  /** Of a part of a position. All of a position can be ended only once, so that needs no key. */
  exit: z.object({ instrument: z.string(), quantity: z.number(), product }),
};

/**
 * The key of a call that gives none itself (decision 0049): the same for the same terms on the same day, so
 * that a repeat, also in another session or after a restart, does nothing twice. Null where the call names
 * a key, and where a repeat does no harm. Throws `invalid_request` in the quarter of an hour after the
 * day of calls has changed, when a repeat could not be told from a new call.
 */
export async function derivedKey(
  { repeats, name }: ToolDefinition,
  body: unknown,
  { gateway, clock }: DerivedKeyParts,
): Promise<string | null> {
  if (repeats === undefined || hasKey(body)) return null;
  const { success, data: meaning } = MEANINGS[repeats].safeParse(body);
  if (!success) return null;
  const now = clock.now();
  const sinceChange = istTimeOfDay(now) - DAY_BEGINS_MS;
  if (sinceChange >= 0 && sinceChange < QUIET_MS) throw keyIsRequired();
  const day = istDay(plus(now, -DAY_BEGINS_MS));
  const instrument = await nameOf(gateway, meaning.instrument, repeats);
  const fields = Object.entries({ ...meaning, instrument }).toSorted(([left], [right]) =>
    left < right ? -1 : 1,
  );
  return `mcp-${day}-${sha256(JSON.stringify([name, fields])).slice(0, 32)}`;
}

function hasKey(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'clientOrderId' in body;
}

/**
 * One name for every spelling. A way out is not refused because a list lacks its instrument: it goes by the
 * spelling then. For an order, nothing is known of an earlier call while a list is missing that may have its
 * instrument.
 */
async function nameOf(
  gateway: DerivedKeyParts['gateway'],
  written: string,
  repeats: keyof typeof MEANINGS,
): Promise<string> {
  try {
    return (await gateway.getInstrument(written)).name;
  } catch (error) {
    if (repeats === 'exit') return written.toUpperCase();
    const isMissing = gateway
      .getBrokers()
      .some(({ instruments }) => instruments?.lists.some(({ count }) => count === 0) === true);
    if (!isMissing || !(error instanceof GatewayProblem)) throw error;
    throw new GatewayProblem({
      ...error.fields,
      code: 'no_broker',
      detail:
        `${error.fields.detail}; a list of instruments is missing, without which it cannot be told whether an ` +
        'earlier call with these terms has placed the order',
      mayHaveExecuted: true,
    });
  }
}

function keyIsRequired(): GatewayProblem {
  const path = 'arguments.clientOrderId';
  const message =
    'is required from 06:00 to 06:15 IST, when a repeated call cannot be told from a new one: give a key, ' +
    'and the same key if you repeat the call';
  return new GatewayProblem({
    code: 'invalid_request',
    detail: `${path}: ${message}`,
    errors: [{ path, message }],
    mayHaveExecuted: false,
  });
}
