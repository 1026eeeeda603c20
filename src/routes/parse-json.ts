import { GatewayProblem } from '../domain/problem.ts';

/** Names that can change an object's prototype when code merges a body. */
const POISONED = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Control characters, half characters, line separators, and characters of no width or that turn the
 * direction of writing: a log or a chat shows another text than was sent. Words of Indian languages
 * need the two joiners.
 */
const UNPRINTABLE = /[[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]--[\u200c\u200d]]/v;

/** A JSON text of a stranger. Throws `invalid_request` for what is none, or is not safe to use. */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text, refuseUnsafe);
    const repeated = repeatedName(text);
    if (repeated === null) return value;
    throw unsafe(`has the name ${repeated.slice(0, 64)} twice in one object: send it once`);
  } catch (error) {
    if (error instanceof GatewayProblem) throw error;
    // The parser's message quotes a part of the body.
    throw new GatewayProblem({
      code: 'invalid_request',
      detail: 'The body is not valid JSON: send one JSON object, in UTF-8.',
    });
  }
}

/**
 * The first name that one object of a valid JSON text has twice; null when there is none. Parsers
 * differ in which of the values they take, so the sender may have meant the other one.
 */
function repeatedName(text: string): string | null {
  /** The names of each object that is open, outermost first; null for an array. */
  const open: (Set<string> | null)[] = [];
  let isName = false;
  for (const [token] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],]/g)) {
    const names = open.at(-1) ?? null;
    if (token.startsWith('"')) {
      if (!isName || names === null) continue;
      const name = String(JSON.parse(token));
      if (names.has(name)) return name;
      names.add(name);
    } else if (token === '{' || token === '[') {
      open.push(token === '{' ? new Set() : null);
    } else if (token !== ',') {
      open.pop();
    }
    isName = token === '{' || (token === ',' && names !== null);
  }
  return null;
}

function refuseUnsafe(this: unknown, key: string, value: unknown): unknown {
  if (POISONED.has(key)) throw unsafe(`contains the name ${key}, which is not allowed: remove it`);
  if (UNPRINTABLE.test(key)) throw unsafe('has a name with an unprintable character: remove it');
  if (typeof value !== 'string' || !UNPRINTABLE.test(value)) return value;
  throw unsafe(`has an unprintable character in the value of ${key.slice(0, 64)}: remove it`);
}

function unsafe(what: string): GatewayProblem {
  return new GatewayProblem({ code: 'invalid_request', detail: `The body ${what}.` });
}
