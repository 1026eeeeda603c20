import { z } from 'zod';
import type { Caller, Scope } from '../callers/caller.ts';
import type { Answer, AnswerMeta } from '../domain/answer.ts';
import { type BrokerId, MODES } from '../domain/broker.ts';
import { isInstrumentText } from '../domain/instrument.ts';
import { istIso } from '../domain/ist.ts';
import type { ProblemFields } from '../domain/problem.ts';
import { CURSOR_TAKES, readCursor } from '../router/order-page.ts';
import type { EpochMs } from '../units/branded.ts';
import { noPattern } from './no-pattern.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
/** `none` needs no key. */
export type RouteScope = 'none' | Scope;

/** The input of a handler; every part has been checked against the route's schemas. */
export interface RouteRequest<Params, Query, Headers, Body, CallerOf> {
  readonly params: Params;
  readonly query: Query;
  readonly headers: Headers;
  readonly body: Body;
  /** Null on routes that need no key. */
  readonly caller: CallerOf;
  /** The id that the answer carries in X-Request-Id. */
  readonly requestId: string;
  cookie(name: string): string | null;
  /** The content type that the client's Accept names; null when it names neither. */
  readonly wants: 'json' | 'html' | null;
}

/** The reply of a handler. Its status must be one that the route declares, or a problem's. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly content:
    | { readonly kind: 'json'; readonly value: unknown }
    | { readonly kind: 'text'; readonly text: string; readonly type: string }
    | { readonly kind: 'html'; readonly page: (nonce: string) => string }
    | { readonly kind: 'problem'; readonly fields: ProblemFields }
    | { readonly kind: 'empty' };
}

export interface ReplyDescription {
  readonly description: string;
  /** Absent for an empty body. */
  readonly schema?: z.ZodType;
  /** Default `application/json`. */
  readonly contentType?: string;
}

type Section = z.ZodObject;

/**
 * One route: path, summary, inputs, replies and handler. The server and the OpenAPI document are
 * both made from it, so that they cannot differ.
 */
export interface RouteDefinition<
  S extends RouteScope,
  Params extends Section,
  Query extends Section,
  Headers extends Section,
  Body extends z.ZodType,
> {
  readonly method: Method;
  /** With parameters in braces, as in OpenAPI. */
  readonly path: `/${string}`;
  readonly scope: S;
  readonly summary: string;
  /**
   * For a GET that does something. `get` refuses HEAD, which programs send only to look at a link;
   * `navigation` also refuses what a web page loads by itself (docs/security.md, "Browsers").
   */
  readonly only?: 'get' | 'navigation';
  /** What is the same at every broker: a key that is confined to one may still read it from others. */
  readonly isMarketData?: true;
  readonly params?: Params;
  /** Absent: the route accepts no query parameter. */
  readonly query?: Query;
  readonly headers?: Headers;
  /** The schema of a JSON body. An optional schema makes the body optional. */
  readonly body?: Body;
  /**
   * Accepts the body as text, of any type, up to this many bytes; the handler gets it as `body`.
   */
  readonly rawBody?: { readonly limit: number };
  readonly replies: Readonly<Record<number, ReplyDescription>>;
  readonly handler: (
    request: RouteRequest<
      z.output<Params>,
      z.output<Query>,
      z.output<Headers>,
      z.output<Body>,
      S extends 'none' ? null : Caller
    >,
  ) => Reply | Promise<Reply>;
}

type AnyRequest = RouteRequest<unknown, unknown, unknown, unknown, Caller | null>;

/**
 * A definition without its type parameters; mount-route.ts checks the inputs that it passes. The
 * handler is written as a method, because the compiler lets a method take narrower inputs.
 */
export interface Route extends Omit<
  RouteDefinition<RouteScope, Section, Section, Section, z.ZodType>,
  'handler'
> {
  handler(request: AnyRequest): Reply | Promise<Reply>;
}

export function defineRoute<
  S extends RouteScope,
  Params extends Section = z.ZodObject,
  Query extends Section = z.ZodObject,
  Headers extends Section = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
>(definition: RouteDefinition<S, Params, Query, Headers, Body>): Route {
  return definition;
}

export function json(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return { status, headers, content: { kind: 'json', value } };
}

export function html(status: number, page: (nonce: string) => string): Reply {
  return { status, content: { kind: 'html', page } };
}

/** A problem with a status that the route chooses. */
export function problem(
  status: number,
  fields: ProblemFields,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return { status, headers, content: { kind: 'problem', fields } };
}

/** Every time in a reply: ISO 8601 with +05:30. */
export const time = z.iso.datetime({ offset: true }).meta({
  id: 'Time',
  description: 'ISO 8601 with +05:30',
  example: '2026-11-23T09:15:00.000+05:30',
});

export function isoOrNull(at: EpochMs | null): string | null {
  return at === null ? null : istIso(at);
}

/**
 * A broker in an answer. The schema allows any name, since an order outlives the instance that
 * placed it; the OpenAPI document lists the configured names (`createDocument`).
 */
export const answeringBroker = z.string().meta({ description: 'A configured broker' });
export const answeringMode = z.enum(MODES);

/** The account of an order in an answer. */
export const accountSchema = z
  .object({ broker: answeringBroker, mode: answeringMode })
  .meta({ id: 'Account' });

/** Where an answer came from and how old it is. */
export const metaSchema = z
  .object({
    broker: answeringBroker,
    mode: answeringMode,
    source: z.string().meta({ description: 'The part of the broker that gave the answer' }),
    asOf: time,
    ageMs: z.number(),
  })
  .meta({ id: 'Meta' });

export function enveloped<T extends z.ZodType>(data: T) {
  return z.object({ status: z.literal('success'), data });
}

/** The envelope of a broker's answer. */
export function answered<T extends z.ZodType>(data: T) {
  return enveloped(data).extend({ meta: metaSchema });
}

/** The envelope of one page of a list. */
export function paged<T extends z.ZodType>(data: T) {
  const nextCursor = z.string().nullable().meta({
    description: 'The cursor of the next page; null when this is the last one',
  });
  return enveloped(data).extend({ meta: metaSchema.extend({ nextCursor }) });
}

/** The envelope of an answer about an order. */
export function accounted<T extends z.ZodType>(data: T) {
  return enveloped(data).extend({ meta: accountSchema });
}

/** The same, with how old what the gateway knows of the order is. */
export function datedOrder<T extends z.ZodType>(data: T) {
  const asOf = time.meta({
    description: "When the broker's order book was last read, or the order last changed, if later",
  });
  const ageMs = z.number().meta({ description: 'How long ago that was, in ms' });
  return enveloped(data).extend({ meta: accountSchema.extend({ asOf, ageMs }) });
}

export function success(data: unknown, rest: Readonly<Record<string, unknown>> = {}) {
  return { status: 'success', data, ...rest };
}

export function answerBody<T>(answer: Answer<T>, view: (data: T) => unknown) {
  return success(view(answer.data), { meta: metaView(answer.meta) });
}

export function metaView(meta: AnswerMeta) {
  return {
    broker: meta.broker,
    mode: meta.mode,
    source: meta.broker,
    asOf: istIso(meta.asOf),
    ageMs: meta.ageMs,
  };
}

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

/** `missing` is the error where there is none. */
export const keyOf = (missing?: string) =>
  z
    .string({ error: ({ input }) => (input === undefined ? missing : undefined) })
    .regex(/^[\x21-\x7e](?:[\x20-\x7e]{0,62}[\x21-\x7e])?$/, 'takes 1 to 64 printable characters')
    .meta({ description: 'Identifies the request: repeating it returns the order that it placed' });
export const idempotencyKey = keyOf();

export const keyHeader = z.object({ 'Idempotency-Key': idempotencyKey.optional() });

export const INSTRUMENT_TAKES = 'is not an instrument: write NSE:INFY, NSE_1594 or INFY';

/** An instrument in any of its forms; the gateway checks whether it exists. */
export const instrument = z
  .string()
  .refine((text) => isInstrumentText(text), INSTRUMENT_TAKES)
  .meta({ example: 'NSE:INFY' });

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

/** Opaque to callers; only the list that made it reads it. */
export const cursor = z.string().refine((text) => readCursor(text) !== null, CURSOR_TAKES);

/** An existing IST calendar day, `YYYY-MM-DD`. */
export const day = z.iso.date('takes a day, YYYY-MM-DD');
