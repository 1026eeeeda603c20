import type { Operation } from './operation.ts';
import type { CallOptions } from './types.ts';

/** What a call is given, whatever its operation is. */
export type AnyInput = CallOptions & {
  readonly body?: unknown;
  readonly key?: string;
  readonly keyIsNew?: boolean;
  readonly [parameter: string]: unknown;
};

/** Where requests go, and as whom. */
export interface Connection {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly key: string;
}

/**
 * One intent of the caller, as it goes over the network. It is made once, and every attempt sends these same bytes:
 * so no attempt can have another key or another body than the first.
 */
export interface PreparedRequest {
  readonly name: string;
  readonly operation: Operation;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** The idempotency key in the header; null where the operation takes none there. */
  readonly key: string | null;
  /** Whether no earlier request can have had the key. */
  readonly keyIsNew: boolean;
}

/** What a header can carry, and the gateway takes. */
const KEY_TEXT = /^[!-~](?:[ -~]{0,62}[!-~])?$/;

const NO_PARAMETERS: ReadonlySet<string> = new Set([
  ...['body', 'key', 'keyIsNew', 'signal', 'timeoutMs', 'patienceMs'],
]);

/**
 * Throws a TypeError for input that cannot be sent: a path parameter that is missing, or one that the operation does
 * not have, which would change what the request means if it were left out.
 */
export function prepareRequest(
  [name, operation]: readonly [string, Operation],
  input: AnyInput,
  { baseUrl, key: gatewayKey }: Connection,
  newKey: () => string,
): PreparedRequest {
  const { url, used } = address(name, operation, input);
  const unknown = Object.keys(input).filter(
    (each) => !used.has(each) && !NO_PARAMETERS.has(each) && input[each] !== undefined,
  );
  if (unknown.length > 0) {
    const known = [...used, ...operation.query].join(', ') || 'none';
    throw new TypeError(`${name} has no parameter ${unknown.join(', ')}: it takes ${known}`);
  }
  if (input.key !== undefined && operation.keyIn !== 'header') {
    throw new TypeError(`${name} takes no idempotency key: leave key out`);
  }
  const given = input.key ?? keyInBody(input);
  const key = operation.keyIn === 'header' ? (given ?? newKey()) : null;
  const keyIsNew = given === undefined || input.keyIsNew === true;
  if (key !== null && !KEY_TEXT.test(key)) {
    throw new TypeError(
      `${name}: an idempotency key has 1 to 64 printable characters of ASCII; it is ${JSON.stringify(key)}`,
    );
  }
  const body = input.body === undefined ? null : JSON.stringify(input.body);
  return {
    ...{ name, operation, url: `${baseUrl}${url}`, body, key, keyIsNew },
    headers: {
      Accept: operation.answers === 'json' ? 'application/json' : 'text/plain',
      Authorization: `Bearer ${gatewayKey}`,
      ...(body === null ? {} : { 'Content-Type': 'application/json' }),
      ...(key === null ? {} : { 'Idempotency-Key': key }),
    },
  };
}

/** The key that an order may have as its clientOrderId. */
function keyInBody({ body }: AnyInput): string | undefined {
  if (typeof body !== 'object' || body === null || !('clientOrderId' in body)) return undefined;
  return typeof body.clientOrderId === 'string' ? body.clientOrderId : undefined;
}

function address(
  name: string,
  { path, query }: Operation,
  input: AnyInput,
): { readonly url: string; readonly used: ReadonlySet<string> } {
  const used = new Set<string>();
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => {
    const value = input[parameter];
    if (typeof value !== 'string' || value === '') {
      throw new TypeError(`${name} needs ${parameter}, a text; it is ${JSON.stringify(value)}`);
    }
    // `.` and `..` would be taken out of the path, so that another operation would be called.
    if (value === '.' || value === '..') throw new TypeError(`${parameter} cannot be ${value}`);
    used.add(parameter);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const parameter of query) {
    const value = input[parameter];
    if (value === undefined) continue;
    used.add(parameter);
    search.set(parameter, String(value));
  }
  return { url: search.size === 0 ? filled : `${filled}?${search.toString()}`, used };
}
