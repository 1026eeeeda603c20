import type {
  createDocument as CreateDocument,
  ZodOpenApiObject,
  ZodOpenApiOperationObject,
  ZodOpenApiPathsObject,
} from 'zod-openapi';
import type { BrokerId } from '../domain/broker.ts';
import { answeringBroker, type Route } from './define-route.ts';
import { PROBLEM_TYPE, problemSchema } from './problems.ts';

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
      description:
        "One local server in front of a trader's brokers. Errors are problem documents " +
        '(RFC 9457) that say whether an order may have executed.',
    },
    ...(publicUrl === null ? {} : { servers: [{ url: publicUrl }] }),
    paths: pathsOf(routes),
    components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
  };
  return create(document, {
    // Later versions may add fields to a reply, so the document must not exclude further ones.
    override: ({ jsonSchema, zodSchema, io }) => {
      if (zodSchema === answeringBroker) jsonSchema.enum = [...brokers];
      if (io === 'output' && jsonSchema.additionalProperties === false) {
        delete jsonSchema.additionalProperties;
      }
    },
  });
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
    summary: route.summary,
    operationId: operationId(route),
    ...(route.scope === 'none' ? { security: [] } : { security: [{ key: [] }] }),
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
      ...Object.fromEntries(Object.entries(route.replies).map(replyOf)),
      default: {
        description: 'A problem',
        content: { [PROBLEM_TYPE]: { schema: problemSchema } },
      },
    },
  };
}

function replyOf([status, reply]: [string, Route['replies'][number]]) {
  const content = reply.schema && {
    content: { [reply.contentType ?? 'application/json']: { schema: reply.schema } },
  };
  return [status, { description: reply.description, ...content }] as const;
}

/** `GET /api/v1/orders/{id}/fills` is `get_orders_id_fills`. */
function operationId({ method, path }: Route): string {
  const words = path.replace(/^\/api\/(v1\/)?/, '/').match(/\w+/g) ?? [];
  return [method.toLowerCase(), ...words].join('_');
}
