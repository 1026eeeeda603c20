import type { FaultKind, FaultRule } from '../kernel/faults.ts';
import { faultKinds, tickerFaultKinds } from '../kernel/faults.ts';
import type { SandboxClock } from '../kernel/ports.ts';
import { jsonOf, recordOf } from '../kernel/routes.ts';
import type { Sandbox } from '../kernel/sandbox.ts';
import type { Reply, WireRequest } from '../kernel/wire.ts';
import { jsonReply } from '../kernel/wire.ts';

const kinds: readonly FaultKind[] = [...faultKinds, ...tickerFaultKinds];
const isKind = (value: unknown): value is FaultKind => kinds.some((kind) => kind === value);

function matchOf(value: unknown): FaultRule['match'] {
  const { method, path, pathPattern } = recordOf(value);
  return {
    ...(typeof method === 'string' ? { method } : {}),
    ...(typeof path === 'string' ? { path } : {}),
    ...(typeof pathPattern === 'string' ? { path: new RegExp(pathPattern) } : {}),
  };
}

/** A rule from JSON: as `FaultRule`, with `match.pathPattern` for a pattern and `forMs` for `until`. */
function ruleOf(value: unknown, now: number): FaultRule | null {
  const body = recordOf(value);
  const { broker, kind, params } = body;
  if ((broker !== 'kite' && broker !== 'primary') || !isKind(kind)) return null;
  const numbers = ['times', 'from', 'until', 'probability'] as const;
  const rule: FaultRule = { broker, kind };
  for (const name of numbers) if (typeof body[name] === 'number') rule[name] = body[name];
  if (typeof body['forMs'] === 'number') rule.until = now + body['forMs'];
  const match = matchOf(body['match']);
  if (match) rule.match = match;
  if (params !== undefined) rule.params = recordOf(params) as Record<string, string | number>;
  return rule;
}

const shown = (sandbox: Sandbox): unknown => ({
  faults: sandbox.faults.list().map((fault) => ({
    ...fault,
    match: fault.match && { ...fault.match, path: fault.match.path?.toString() },
  })),
  hits: sandbox.faults.hits(),
});

/** Pins a price in rupees, or lets it go with null. */
function setPrice(sandbox: Sandbox, value: unknown): Reply {
  const { instrument, price } = recordOf(value);
  const known = sandbox.exchange.instruments().some((one) => one.key === instrument);
  if (!known || typeof instrument !== 'string') {
    return jsonReply(400, { message: 'no such instrument' });
  }
  if (price === null) sandbox.exchange.releasePrice(instrument);
  else if (typeof price === 'number' && price > 0) {
    sandbox.exchange.setPrice(instrument, Math.round(price * 100));
  } else return jsonReply(400, { message: 'price is a number of rupees, or null' });
  return jsonReply(200, { instrument, price: sandbox.exchange.price(instrument) / 100 });
}

/**
 * The rehearsal's controls: `GET|POST|DELETE /faults`, `DELETE /faults/{id}`, `POST /price`
 * `{instrument, price}`, and `GET /books`, the orders and fills that the brokers really have.
 */
export function controlReply(sandbox: Sandbox, clock: SandboxClock, request: WireRequest): Reply {
  const { pathname } = new URL(request.url);
  const [, resource, id] = pathname.split('/');
  const route = `${request.method} /${resource ?? ''}`;
  switch (route) {
    case 'GET /faults':
      return jsonReply(200, shown(sandbox));
    case 'POST /faults': {
      try {
        const rule = ruleOf(jsonOf(request), clock.now());
        if (!rule) return jsonReply(400, { message: 'broker or kind is missing', kinds });
        return jsonReply(201, { id: sandbox.faults.add(rule) });
      } catch {
        return jsonReply(400, { message: 'match.pathPattern is not a pattern' });
      }
    }
    case 'DELETE /faults':
      if (id !== undefined) return jsonReply(sandbox.faults.remove(id) ? 200 : 404, { id });
      sandbox.faults.clear();
      return jsonReply(200, { faults: [] });
    case 'POST /price':
      return setPrice(sandbox, jsonOf(request));
    case 'GET /books':
      return jsonReply(200, {
        kite: { orders: sandbox.kite.orders(), fills: sandbox.kite.fills() },
        primary: { orders: sandbox.primary.orders(), fills: sandbox.primary.fills() },
      });
    default:
      return jsonReply(404, { message: 'faults, price and books are all there is' });
  }
}
