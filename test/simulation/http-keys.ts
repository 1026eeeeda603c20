import { z } from 'zod';
import type { BrokerId } from '../../src/domain/broker.ts';
import type { Callers } from '../../src/callers/callers.ts';
import type { CallContext, Gateway } from '../../src/router/gateway.ts';
import type { InProcessReply } from '../support/in-process-http.ts';

/** What an admin is told of one instrument and product of an account (docs/keys.md). */
export interface ToldComparison {
  readonly account: string | null;
  readonly positions: readonly {
    readonly instrument: string;
    readonly product: string;
    readonly keys: readonly { readonly key: string; readonly quantity: number }[];
    readonly elsewhereToday: number | null;
    readonly elsewhereBefore: number | null;
    readonly broker: number | null;
    readonly difference: number | null;
  }[];
  readonly uncertainOrders: readonly string[];
}

/** The calls about keys that programs and people make. */
export interface CalledKeys {
  comparePositions(broker: BrokerId, context: CallContext): Promise<ToldComparison>;
  /** Returns whether it is on disk. */
  stopKey(id: string, engaged: boolean, context: CallContext): Promise<boolean>;
}

const REASON = 'rehearsal';

/** Calls the router itself, and the keys. */
export const keysDirectly = (gateway: Gateway, callers: Pick<Callers, 'setStop'>): CalledKeys => ({
  async comparePositions(broker) {
    const { data } = await gateway.comparePositions({ broker });
    return {
      ...data,
      positions: data.positions.map((each) => ({
        ...each,
        keys: each.keys.map(({ caller, quantity }) => ({ key: caller, quantity })),
      })),
    };
  },
  stopKey: (id, engaged, { caller }) =>
    Promise.resolve(callers.setStop(id, engaged ? { reason: REASON, by: caller } : null).onDisk),
});

const comparison = z.object({
  data: z.object({
    account: z.string().nullable(),
    positions: z.array(
      z.object({
        ...{ instrument: z.string(), product: z.string(), broker: z.number().nullable() },
        keys: z.array(z.object({ key: z.string(), quantity: z.number() })),
        elsewhereToday: z.number().nullable(),
        elsewhereBefore: z.number().nullable(),
        difference: z.number().nullable(),
      }),
    ),
    uncertainOrders: z.array(z.string()),
  }),
});
const stopped = z.object({ meta: z.object({ onDisk: z.boolean() }) });

type Ask = (
  method: string,
  path: string,
  context: Pick<CallContext, 'caller' | 'idempotencyKey'>,
  json?: unknown,
) => Promise<InProcessReply>;

/** The same over HTTP; `mustSucceed` throws the GatewayProblem of a reply that is one. */
export const keysOverHttp = (
  ask: Ask,
  mustSucceed: (reply: InProcessReply) => unknown,
): CalledKeys => ({
  async comparePositions(broker, context) {
    const path = `/api/v1/positions/by-key?broker=${broker}`;
    return comparison.parse(mustSucceed(await ask('GET', path, context))).data;
  },
  async stopKey(id, engaged, context) {
    const path = `/api/v1/keys/${id === context.caller ? 'me' : id}/kill-switch`;
    const reply = await ask('POST', path, context, { engaged, reason: REASON });
    return stopped.parse(mustSucceed(reply)).meta.onDisk;
  },
});
