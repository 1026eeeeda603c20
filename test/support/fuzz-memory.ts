import { isObject, type Operation } from './document-operations.ts';
import type { Known } from './document-requests.ts';

/** What requests made at random have found so far, so that later ones find it; and how they were answered. */

const MOST_REMEMBERED = 8;

/** The path under which the things of an operation are: `/api/v1/orders` of `/api/v1/orders/{id}/fills`. */
function familyOf(path: string): string {
  const [family = path] = path.split('/{');
  return family.replace(/\/basket$/, '');
}

const at = (value: unknown, name: string): unknown =>
  isObject(value) ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined;

/** Every text under a name, anywhere in an answer. */
function textsOf(value: unknown, name: string): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((each) => textsOf(each, name));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === name && typeof inner === 'string' ? [inner] : textsOf(inner, name),
  );
}

export interface FuzzMemory {
  /** For the next request of an operation. */
  known(operation: Operation): Known;
  learn(operation: Operation, body: unknown): void;
}

export function createFuzzMemory(always: Known): FuzzMemory {
  const found = new Map<string, readonly string[]>();
  let keys = 0;
  function remember(name: string, texts: readonly string[]): void {
    const known = (found.get(name) ?? []).filter((text) => !texts.includes(text));
    // What was found last is most often still there.
    if (texts.length > 0) found.set(name, [...known, ...texts].slice(-MOST_REMEMBERED));
  }
  return {
    known({ path }) {
      keys += 1;
      const own = (name: string) => found.get(`${name} ${familyOf(path)}`) ?? [];
      const ids = own('id');
      const orders = found.get('id /api/v1/orders') ?? [];
      // Most keys are new: a key that is taken ends a request before anything else is looked at.
      const key = Array.from({ length: 6 }, (_, index) => `fuzz-${keys + index}`);
      return {
        ...always,
        ...{ 'Idempotency-Key': [...key, 'fuzz-1'], clientOrderId: [...key, 'fuzz-2'] },
        ...{ id: [...ids, ...ids, 'me'], orderId: [...orders, 'ord_none'] },
        ...{ cursor: own('cursor'), expiry: found.get('expiries') ?? [] },
      };
    },
    learn({ path }, body) {
      const data = at(body, 'data');
      const listed = Array.isArray(data) ? data.slice(0, 4) : [data];
      const inner = listed.flatMap((each) => [at(each, 'id'), at(at(each, 'order'), 'id')]);
      const ids = inner.filter((id) => typeof id === 'string');
      remember(`id ${familyOf(path)}`, ids);
      remember(`cursor ${familyOf(path)}`, textsOf(body, 'nextCursor'));
      if (path.endsWith('/expiries')) remember('expiries', textsOf(body, 'expiry').slice(0, 2));
    },
  };
}

/** How often each operation was answered with what: `2xx`, or the status and the code of a refusal. */
export class FuzzTally {
  readonly #answers = new Map<string, Map<string, number>>();

  count(operation: string, status: number, code: unknown): void {
    const answer = status < 400 ? '2xx' : `${status} ${String(code)}`;
    const answers = this.#answers.get(operation) ?? new Map<string, number>();
    this.#answers.set(operation, answers.set(answer, (answers.get(answer) ?? 0) + 1));
  }

  /** Requests that were taken; of one operation where it is named. */
  accepted(operation?: string): number {
    return this.#sum((name, answer) => answer === '2xx' && (operation ?? name) === name);
  }

  /** Requests that were refused for what was asked, not for who asked it. */
  refused(): number {
    return this.#sum((_, answer) => /^4(?!01|03|29)/.test(answer));
  }

  toString(): string {
    return [...this.#answers]
      .map(([name, answers]) => `${name}: ${JSON.stringify(Object.fromEntries(answers))}`)
      .join('\n');
  }

  #sum(wanted: (operation: string, answer: string) => boolean): number {
    const all = [...this.#answers].flatMap(([name, answers]) =>
      [...answers].filter(([answer]) => wanted(name, answer)).map(([, count]) => count),
    );
    return all.reduce((sum, count) => sum + count, 0);
  }
}
