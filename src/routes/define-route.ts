import type { z } from 'zod';
import type { Caller, Scope } from '../callers/caller.ts';
import type { ProblemCode, ProblemFields } from '../domain/problem.ts';
import type { Moment } from '../platform/clock.ts';
import type { ServerSocket } from '../platform/http-upgrade.ts';
import type { HeaderName, Tag } from './document-parts.ts';

export * from './answer-parts.ts';
export * from './inputs.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
/** `none` needs no key. */
export type RouteScope = 'none' | Scope;

/** A content type that the client's Accept names. */
export type WantedType = 'json' | 'html' | 'events' | null;

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
  /** The address of the connection that the request came over; empty where it came over none. */
  readonly address?: string;
  /** When it came, where it had to wait before the handler; now when absent. */
  readonly arrived?: Moment;
  cookie(name: string): string | null;
  /** As the client named the gateway, checked against the list; absent where no HTTP brought the request. */
  readonly host?: string | undefined;
  /** The value of Authorization. */
  readonly authorization?: string | undefined;
  /** The content type that the client's Accept names; null when it names none of them. */
  readonly wants: WantedType;
  /** Whether the key of the request is still valid, for answers that take long; always when absent. */
  readonly keyHolds?: () => boolean;
  /** Calls the listener once the connection has ended, or was answered; never when absent. */
  readonly onGone?: (listener: () => void) => void;
  /** Whether a WebSocket is asked for; not when absent. */
  readonly isUpgrade?: boolean;
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
    /** Server-sent events; `open` is called once the head is written. */
    | { readonly kind: 'events'; readonly open: (out: StreamOut) => void }
    /** The answer to a request that `isUpgrade`. */
    | {
        readonly kind: 'socket';
        readonly open: (socket: ServerSocket) => void;
        /** Called in place of `open` where the handshake is wrong, or its connection has ended. */
        readonly refused: () => void;
      }
    | { readonly kind: 'empty' };
}

/** An answer that is written bit by bit. */
export interface StreamOut {
  /** False where the connection has taken less than was written so far: wait for `onDrain`. */
  write(text: string): boolean;
  /** Calls the listener once the connection has taken everything. */
  onDrain(listener: () => void): void;
  onClose(listener: () => void): void;
  end(text: string): void;
  /** Cuts the connection. */
  destroy(): void;
}

export interface ReplyDescription {
  readonly description: string;
  /** Absent for an empty body. */
  readonly schema?: z.ZodType;
  /** Default `application/json`. */
  readonly contentType?: string;
  /** A second form of the body, for who asks for it by Accept: server-sent events. */
  readonly events?: z.ZodType;
  readonly headers?: readonly HeaderName[];
}

/** The page of a problem, for a person; `nonce` is that of its style. */
export type ProblemPage = (fields: ProblemFields) => (nonce: string) => string;

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
  /** Its name in clients that are made from the document: it never changes. */
  readonly operationId: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  /** Its own problems, besides those of every route of its kind (declared-problems.ts). */
  readonly problems: readonly ProblemCode[];
  /**
   * For a GET that does something. `get` refuses HEAD, which programs send only to look at a link;
   * `navigation` also refuses what a web page loads by itself (docs/security.md, "Browsers").
   */
  readonly only?: 'get' | 'navigation';
  /**
   * Answers people with pages: where Accept names text/html. Makes the page of a problem, whichever part of the
   * server found it: its answer has the problem's status.
   */
  readonly pages?: ProblemPage;
  /** What is the same at every broker: a key that is confined to one may still read it from others. */
  readonly isMarketData?: true;
  /**
   * Also takes the key from a cookie, or a ticket in its place: for browsers, which send no header of ours with
   * a WebSocket (docs/streaming.md).
   */
  readonly keyElsewhere?: true;
  /**
   * For a GET whose handler looks at nothing but the query and the caller, and may be asked as often as there are
   * requests: one that repeats another word for word is not checked again (repeated-reads.ts).
   */
  readonly isRepeatable?: true;
  readonly params?: Params;
  /** Absent: the route accepts no query parameter. */
  readonly query?: Query;
  readonly headers?: Headers;
  /** Headers that are lists: several lines of one count as one line, with commas between (RFC 9110, 5.3). */
  readonly listHeaders?: readonly string[];
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
