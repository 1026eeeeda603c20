import { z } from 'zod';
import type { BrokerId } from '../../src/domain/broker.ts';
import type { CallContext, Gateway } from '../../src/router/gateway.ts';
import type { InProcessReply } from '../support/in-process-http.ts';

export type OwnListKind = 'orders' | 'trades';

/** What a program is told of the orders or the trades of its key (docs/triggers.md, "The order that it places"). */
export interface ToldOwnList {
  readonly rows: readonly {
    /** `alt:<broker's id>` of an order that the gateway has not placed; null where a trade does not tell. */
    readonly orderId: string | null;
    readonly triggeredBy: string | null;
    /** Of a trade; of an order, what it has filled, null where that is not known. */
    readonly quantity: number | null;
  }[];
  readonly uncertainTriggers: readonly string[];
  /** Nothing follows on another page. */
  readonly isWhole: boolean;
}

/** The calls by which a program asks for what is its own. */
export interface CalledOwnLists {
  ownList(
    what: OwnListKind,
    broker: BrokerId,
    context: Pick<CallContext, 'caller' | 'idempotencyKey'>,
  ): Promise<ToldOwnList>;
}

const orderRow = z.object({
  ...{ id: z.string(), triggeredBy: z.string().nullish() },
  filledQuantity: z.number().nullable(),
});
const tradeRow = z.object({
  ...{ orderId: z.string().nullable(), triggeredBy: z.string().nullish(), quantity: z.number() },
});
const page = <T extends z.ZodType>(row: T) =>
  z.object({
    data: z.array(row),
    meta: z.object({
      nextCursor: z.string().nullish(),
      uncertainTriggers: z.array(z.string()),
    }),
  });
const orders = page(orderRow);
const trades = page(tradeRow);

function ordersOf(reply: unknown): ToldOwnList {
  const { data, meta } = orders.parse(reply);
  const rows = data.map(({ id, triggeredBy = null, filledQuantity }) => ({
    ...{ orderId: id, triggeredBy, quantity: filledQuantity },
  }));
  return { rows, ...metaOf(meta) };
}

function tradesOf(reply: unknown): ToldOwnList {
  const { data, meta } = trades.parse(reply);
  const rows = data.map(({ triggeredBy = null, ...each }) => ({ ...each, triggeredBy }));
  return { rows, ...metaOf(meta) };
}

const metaOf = ({
  uncertainTriggers,
  nextCursor = null,
}: z.infer<typeof orders>['meta']): Pick<ToldOwnList, 'uncertainTriggers' | 'isWhole'> => ({
  ...{ uncertainTriggers, isWhole: nextCursor === null },
});

/** Calls the router itself. */
export const ownListsDirectly = (
  gateway: Pick<Gateway, 'getOrders' | 'getTrades'>,
): CalledOwnLists => ({
  async ownList(what, broker, { caller }) {
    const asked = { broker, caller };
    const answer =
      what === 'orders' ? await gateway.getOrders(asked) : await gateway.getTrades(asked);
    const { data, nextCursor, uncertainTriggers } = answer;
    const reply = { data, meta: { nextCursor, uncertainTriggers } };
    return what === 'orders' ? ordersOf(reply) : tradesOf(reply);
  },
});

type Ask = (
  method: string,
  path: string,
  context: Pick<CallContext, 'caller' | 'idempotencyKey'>,
) => Promise<InProcessReply>;

/** The same over HTTP; `mustSucceed` throws the GatewayProblem of a reply that is one. */
export const ownListsOverHttp = (
  ask: Ask,
  mustSucceed: (reply: InProcessReply) => unknown,
): CalledOwnLists => ({
  async ownList(what, broker, context) {
    const path = `/api/v1/${what}?broker=${broker}&scope=mine`;
    const reply = mustSucceed(await ask('GET', path, context));
    return what === 'orders' ? ordersOf(reply) : tradesOf(reply);
  },
});
