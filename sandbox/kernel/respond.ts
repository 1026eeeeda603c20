import { honestView } from './book-view.ts';
import type { BookView, OddRow } from './book-view.ts';
import type { Broker } from './broker.ts';
import { type RowCopies, withCopies } from './doubled-rows.ts';
import type { PositionSpoiling } from './position-spoiling.ts';
import type { PositionSplit } from './split-positions.ts';
import type { Call, OlderPositions } from './routes.ts';
import { matchRoute } from './routes.ts';
import type { Reply, WireRequest } from './wire.ts';

export interface Arrival {
  request: WireRequest;
  path: string;
  query: URLSearchParams;
  at: number;
  fault: string | null;
  view(): BookView;
  lateMs(): number;
  rowLateMs(): number;
  tagKept(tag: string | null): string | null;
  oddRow(): OddRow | null;
  isUndone(): boolean;
  accountAsOf(): number | null;
  positionSplit(): PositionSplit | null;
  positionSpoiling(): PositionSpoiling | null;
  refusesDerivatives(): boolean;
  olderPositions(): OlderPositions | null;
  copies(): RowCopies | null;
}

/** The broker's own reply for an unknown path (404) or method (405). */
function noRoute(broker: Broker, method: string, path: string): Reply {
  const others = ['GET', 'POST', 'PUT', 'DELETE'].filter((other) => other !== method);
  const exists = others.some((other) => matchRoute(broker.routes, other, path));
  return exists
    ? broker.errorReply(405, 'Method not allowed')
    : broker.errorReply(404, 'Route not found');
}

/** Handles a request as the broker does: limit, session, handler, in this order. Logs it. */
export function respond(broker: Broker, arrival: Arrival): Reply {
  const { request, path, query, at } = arrival;
  const method = request.method.toUpperCase();
  const match = matchRoute(broker.routes, method, path);
  const entry = {
    at,
    method,
    path,
    endpoint: match ? `${match.route.method} ${match.route.pattern}` : 'unknown',
    category: match?.route.category ?? '',
    authorization: request.headers['authorization'] ?? null,
    fault: arrival.fault,
  };
  const done = (reply: Reply, limitBroken = false): Reply => {
    broker.log.add({ ...entry, status: reply.status, limitBroken });
    return reply;
  };
  if (!match) return done(noRoute(broker, method, path));
  if (!broker.admit(match.route.category, at)) return done(broker.tooMany(), true);
  const denied = match.route.open ? null : broker.authorize(request, match.route);
  if (denied) return done(denied);
  const { view, lateMs, rowLateMs, tagKept, oddRow, isUndone } = arrival;
  const { accountAsOf, positionSplit, positionSpoiling, refusesDerivatives, olderPositions } =
    arrival;
  const { parameters } = match;
  const call: Call = {
    request,
    method,
    path,
    query,
    parameters,
    at,
    view,
    lateMs,
    rowLateMs,
    tagKept,
    oddRow,
    isUndone,
    accountAsOf,
    positionSplit,
    positionSpoiling,
    refusesDerivatives,
    olderPositions,
  };
  const copies = arrival.copies();
  const answer = (): Reply =>
    copies === null
      ? match.route.run(call)
      : withCopies((seen) => match.route.run({ ...call, view: () => seen }), view(), copies);
  return done(run(broker, answer));
}

function run(broker: Broker, act: () => Reply): Reply {
  try {
    return act();
  } catch (error) {
    const reply = broker.refusal(error);
    if (reply) return reply;
    throw error;
  }
}

/** Carries out the request without a limit, a session or a reply (timeout_400). */
export function actUnseen(broker: Broker, request: WireRequest, path: string, at: number): void {
  const match = matchRoute(broker.routes, request.method.toUpperCase(), path);
  if (!match) return;
  const call: Call = {
    request,
    method: match.route.method,
    path,
    query: new URLSearchParams(),
    parameters: match.parameters,
    at,
    view: () => honestView,
    lateMs: () => 0,
    rowLateMs: () => 0,
    tagKept: (tag) => tag,
    oddRow: () => null,
    isUndone: () => false,
    accountAsOf: () => null,
    positionSplit: () => null,
    positionSpoiling: () => null,
    refusesDerivatives: () => false,
    olderPositions: () => null,
  };
  run(broker, () => match.route.run(call));
}
