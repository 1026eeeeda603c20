import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { gatewayDocument } from './gateway-document.ts';

/** Compares replies with the OpenAPI document: whatever is served is in the document. */

export interface ServedReply {
  readonly method: string;
  /** As requested, with its query. */
  readonly path: string;
  readonly status: number;
  /** Absent for an empty body. */
  readonly contentType?: string;
  readonly body: unknown;
}

interface Json {
  readonly [name: string]: unknown;
}
const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null;
const at = (value: unknown, ...names: readonly string[]): unknown =>
  names.reduce<unknown>((part, name) => (isJson(part) ? part[name] : undefined), value);

/** What is wrong with the reply, in a sentence; null where the document has it. */
export type DocumentCheck = (reply: ServedReply) => string | null;

/** Of answers to requests that are none of an operation: of a path, or a method, that is not there. */
const OF_NO_OPERATION: readonly unknown[] = ['not_found', 'method_not_allowed', 'wrong_host'];

export function createDocumentCheck(document: object): DocumentCheck {
  const paths = Object.keys(Object(at(document, 'paths'))).map((path) => ({
    path,
    // A path without parameters goes before one with them.
    parameters: path.split('{').length,
    pattern: new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
  }));
  paths.sort((left, right) => left.parameters - right.parameters);
  const ajv = new Ajv2020({ strict: false, allErrors: true, inlineRefs: false });
  addFormats.default(ajv);
  ajv.addSchema(closed(document), 'document');

  return ({ method, path: asked, status, contentType, body }) => {
    const [pathname = ''] = asked.split('?', 1);
    const found = paths.find(({ pattern }) => pattern.test(pathname));
    const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
    const operation = at(document, 'paths', found?.path ?? '', verb);
    const answered = `${method} ${found?.path ?? pathname} answered ${status}`;
    const code = at(body, 'code');
    const isOfNone = OF_NO_OPERATION.includes(code) || (method === 'HEAD' && status === 405);
    if (isOfNone && (operation === undefined || method === 'HEAD')) return null;
    if (operation === undefined) return `${answered}, and the document does not have the operation`;
    const named = code === undefined ? answered : `${answered} ${String(code)}`;
    const response = at(operation, 'responses', String(status));
    const where = pointerOf(response, found?.path ?? '', verb, status);
    const resolved = isJson(response) && '$ref' in response ? resolve(document, where) : response;
    if (resolved === undefined) {
      return `${named}, and the document does not have the status: add it to the route's replies or problems`;
    }
    if (method === 'HEAD') return null;
    const type = contentType?.split(';')[0]?.trim();
    if (type === undefined) {
      return at(resolved, 'content') === undefined ? null : `${named} without a body`;
    }
    if (at(resolved, 'content', type) === undefined) {
      return `${named} as ${type}, and the document does not have that type`;
    }
    const pointer = `${where}/content/${type.replaceAll('/', '~1')}/schema`;
    const validate = ajv.getSchema(`document${pointer}`);
    if (validate === undefined) return `${named}, and its schema cannot be found at ${pointer}`;
    if (validate(body)) return null;
    const wrong = (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
    return `${named}, and the document says otherwise: ${[...new Set(wrong)].slice(0, 5).join('; ')}`;
  };
}

function pointerOf(response: unknown, path: string, verb: string, status: number): string {
  const ref = at(response, '$ref');
  if (typeof ref === 'string') return ref;
  return `#/paths/${encodeURIComponent(path.replaceAll('/', '~1'))}/${verb}/responses/${status}`;
}

function resolve(document: object, pointer: string): unknown {
  return at(document, ...pointer.slice(2).split('/'));
}

/**
 * The document with every object closed, so that a field that is served and not documented is found.
 * Problems are closed where they are used, together with the further members of their kind.
 */
function closed(document: object): object {
  const copy: unknown = JSON.parse(JSON.stringify(document));
  close(copy, false);
  return Object(copy);
}

function close(node: unknown, isPart: boolean): void {
  if (!isJson(node)) return;
  const isSchema = 'properties' in node && isJson(node.properties);
  const isOpen = node.additionalProperties === undefined && 'type' in node;
  if (isSchema && isOpen && !isPart) Object.assign(node, { additionalProperties: false });
  for (const [name, child] of Object.entries(node)) {
    if (name === 'allOf' && Array.isArray(child)) {
      if (!('properties' in node)) Object.assign(node, { unevaluatedProperties: false });
      for (const part of child) close(part, true);
    } else {
      close(child, name === 'Problem');
    }
  }
}

let made: Promise<DocumentCheck> | null = null;

/** One check for all tests of this process. */
export function documentCheck(): Promise<DocumentCheck> {
  return (made ??= gatewayDocument().then(createDocumentCheck));
}
