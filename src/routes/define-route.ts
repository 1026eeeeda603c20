import type { z } from 'zod';
import type { Caller, Scope } from '../callers/caller.ts';
import type { ProblemFields } from '../domain/problem.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
/** `none` needs no key. */
export type RouteScope = 'none' | Scope;

/** What a handler is given: everything has been checked against the route's schemas. */
export interface RouteRequest<Params, Query, Headers, Body, CallerOf> {
  readonly params: Params;
  readonly query: Query;
  readonly headers: Headers;
  readonly body: Body;
  /** Null on routes that need no key. */
  readonly caller: CallerOf;
  cookie(name: string): string | null;
  /** The kind of answer that the client asks for by name; null when it takes anything. */
  readonly wants: 'json' | 'html' | null;
}

/** What a handler answers. The status must be one that the route declares, or a problem. */
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
 * One route, whole: what it is called, what it takes, what it gives, and what it does. The server
 * and the OpenAPI document are both made from it, so that they cannot say different things.
 */
export interface RouteDefinition<
  S extends RouteScope,
  Params extends Section,
  Query extends Section,
  Headers extends Section,
  Body extends z.ZodType,
> {
  readonly method: Method;
  /** With parameters in braces, as OpenAPI writes them. */
  readonly path: `/${string}`;
  readonly scope: S;
  readonly summary: string;
  readonly params?: Params;
  /** Without one, no query parameter is taken. */
  readonly query?: Query;
  readonly headers?: Headers;
  /** Of a JSON body. An optional schema makes the body optional. */
  readonly body?: Body;
  /** Takes the body as text, of any type, up to this many bytes; it comes as `body`. */
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

/** A definition whose parts have been fitted together; what mounts it checks what it passes. */
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

/** A problem under a status of the route's own choice. */
export function problem(
  status: number,
  fields: ProblemFields,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return { status, headers, content: { kind: 'problem', fields } };
}
