import { z } from 'zod';
import { ABOUT_PAGE, atOrNull, count, word } from './answer-parts.ts';
import type { Gateway } from '../router/gateway.ts';
import type { Trade } from '../router/trades.ts';
import {
  answeringBroker,
  answeringMode,
  type BrokerInputs,
  defineRoute,
  instrument,
  isoOrNull,
  json,
  listScope,
  metaView,
  orderId,
  paged,
  type Route,
  success,
} from './define-route.ts';
import { fillPriceShown, productShown, SIDE } from './order-fields.ts';
import { TRADE_READS } from './declared-problems.ts';
import { pageInputs } from './pages.ts';

const tradeSchema = z
  .object({
    id: z.string().meta({ description: 'The exchange’s; unique only together with the order' }),
    orderId: word('As in GET /orders; null where no row of the book has the order of the trade'),
    external: z.boolean().meta({ description: 'True where the gateway did not place the order' }),
    triggeredBy: word('The trigger of the gateway that has placed the order; null for any other'),
    broker: answeringBroker,
    mode: answeringMode,
    brokerOrderId: word(
      "The broker's id of the order; null where neither the trade nor a row of the book says it",
    ),
    exchangeOrderId: word("The exchange's id of the order; null where the trade does not say it"),
    instrument: word('The name of the instrument, as in NSE:INFY; null where it is not told'),
    side: word(`${SIDE}; null where it is not told`),
    product: productShown.nullable().meta({
      description:
        "The product of the order, CNC, INTRADAY, MARGIN or the broker's own word; null where it is not told",
    }),
    quantity: count('Shares or units of this trade'),
    price: fillPriceShown,
    at: atOrNull('When the exchange made the trade; null where the broker does not tell it'),
  })
  .meta({ id: 'Trade' });

const page = paged(z.array(tradeSchema));
const tradePage = page.extend({
  meta: page.shape.meta
    .extend({
      uncertainTriggers: z.array(z.string()).optional().meta({
        description:
          'With scope=mine: triggers of the key that may have traded without that being in the list',
      }),
    })
    .meta(ABOUT_PAGE),
});

export function tradeRoutes(gateway: Gateway, { readQuery }: BrokerInputs): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/v1/trades',
      scope: 'read',
      operationId: 'getTrades',
      tag: 'Orders',
      summary:
        "A page of the trades of the account's day, newest first, of all orders, those placed elsewhere too",
      query: readQuery.extend({
        scope: listScope.optional(),
        instrument: instrument.optional().meta({ description: 'Only its trades' }),
        orderId: orderId.optional().meta({ description: 'Only trades of this order' }),
        ...pageInputs('Trades'),
      }),
      problems: TRADE_READS,
      replies: { 200: { description: 'Trades', schema: tradePage } },
      handler: async ({ query: { scope, ...query }, caller }) => {
        const mine = scope === 'mine' ? { caller: caller.id } : {};
        const { data, meta, nextCursor, uncertainTriggers } = await gateway.getTrades({
          ...{ ...query, ...mine },
        });
        const uncertain = uncertainTriggers ? { uncertainTriggers: [...uncertainTriggers] } : {};
        const told = { ...metaView(meta), nextCursor, ...uncertain };
        return json(200, success(data.map(tradeView), { meta: told }));
      },
    }),
  ];
}

function tradeView(trade: Trade): z.output<typeof tradeSchema> {
  return {
    id: trade.id,
    orderId: trade.orderId,
    external: trade.external,
    triggeredBy: trade.triggeredBy,
    broker: trade.broker,
    mode: trade.mode,
    brokerOrderId: trade.brokerOrderId,
    exchangeOrderId: trade.exchangeOrderId,
    instrument: trade.instrument,
    side: trade.side,
    product: trade.product,
    quantity: trade.quantity,
    price: trade.price,
    at: isoOrNull(trade.at),
  };
}
