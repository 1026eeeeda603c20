import { z } from 'zod';
import { BrokerError } from '../../domain/outcome.ts';
import { parentExchange, type BrokerInstruments } from '../../domain/instrument.ts';
import type { MarginEstimate, MarginQuery } from '../../domain/margin.ts';
import { sum, toFourDecimals } from '../../domain/money.ts';
import type { Account } from '../../domain/ports.ts';
import type { Connection } from './connection.ts';
import { badPayload, isObject, readObject } from './envelope.ts';
import type { RateLimitQueue } from './rate-limits.ts';
import { number } from './schemas.ts';

/**
 * What orders would block and cost: `GET /margin` with a JSON body of strings, one call for each
 * order (docs/spec/primary-brokerage.md, "Margin"). The figures of several orders are added, and
 * the estimate says so. Nothing is placed.
 */
export function createMargins(
  connection: Connection,
  queue: RateLimitQueue,
  instruments: Pick<BrokerInstruments, 'own'>,
): NonNullable<Account['margins']> {
  return async (orders) => {
    // Build all bodies first: an order that this broker cannot estimate must not cost calls for the
    // others.
    const bodies = orders.map(({ terms, instrument }) =>
      marginBody({ terms, instrument: instruments.own(instrument) }),
    );
    const estimates: MarginEstimate[] = [];
    // One after the other: a half-open breaker lets only one call through.
    for (const body of bodies) {
      const call = { queue, method: 'GET', path: '/margin', body, read: readObject } as const;
      estimates.push(mapMargin(await connection.exchange(call)));
    }
    const [first, ...others] = estimates;
    return first && others.length === 0 ? first : sumOf(estimates);
  };
}

export function marginBody({ terms, instrument }: MarginQuery): Readonly<Record<string, string>> {
  const exchange = parentExchange(instrument.exchange);
  const known = exchange === 'NSE' || exchange === 'BSE';
  if (!known || instrument.segment === 'INDEX' || instrument.securityId === null) {
    throw new BrokerError('primary', {
      kind: 'http',
      status: 400,
      code: null,
      message: `this broker takes no orders in ${instrument.name}: no request was sent`,
      retryAfterMs: null,
    });
  }
  return {
    segment: instrument.segment,
    exchange,
    securityID: instrument.securityId,
    txnType: terms.side,
    quantity: String(terms.quantity),
    // An SL-M order blocks what it would cost at its trigger; 0 stands for the live price.
    price: String(terms.price ?? terms.triggerPrice ?? 0),
    product: terms.product,
  };
}

const PARTS = [
  'span_margin',
  'exposure_margin',
  'var_margin',
  'delivery_margin',
  'hedge_benefit',
] as const;

const row = z.record(z.string(), z.unknown());

export function mapMargin(data: unknown): MarginEstimate {
  const fields = row.safeParse(data).data ?? {};
  const required = number(fields.total_margin);
  if (required === null) throw badPayload('the margin has no total');
  const available = number(fields.available_balance);
  const insufficient = number(fields.insufficient_balance);
  return {
    required,
    available,
    shortfall: insufficient ?? shortfallOf(required, available),
    parts: numbersOf(PARTS.map((name) => [name, fields[name]])),
    charges: chargesOf(fields.charges),
  };
}

function chargesOf(data: unknown): MarginEstimate['charges'] {
  if (!isObject(data)) return null;
  const { total_charges: whole, ...rest } = data;
  const parts = numbersOf(Object.entries(rest));
  const total = number(whole);
  if (total !== null) return { total, parts };
  return Object.keys(parts).length === 0
    ? null
    : { total: roundedSum(Object.values(parts)), parts };
}

/** Nothing for no orders. Each estimate assumes all funds, so the shortfall is computed anew. */
function sumOf(estimates: readonly MarginEstimate[]): MarginEstimate {
  const required = roundedSum(estimates.map((each) => each.required));
  const available = estimates.at(-1)?.available ?? null;
  const charges = estimates.map((each) => each.charges);
  const known = charges.filter((each) => each !== null);
  return {
    required,
    available,
    shortfall: shortfallOf(required, available),
    parts: added(estimates.map((each) => each.parts)),
    // The charges of some orders alone would look like those of all.
    charges:
      known.length === 0 || known.length < charges.length
        ? null
        : {
            total: roundedSum(known.map((each) => each.total)),
            parts: added(known.map((each) => each.parts)),
          },
    ...{ summed: true, alone: required },
  };
}

function added(all: readonly Readonly<Record<string, number>>[]): Readonly<Record<string, number>> {
  const names = new Set(all.flatMap((each) => Object.keys(each)));
  return Object.fromEntries(
    [...names].map((name) => [name, roundedSum(all.map((each) => each[name] ?? 0))]),
  );
}

function shortfallOf(required: number, available: number | null): number | null {
  return available === null ? null : Math.max(0, roundedSum([required, -available]));
}

function numbersOf(
  entries: readonly (readonly [string, unknown])[],
): Readonly<Record<string, number>> {
  return Object.fromEntries(
    entries
      .map(([name, value]) => [name, number(value)] as const)
      .filter((entry): entry is [string, number] => entry[1] !== null),
  );
}

/** Rupees, rounded to remove binary fractions. */
function roundedSum(values: readonly number[]): number {
  return toFourDecimals(sum(values));
}
