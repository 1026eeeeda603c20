import { z } from 'zod';
import type { FaultRule } from '../kernel/faults.ts';
import { accountFaultKinds, faultKinds, tickerFaultKinds } from '../kernel/faults.ts';
import type { SandboxClock } from '../kernel/ports.ts';
import { jsonOf, recordOf } from '../kernel/routes.ts';
import type { Sandbox } from '../kernel/sandbox.ts';
import type { Reply, WireRequest } from '../kernel/wire.ts';
import { jsonReply } from '../kernel/wire.ts';

/**
 * A rule in JSON: a `FaultRule`, with `match.pathPattern` for a pattern and `forMs` instead of
 * `until`.
 */
const ruleBody = z.strictObject({
  broker: z.enum(['kite', 'primary']),
  kind: z.enum([...faultKinds, ...tickerFaultKinds, ...accountFaultKinds]),
  match: z
    .strictObject({
      method: z.string().optional(),
      path: z.string().optional(),
      query: z.string().optional(),
      body: z.string().optional(),
      pathPattern: z
        .string()
        .refine(isPattern, 'is not a regular expression')
        .transform((text) => new RegExp(text))
        .optional(),
    })
    .optional(),
  times: z.number().optional(),
  from: z.number().optional(),
  until: z.number().optional(),
  forMs: z.number().optional(),
  probability: z.number().optional(),
  params: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
});

function isPattern(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}

function addFault(sandbox: Sandbox, value: unknown, now: number): Reply {
  const read = ruleBody.safeParse(value);
  if (!read.success) return jsonReply(400, { message: z.prettifyError(read.error) });
  const { match, forMs, ...rule } = read.data;
  const { method, path, pathPattern, query } = match ?? {};
  const where = pathPattern ?? path;
  const id = sandbox.faults.add(
    given({
      ...rule,
      until: forMs === undefined ? rule.until : now + forMs,
      match: match && given({ method, path: where, query }),
    }) as FaultRule,
  );
  return jsonReply(201, { id });
}

/** Removes undefined fields: the sandbox checks which fields are present. */
function given<T extends object>(value: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(value).filter(([, field]) => field !== undefined),
  ) as Partial<T>;
}

const shown = (sandbox: Sandbox): unknown => ({
  faults: sandbox.faults.list().map((fault) => ({
    ...fault,
    match: fault.match && { ...fault.match, path: fault.match.path?.toString() },
  })),
  hits: sandbox.faults.hits(),
});

/** Pins a price in rupees; null releases it. */
function setPrice(sandbox: Sandbox, value: unknown): Reply {
  const { instrument, price } = recordOf(value);
  const known = sandbox.exchange.instruments().some((one) => one.key === instrument);
  if (!known || typeof instrument !== 'string') {
    return jsonReply(400, { message: 'unknown instrument: use a name like NSE:INFY' });
  }
  if (price === null) sandbox.exchange.releasePrice(instrument);
  else if (typeof price === 'number' && price > 0) {
    sandbox.exchange.setPrice(instrument, Math.round(price * 100));
  } else return jsonReply(400, { message: 'price must be a number of rupees above 0, or null' });
  return jsonReply(200, { instrument, price: sandbox.exchange.price(instrument) / 100 });
}

/**
 * The controls of a rehearsal: `GET|POST|DELETE /faults`, `DELETE /faults/{id}`, `POST /price`
 * `{instrument, price}`, and `GET /books`, the orders and fills that the brokers really have.
 */
export function controlReply(sandbox: Sandbox, clock: SandboxClock, request: WireRequest): Reply {
  const { pathname } = new URL(request.url);
  const [, resource, id] = pathname.split('/');
  const route = `${request.method} /${resource ?? ''}`;
  switch (route) {
    case 'GET /faults':
      return jsonReply(200, shown(sandbox));
    case 'POST /faults':
      return addFault(sandbox, jsonOf(request), clock.now());
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
      return jsonReply(404, { message: 'unknown path: there are /faults, /price and /books' });
  }
}
