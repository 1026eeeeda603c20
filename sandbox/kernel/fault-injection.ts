import type { Broker } from './broker.ts';
import { copiesOf } from './doubled-rows.ts';
import type { FaultSource, ListedFault } from './faults.ts';
import { numberOf, wireFaultKinds } from './faults.ts';
import { faultyView } from './faulty-view.ts';
import type { SandboxClock, SandboxRandom } from './ports.ts';
import type { PositionSpoiling } from './position-spoiling.ts';
import { matchRoute, type OlderPositions } from './routes.ts';
import { actUnseen, respond } from './respond.ts';
import type { PositionSplit } from './split-positions.ts';
import type { Reply, WireReaction, WireRequest } from './wire.ts';
import { jsonReply, textReply } from './wire.ts';

export interface FaultInjection {
  clock: SandboxClock;
  random: SandboxRandom;
  source: FaultSource;
  latency(): number;
  /** What each broker has acknowledged: a reply with another order's id uses one of these. */
  acknowledged: Acknowledged;
  /** The first replies that `old_answer` has met, by fault and URL. */
  kept: Map<string, Reply>;
}

/** By broker, oldest first. */
export type Acknowledged = Map<string, { orderId: string; at: number }[]>;

/** The caller has long read an acknowledgement of this age. */
const LONG_AGO_MS = 60_000;

const page = (title: string): string =>
  `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`;

function errorOf(broker: Broker, fault: ListedFault): Reply {
  const status = numberOf(fault, 'status', 502);
  const body = fault.params?.['body'] ?? 'json';
  if (body === 'html') return textReply(status, 'text/html', page(`${status} Bad Gateway`));
  if (body === 'json') return broker.errorReply(status, 'Gateway error');
  return textReply(status, 'application/json', String(body));
}

function lieOf(broker: Broker, fault: ListedFault): Reply {
  const body = fault.params?.['body'];
  const status = numberOf(fault, 'status', 200);
  const reply =
    body === undefined ? broker.lyingReply() : textReply(status, 'application/json', String(body));
  return { ...reply, status };
}

const answered = (reply: Reply, delayMs: number): WireReaction => ({
  kind: 'answer',
  ...reply,
  delayMs,
});

/**
 * The reaction when the broker never acted; null when the fault comes after the broker has acted.
 */
function before(broker: Broker, fault: ListedFault, delayMs: number): WireReaction | null {
  switch (fault.kind) {
    case 'refuse':
      return { kind: 'refuse' };
    case 'hang_before':
      return { kind: 'hang' };
    case 'reset_before':
      return { kind: 'reset', delayMs };
    case 'error_before':
      return answered(errorOf(broker, fault), delayMs);
    case 'lying_2xx_before':
      return answered(lieOf(broker, fault), delayMs);
    case 'redirect': {
      const location = String(fault.params?.['location'] ?? `${broker.origin}/maintenance`);
      const reply = textReply(302, 'text/html', page('Moved'));
      return answered({ ...reply, headers: { ...reply.headers, location } }, delayMs);
    }
    case 'rate_limited': {
      const reply = broker.tooMany();
      const wait = String(numberOf(fault, 'retryAfter', 1));
      return answered({ ...reply, headers: { ...reply.headers, 'retry-after': wait } }, delayMs);
    }
    default:
      return null;
  }
}

/** What the caller sees of a reply that the broker did send. */
function after(
  broker: Broker,
  fault: ListedFault,
  reply: Reply,
  delayMs: number,
  another: string | null,
): WireReaction {
  const half = reply.body.slice(0, Math.ceil(reply.body.length / 2));
  switch (fault.kind) {
    case 'hang_after':
      return { kind: 'hang' };
    case 'reset_after':
      return { kind: 'reset', delayMs };
    case 'error_after':
      return answered(errorOf(broker, fault), delayMs);
    case 'lying_2xx_after':
      return answered(lieOf(broker, fault), delayMs);
    case 'html_2xx_after':
      return answered(textReply(200, 'text/html', page('Under maintenance')), delayMs);
    case 'no_id_2xx_after':
      return answered(jsonReply(200, { status: 'success', data: {} }), delayMs);
    case 'foreign_id_2xx_after': {
      const own = orderIdOf(reply);
      const body = own && another ? reply.body.replace(own, another) : reply.body;
      return answered({ ...reply, body }, delayMs);
    }
    case 'wrong_id_2xx_after': {
      const own = orderIdOf(reply);
      const named =
        own === null
          ? null
          : idOf(broker, own, String(fault.params?.['row'] ?? 'ours'), fault.hits);
      const body = own && named ? reply.body.replace(own, named) : reply.body;
      return answered({ ...reply, body }, delayMs);
    }
    case 'refused_after': {
      const { refusals } = broker;
      const refusal = refusals[numberOf(fault, 'refusal', 0) % refusals.length];
      return answered(reply.status === 200 && refusal ? refusal.reply : reply, delayMs);
    }
    case 'mangled_2xx_after':
      return answered({ ...reply, body: mangled(reply.body, fault.hits) }, delayMs);
    case 'cut_after':
      return { kind: 'cut', ...reply, body: half, delayMs };
    case 'trickle_after':
      return { kind: 'trickle', ...reply, body: half };
    default:
      return answered(reply, delayMs);
  }
}

/** An id of the broker's book, other than the order's own; of a kind where there is one. */
function idOf(broker: Broker, own: string, kind: string, turn: number): string {
  // Without what stands before the number, or with a zero before it.
  if (kind === 'spelled') return /^\d/.test(own) ? `0${own}` : own.replace(/^\D+/, '');
  if (kind === 'pair') return neighbourOf(own, Number(own.slice(6)) % 2 === 1 ? 1 : -1);
  if (kind === 'swapped') return neighbourOf(own, turn % 2 === 1 ? 1 : -1);
  const others = broker.bookIds().filter(({ orderId }) => orderId !== own);
  const fitting = others.filter(({ byHand, ended }) => {
    if (kind === 'hand') return byHand;
    return kind === 'ended' ? ended : kind === 'ours' && !byHand;
  });
  // A number like its own that nobody has.
  const unknown = own.replace(/\d{3}$/, (last) =>
    String((Number(last) + 500) % 1_000).padStart(3, '0'),
  );
  return fitting.at(-1)?.orderId ?? unknown;
}

/** Kite's id of the order that is placed next, or that was placed before this one (kite.ts). */
function neighbourOf(own: string, step: 1 | -1): string {
  const number = String(Number(own.slice(6)) + step);
  return `${own.slice(0, 6)}${number.padStart(own.length === 15 ? 13 : 9, '0')}`;
}

/** The reply with one value in it replaced by one of another type; `turn` chooses which. */
function mangled(body: string, turn: number): string {
  const values = [...body.matchAll(/:(-?\d+(?:\.\d+)?|"[^"]*"|null|true|false)(?=[,}])/g)];
  const value = values[(turn * 7_919) % Math.max(1, values.length)];
  if (value?.index === undefined) return body.slice(0, Math.ceil(body.length / 2));
  const wrong = ['{}', '"?"', 'null', '-1', '[]'][turn % 5] ?? 'null';
  return `${body.slice(0, value.index)}:${wrong}${body.slice(value.index + value[0].length)}`;
}

/** The order id of an acknowledgement; null when the reply is none. */
function orderIdOf(reply: Reply): string | null {
  return /"(?:order_id":"|trigger_id":"?)([^",}]+)/.exec(reply.body)?.[1] ?? null;
}

/**
 * Answers one request, with every fault that applies. The broker acts before this returns, or
 * never.
 */
export function react(broker: Broker, request: WireRequest, parts: FaultInjection): WireReaction {
  const { clock, random, source } = parts;
  const at = clock.now();
  const rest = request.url.slice(broker.origin.length);
  const [path = '/', search = ''] = rest.split('?', 2);
  const where = { method: request.method.toUpperCase(), path, query: search, body: request.body };
  if (source.strike(broker.name, ['dead_token'], where)) broker.killTokens();

  const match = matchRoute(broker.routes, where.method, path);
  const places = match?.route.pattern === '/orders/:variety' && where.method === 'POST';
  const slow = places ? source.strike(broker.name, ['timeout_400'], where) : null;
  const wire = slow ? null : source.strike(broker.name, wireFaultKinds, where);
  const delayMs = parts.latency();
  const noted = (fault: ListedFault, status: number | null): void =>
    broker.log.add({
      at,
      method: where.method,
      path,
      endpoint: match ? `${match.route.method} ${match.route.pattern}` : 'unknown',
      category: match?.route.category ?? '',
      status,
      limitBroken: false,
      authorization: request.headers['authorization'] ?? null,
      fault: fault.kind,
    });

  if (slow && match) {
    const denied = broker.authorize(request, match.route);
    if (denied) return answered(denied, delayMs);
    broker.admit(match.route.category, at);
    noted(slow, 400);
    clock.after(numberOf(slow, 'delayMs', 8_000), () => actUnseen(broker, request, path, at));
    const message = 'Order request timed out. Please check the order book before placing again.';
    return answered(broker.errorReply(400, message), delayMs);
  }
  const early = wire ? before(broker, wire, delayMs) : null;
  if (wire && early) {
    // A refused connection never reached the broker: it neither counts as a request nor against a
    // limit.
    if (wire.kind !== 'refuse') {
      if (match) broker.admit(match.route.category, at);
      noted(wire, null);
    }
    return early;
  }
  const reply = respond(broker, {
    request,
    path,
    query: new URLSearchParams(search),
    at,
    fault: wire?.kind ?? null,
    view: () => faultyView(broker.name, source, random, where, at),
    lateMs: () =>
      numberOf(source.strike(broker.name, ['late_rows', 'late_past_close'], where), 'delayMs', 0),
    rowLateMs: () => numberOf(source.strike(broker.name, ['late_row_only'], where), 'delayMs', 0),
    tagKept: (tag) => {
      const lost = tag === null ? null : source.strike(broker.name, ['tag_lost'], where);
      if (!lost) return tag;
      return lost.params?.['mode'] === 'replaced' ? 'someoneelse' : null;
    },
    oddRow() {
      const odd = source.strike(broker.name, ['odd_row'], where);
      return odd ? { suffix: String(odd.params?.['suffix'] ?? '') } : null;
    },
    isUndone: () => source.strike(broker.name, ['cancel_undone'], where) !== null,
    accountAsOf() {
      const late = source.strike(broker.name, ['late_positions'], where);
      return late && at - numberOf(late, 'ageMs', 5_000);
    },
    positionSplit: () => splitOf(source.strike(broker.name, ['split_positions'], where), at),
    positionSpoiling: () => spoilingOf(source.strike(broker.name, ['bad_position'], where)),
    refusesDerivatives: () => source.strike(broker.name, ['derivatives_refused'], where) !== null,
    olderPositions: () => olderOf(source.strike(broker.name, ['older_positions'], where)),
    copies: () => copiesOf(broker.name, source, where, at),
  });
  const known = parts.acknowledged.get(broker.name) ?? [];
  const acknowledges = match?.route.category === 'order';
  if (wire?.kind === 'old_answer') {
    const name = `${wire.id} ${request.url}`;
    const first = parts.kept.get(name) ?? reply;
    parts.kept.set(name, first);
    return answered(first, delayMs);
  }
  if (wire) {
    // Where rows carry tags, the id may also be that of an order whose own reply was lost.
    const longAgo = broker.name === 'kite' ? at : at - LONG_AGO_MS;
    const another = known.findLast((each) => acknowledges && each.at < longAgo);
    if (broker.name === 'kite') remember();
    return after(broker, wire, reply, delayMs, another?.orderId ?? null);
  }
  remember();
  return answered(reply, delayMs);

  function remember(): void {
    const orderId = acknowledges ? orderIdOf(reply) : null;
    if (orderId !== null) parts.acknowledged.set(broker.name, [...known, { orderId, at }]);
  }
}

function splitOf(fault: ListedFault | null, at: number): PositionSplit | null {
  if (!fault) return null;
  const isQuantityBehind = fault.params?.['of'] === 'quantity';
  return { asOf: at - numberOf(fault, 'ageMs', 5_000), isQuantityBehind };
}

const spoilingOf = (fault: ListedFault | null): PositionSpoiling | null =>
  fault && {
    form: numberOf(fault, 'form', 0),
    of: String(fault.params?.['of'] ?? ''),
    price: numberOf(fault, 'price', 0),
  };

const olderOf = (fault: ListedFault | null): OlderPositions | null =>
  fault && (fault.params?.['form'] === 'alone' ? 'alone' : 'ignored');
