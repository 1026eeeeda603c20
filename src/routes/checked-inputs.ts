import { z } from 'zod';
import type { Caller } from '../callers/caller.ts';
import { check, type Section } from './check-input.ts';
import { confined } from './confinement.ts';
import type { Method, Route } from './define-route.ts';

const NOTHING = z.strictObject({});

/** The parts of a request as they came, not checked yet. */
export interface GivenInputs {
  readonly params: unknown;
  readonly query: unknown;
  /** The headers that the route declares, by its own spelling. */
  readonly headers: unknown;
  /** Asked for after the other parts have passed, and not for a GET. */
  readBody(): Promise<unknown>;
  /** What errors call every part, where the sender did not send them apart. */
  readonly calledAs?: Section;
}

/** The parts of a request as a handler takes them. */
export interface CheckedInputs {
  readonly params: unknown;
  readonly query: unknown;
  readonly headers: unknown;
  readonly body: unknown;
}

/**
 * Checks the parts of a request against the schemas of its route, and confines it to the broker of the
 * caller's key (docs/keys.md). Every entry point that calls a route's handler passes here. Throws
 * `invalid_request` and `forbidden`.
 */
export async function checkedInputs(
  route: Route,
  given: GivenInputs,
  caller: Caller | null,
): Promise<CheckedInputs> {
  const named = (section: Section): Section => given.calledAs ?? section;
  const params = check(route.params ?? NOTHING, given.params, named('path'));
  const asked = check(route.query ?? NOTHING, given.query, named('query'));
  const headers = route.headers ? check(route.headers, given.headers, named('header')) : {};
  const sent = await bodyOf(route, given, named('body'));
  const { query, body } = confined(route, caller, { query: asked, body: sent });
  return { params, query, headers, body };
}

async function bodyOf(route: Route, given: GivenInputs, section: Section): Promise<unknown> {
  if (route.rawBody) return given.readBody();
  if (isReading(route.method)) return undefined;
  const body = await given.readBody();
  return check(
    route.body ?? z.undefined({ error: 'is not accepted here: send no body' }),
    body,
    section,
  );
}

function isReading(method: Method): boolean {
  return method === 'GET';
}
