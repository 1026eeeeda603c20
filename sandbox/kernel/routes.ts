import type { BookView, OddRow } from './book-view.ts';
import type { PositionSpoiling } from './position-spoiling.ts';
import type { PositionSplit } from './split-positions.ts';
import type { Reply, WireRequest } from './wire.ts';

/**
 * All positions in one list. `ignored`: the question for one segment and product is answered with it. `alone`: such a
 * question about shares is refused, and the list is the answer to one without parameters.
 */
export type OlderPositions = 'ignored' | 'alone';

/** A request as a broker's handlers receive it. */
export interface Call {
  request: WireRequest;
  method: string;
  /** Without origin and query. */
  path: string;
  query: URLSearchParams;
  /** The `:names` of the route's pattern. */
  parameters: Record<string, string>;
  /** When the request arrived, epoch ms. */
  at: number;
  /** What a read of an order book may show now: faults make it old, short or wrong. */
  view(): BookView;
  /** How long no read shows the row of an order placed by this call, ms. */
  lateMs(): number;
  /** The same where only the row is late, once it has filled: its trades are shown. */
  rowLateMs(): number;
  /** The tag with which an order placed by this call is kept. */
  tagKept(tag: string | null): string | null;
  /** What of the row of an order placed by this call cannot be read; null for nothing. */
  oddRow(): OddRow | null;
  /** Whether the cancel that this call asks for is taken, and comes to nothing. */
  isUndone(): boolean;
  /** The moment up to which fills show in the account that this call reads, epoch ms; null for now. */
  accountAsOf(): number | null;
  /** Which figures of the positions that this call reads are behind the others; null for none. */
  positionSplit(): PositionSplit | null;
  /** What is wrong with a row of the positions that this call reads; null for nothing. */
  positionSpoiling(): PositionSpoiling | null;
  /** Whether the account is shown as one without derivatives, whatever it holds. */
  refusesDerivatives(): boolean;
  /** Whether the primary brokerage answers positions in their older form; null where it does not. */
  olderPositions(): OlderPositions | null;
}

export interface Route {
  method: string;
  /** `/orders/:variety/:order_id`. */
  pattern: string;
  /** The limit that the call counts against. */
  category: string;
  /** The call needs no session. */
  open?: true;
  run(call: Call): Reply;
}

export interface RouteMatch {
  route: Route;
  parameters: Record<string, string>;
}

/** The parts of each pattern: every request is compared with some. */
const patterns = new Map<string, readonly string[]>();

function partsOf(pattern: string): readonly string[] {
  let parts = patterns.get(pattern);
  if (!parts) patterns.set(pattern, (parts = pattern.split('/')));
  return parts;
}

export function matchRoute(
  routes: readonly Route[],
  method: string,
  path: string,
): RouteMatch | null {
  const given = path.split('/');
  for (const route of routes) {
    if (route.method !== method) continue;
    const wanted = partsOf(route.pattern);
    if (wanted.length !== given.length) continue;
    const parameters: Record<string, string> = {};
    const fits = wanted.every((part, index) => {
      const value = given[index] ?? '';
      if (!part.startsWith(':')) return part === value;
      parameters[part.slice(1)] = decodeURIComponent(value);
      return value !== '';
    });
    if (fits) return { route, parameters };
  }
  return null;
}

/** What a ticket has of an order whose row cannot be read whole. */
export function oddOf(call: Call): { odd?: OddRow } {
  const odd = call.oddRow();
  return odd === null ? {} : { odd };
}

/** Form fields of a body; empty when there are none. */
export const formOf = (request: WireRequest): URLSearchParams => new URLSearchParams(request.body);

/** The JSON object or array of a body; undefined when it is neither. */
export function jsonOf(request: WireRequest): unknown {
  try {
    return JSON.parse(request.body) as unknown;
  } catch {
    return undefined;
  }
}

export function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}
