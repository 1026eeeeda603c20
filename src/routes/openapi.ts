import type {
  createDocument as CreateDocument,
  ZodOpenApiObject,
  ZodOpenApiOperationObject,
  ZodOpenApiPathsObject,
} from 'zod-openapi';
import type { BrokerId } from '../domain/broker.ts';
import { brokerComponent, type ReplyDescription, type Route } from './define-route.ts';
import { addExamples } from './document-examples.ts';
import {
  ABOUT,
  COOKIE_SCHEME,
  HEADERS,
  headersOf,
  KEY_SCHEME,
  PAGE,
  TAGS,
  TICKET_SCHEME,
} from './document-parts.ts';
import { problemResponses } from './document-problems.ts';
import { shareResponses } from './document-responses.ts';
import { exitSchema } from './exit-schemas.ts';
import { orderSchema } from './order-schemas.ts';
import { problemSchema } from './problems.ts';

/** What the document says about this gateway besides its routes. */
export interface DocumentedServer {
  readonly publicUrl: string | null;
  /** The names of the configured broker instances. */
  readonly brokers: readonly BrokerId[];
}

export type OpenApiDocument = ReturnType<typeof CreateDocument>;

/**
 * The OpenAPI 3.1 document. The first call makes it from the routes, and loads the library for it.
 */
export function createDocument(
  routes: () => readonly Route[],
  server: DocumentedServer,
): () => Promise<OpenApiDocument> {
  let made: Promise<OpenApiDocument> | null = null;
  return () => (made ??= make(routes(), server));
}

async function make(
  routes: readonly Route[],
  { publicUrl, brokers }: DocumentedServer,
): Promise<OpenApiDocument> {
  const { createDocument: create } = await import('zod-openapi');
  const document: ZodOpenApiObject = {
    openapi: '3.1.0',
    info: {
      title: 'altbroker-gateway',
      version: '1',
      license: { name: 'MIT', identifier: 'MIT' },
      description: ABOUT,
    },
    servers: [{ url: publicUrl ?? '/', description: 'This gateway' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: pathsOf(routes),
    components: {
      securitySchemes: { key: KEY_SCHEME, ticket: TICKET_SCHEME, cookie: COOKIE_SCHEME },
      headers: HEADERS,
      // Problems refer to them by name.
      schemas: { Problem: problemSchema, Order: orderSchema, Exit: exitSchema },
    },
  };
  const made = create(document, {
    override: ({ jsonSchema, zodSchema, io }) => {
      if (zodSchema === brokerComponent) jsonSchema.examples = [...brokers];
      // Later versions may add fields to a reply, so the document must not exclude further ones.
      if (io === 'output' && jsonSchema.additionalProperties === false) {
        delete jsonSchema.additionalProperties;
      }
      makePortable(jsonSchema);
    },
  });
  leaveOutRepeated(made);
  return shareResponses(addExamples(made));
}

/**
 * The library repeats, beside a reference with a description of its own, what it takes for different from the schema
 * that is referred to: its pattern, and that it excludes further fields, although neither is in the document any more.
 */
function leaveOutRepeated(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  if ('$ref' in node) {
    if ('pattern' in node) delete node.pattern;
    if ('additionalProperties' in node) delete node.additionalProperties;
  }
  for (const part of Object.values(node)) leaveOutRepeated(part);
}

/**
 * Languages differ in what `\d` matches, and the format says more than the pattern that the library
 * writes beside it.
 */
function makePortable(schema: { format?: string; pattern?: string }): void {
  if (schema.pattern === undefined) return;
  if (schema.format === 'date' || schema.format === 'date-time') delete schema.pattern;
  else schema.pattern = schema.pattern.replaceAll(String.raw`\d`, '[0-9]');
}

function pathsOf(routes: readonly Route[]): ZodOpenApiPathsObject {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const route of routes) {
    (paths[route.path] ??= {})[route.method.toLowerCase()] = operationOf(route);
  }
  return paths;
}

function operationOf(route: Route): ZodOpenApiOperationObject {
  const { params, query, headers, body } = route;
  const type = route.rawBody ? 'text/plain' : 'application/json';
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description: descriptionOf(route),
    security: securityOf(route),
    'x-scope': route.scope,
    requestParams: {
      ...(params ? { path: params } : {}),
      ...(query ? { query } : {}),
      ...(headers ? { header: headers } : {}),
    },
    ...(body
      ? { requestBody: { required: !body.isOptional(), content: { [type]: { schema: body } } } }
      : {}),
    responses: {
      ...responsesOf(route),
      ...(Object.keys(route.replies).every((status) => status.startsWith('3')) ? FOLLOWED : {}),
    },
  };
}

const KEY = { key: [] };

/** Any one of those listed is enough. */
const securityOf = ({ scope, keyElsewhere }: Route) =>
  scope === 'none' ? [] : keyElsewhere === true ? [KEY, { ticket: [] }, { cookie: [] }] : [KEY];

/**
 * A linter asks for an answer other than a redirect; clients that follow it get that of another server.
 */
const FOLLOWED = {
  default: { description: 'Whatever the page answers that the redirect leads to' },
};

function descriptionOf({ summary, description, scope }: Route): string {
  const key = scope === 'none' ? 'Needs no key.' : `Needs a key of scope \`${scope}\`.`;
  return [`${summary}.`, description, key].filter((part) => part !== undefined).join(' ');
}

function responsesOf(route: Route) {
  const replies = Object.entries(route.replies).map(
    ([status, reply]) => [status, replyOf(reply, route)] as const,
  );
  const problems = problemResponses(route);
  // A status may have both: then the type of the content tells which of them it is.
  const both = replies.map(([status, reply]) => {
    const problem = problems[status];
    if (problem === undefined) return [status, reply] as const;
    const description = `${reply.description}; ${problem.description}`;
    const content = { ...reply.content, ...problem.content };
    return [status, { ...problem, description, content }] as const;
  });
  return { ...Object.fromEntries(replies), ...problems, ...Object.fromEntries(both) };
}

function replyOf({ description, schema, headers = [], ...reply }: ReplyDescription, route: Route) {
  const { contentType = 'application/json', events } = reply;
  const content = schema && {
    content: {
      [contentType]: { schema },
      ...(route.pages ? PAGE : {}),
      ...(events ? { 'text/event-stream': { schema: events } } : {}),
    },
  };
  return { description, headers: headersOf(['X-Request-Id', ...headers]), ...content };
}
