/** The operations of an OpenAPI document, in a form that tests read. */

export interface MediaOfOperation {
  /** `query day`, `request`, `200 application/json`. */
  readonly where: string;
  readonly schema: object;
  /** Its examples. */
  readonly values: readonly unknown[];
}

export interface ProblemsOfStatus {
  readonly status: string;
  readonly codes: readonly string[];
  readonly examples: readonly { readonly status?: unknown; readonly code?: unknown }[];
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: object;
  readonly example?: unknown;
}

interface Media {
  readonly schema?: object;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: object }>>;
}
type Content = Readonly<Record<string, Media>>;

interface DocumentedOperation {
  readonly operationId?: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly 'x-scope'?: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<
    Record<string, { readonly $ref?: string; readonly content?: Content }>
  >;
}

export interface Operation {
  /** `GET /api/v1/orders`. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly operation: DocumentedOperation;
  readonly media: readonly MediaOfOperation[];
  readonly problems: readonly ProblemsOfStatus[];
}

interface Document {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components?: {
    readonly responses?: Readonly<Record<string, { readonly content?: Content }>>;
  };
}

export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null;

const PROBLEM = 'application/problem+json';

export function operationsOf(document: object): readonly Operation[] {
  const { paths = {}, components = {} }: Document = document;
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([verb, operation]) => {
      const method = verb.toUpperCase();
      const responses = Object.entries(operation.responses).map(([status, response]) => {
        const name = response.$ref?.split('/').at(-1);
        const { content = {} } = name ? (components.responses?.[name] ?? {}) : response;
        return { status, content };
      });
      return {
        ...{ name: `${method} ${path}`, method, path, operation },
        media: [
          ...(operation.parameters ?? []).map((each) => mediaOf(`${each.in} ${each.name}`, each)),
          ...contentOf('request', operation.requestBody?.content ?? {}),
          ...responses.flatMap(({ status, content }) => contentOf(status, content)),
        ],
        problems: responses.flatMap(({ status, content }) => {
          const problem = content[PROBLEM];
          return problem === undefined ? [] : [problemsOf(status, problem)];
        }),
      };
    }),
  );
}

function contentOf(where: string, content: Content): readonly MediaOfOperation[] {
  return Object.entries(content).map(([type, media]) => mediaOf(`${where} ${type}`, media));
}

function mediaOf(where: string, { schema = {}, example, examples = {} }: Media): MediaOfOperation {
  const values = Object.values(examples).map(({ value }) => value);
  return { where, schema, values: example === undefined ? values : [example, ...values] };
}

function problemsOf(status: string, { examples = {} }: Media): ProblemsOfStatus {
  return {
    ...{ status, codes: Object.keys(examples) },
    examples: Object.values(examples).map(({ value }) => value),
  };
}
