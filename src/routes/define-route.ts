import type { z } from 'zod';
import type { Caller, Scope } from '../callers/caller.ts';
import type { ProblemFields } from '../domain/problem.ts';

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

/** A definition without its type parameters; mount-route.ts checks the inputs that it passes. */
export interface Route extends Omit<
  RouteDefinition<RouteScope, Section, Section, Section, z.ZodType>,
  'handler'
> {
  readonly handler: (request: AnyRequest) => Reply | Promise<Reply>;
}

export function defineRoute<
  S extends RouteScope,
  Params extends Section = z.ZodObject,
  Query extends Section = z.ZodObject,
  Headers extends Section = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
>(definition: RouteDefinition<S, Params, Query, Headers, Body>): Route {
  return definition as unknown as Route;
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
