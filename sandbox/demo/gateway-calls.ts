import { z } from 'zod';
import type { Fetch } from './naive-script.ts';

const orderSchema = z.object({
  id: z.string(),
  status: z.string(),
  broker: z.string(),
  brokerOrderId: z.string().nullable(),
  filledQuantity: z.number().nullable(),
  boundBy: z.string().nullable(),
});
/** An order, as the gateway tells it. */
export type GatewayOrder = z.output<typeof orderSchema>;

export interface OrderToPlace {
  readonly instrument: string;
  readonly quantity: number;
  /** `live`: never on paper. */
  readonly mode?: 'live';
}

/** The gateway's HTTP interface, as any program of a trader uses it. */
export interface GatewayCalls {
  /** A market order to buy. Rejects with a sentence where the gateway refuses it. */
  place(order: OrderToPlace, key: string, signal: AbortSignal): Promise<GatewayOrder>;
  order(id: string): Promise<GatewayOrder>;
  /** The orders of the day at one broker, those placed elsewhere too, from a book that is read now. */
  orders(broker: string): Promise<readonly GatewayOrder[]>;
  /** Whether it has a session at Kite. */
  isLoggedIn(): Promise<boolean>;
  /** That of the session, as programs get it that talk to Kite themselves. */
  accessToken(): Promise<string>;
  /** Where a person logs in. */
  readonly loginUrl: string;
}

const answered = z.object({ data: z.unknown() });

export function createGatewayCalls(url: string, key: string, fetch: Fetch): GatewayCalls {
  async function call<T>(path: string, schema: z.ZodType<T>, init: RequestInit = {}): Promise<T> {
    const headers = { ...init.headers, authorization: `Bearer ${key}` };
    const reply = await fetch(`${url}${path}`, { ...init, headers });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`the gateway answers ${reply.status}: ${detailOf(text)}`);
    return schema.parse(answered.parse(JSON.parse(text)).data);
  }
  return {
    loginUrl: `${url}/api/altbroker/login`,
    place: (order, idempotencyKey, signal) =>
      call('/api/v1/orders', orderSchema, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
        body: JSON.stringify({ ...order, side: 'BUY', orderType: 'MARKET', product: 'CNC' }),
        signal,
      }),
    order: (id) => call(`/api/v1/orders/${id}`, orderSchema),
    orders: (broker) =>
      call(`/api/v1/orders?broker=${broker}&limit=1000&maxAgeMs=0`, z.array(orderSchema)),
    async isLoggedIn() {
      const status = await call('/api/altbroker/status', z.object({ state: z.string() }));
      return status.state === 'valid';
    },
    async accessToken() {
      const { accessToken } = await call(
        '/api/altbroker/token',
        z.object({ accessToken: z.string() }),
      );
      return accessToken;
    },
  };
}

/** The sentence of a problem; the beginning of any other text. */
function detailOf(text: string): string {
  try {
    const { detail } = z.object({ detail: z.string() }).parse(JSON.parse(text));
    return detail;
  } catch {
    return text.slice(0, 200);
  }
}
