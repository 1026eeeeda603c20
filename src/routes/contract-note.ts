import { z } from 'zod';
import { orderTypeShown, productShown, SIDE } from './order-fields.ts';
import { figure, instrumentShown, number, text, word } from './answer-parts.ts';
import type { ContractNote, OrderCharges } from '../domain/contract-note.ts';
import type { Gateway } from '../router/gateway.ts';
import { ACCOUNT_READS } from './declared-problems.ts';
import {
  answerBody,
  answered,
  type BrokerInputs,
  defineRoute,
  json,
  listScope,
  type Route,
} from './define-route.ts';

const UNTOLD = '; null where the broker does not tell it';
const rupees = (description: string) => figure(`${description}, in rupees${UNTOLD}`);

const chargesSchema = z
  .object({
    transactionTax: rupees('The tax of securities or commodities transactions'),
    transactionTaxType: word(`\`stt\` of securities, \`ctt\` of commodities${UNTOLD}`),
    exchangeTurnover: rupees("The exchange's charge"),
    sebiTurnover: rupees("SEBI's charge"),
    brokerage: rupees("The broker's charge"),
    stampDuty: rupees('The duty on what was bought'),
    gst: z
      .object({
        igst: rupees('Of it the tax between states'),
        cgst: rupees('Of it the tax of the union'),
        sgst: rupees('Of it the tax of the state'),
        total: rupees('All of it'),
      })
      .nullable()
      .meta({ description: `Goods and services tax on brokerage and charges${UNTOLD}` }),
    total: number('All of the above together, in rupees'),
  })
  .meta({
    id: 'OrderCharges',
    description:
      'Rupees. Of an order as the broker computes them, with fractions of a paisa; a sum to the paisa',
  });

const orderSchema = z
  .object({
    orderId: z.string().meta({ description: 'As in GET /orders' }),
    external: z.boolean().meta({ description: 'True where the gateway did not place the order' }),
    brokerOrderId: text("The broker's id of the order"),
    instrument: instrumentShown,
    side: z.enum(['BUY', 'SELL']).meta({ description: SIDE }),
    product: productShown,
    orderType: orderTypeShown,
    variety: word(`How the broker took it: regular, amo, iceberg, …${UNTOLD}`),
    quantity: z
      .int()
      .nonnegative()
      .nullable()
      .meta({ description: 'Shares or units that have filled; null while unknown' }),
    price: rupees('Its average price'),
    charges: chargesSchema.nullable().meta({ description: 'Null where they are not known' }),
  })
  .meta({ id: 'ContractNoteOrder' });

const contractNoteSchema = z
  .object({
    day: z.string().meta({ description: 'The trading day, YYYY-MM-DD' }),
    orders: z.array(orderSchema).meta({ description: 'The orders that have filled today' }),
    total: chargesSchema.nullable().meta({
      description: 'Of these orders; null where the charges of one of them are not known',
    }),
  })
  .meta({ id: 'ContractNote' });

export function contractNoteRoutes(gateway: Gateway, inputs: BrokerInputs): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/v1/contract-note',
      scope: 'read',
      operationId: 'getContractNote',
      tag: 'Account',
      summary:
        "What the account's orders of today have cost so far: tax, exchange, brokerage and the rest, order by order",
      query: inputs.readQuery.omit({ maxAgeMs: true }).extend({
        scope: listScope.optional().meta({
          description: '`mine`: only orders of the key of the request; `account`, the default: all',
        }),
      }),
      problems: ACCOUNT_READS,
      replies: { 200: { description: 'The charges', schema: answered(contractNoteSchema) } },
      handler: async ({ query: { scope, broker }, caller }) => {
        const mine = scope === 'mine' ? { caller: caller.id } : {};
        const answer = await gateway.getContractNote({ broker, ...mine });
        return json(200, answerBody(answer, contractNoteView));
      },
    }),
  ];
}

function contractNoteView(note: ContractNote): z.output<typeof contractNoteSchema> {
  return {
    day: note.day,
    orders: note.orders.map((order) => ({
      orderId: order.orderId,
      external: order.external,
      brokerOrderId: order.brokerOrderId,
      instrument: order.instrument,
      side: order.side,
      product: order.product,
      orderType: order.orderType,
      variety: order.variety,
      quantity: order.quantity,
      price: order.price,
      charges: order.charges && chargesView(order.charges),
    })),
    total: note.total && chargesView(note.total),
  };
}

function chargesView(charges: OrderCharges): z.output<typeof chargesSchema> {
  const { transactionTax, transactionTaxType, exchangeTurnover, sebiTurnover } = charges;
  const { brokerage, stampDuty, gst, total } = charges;
  return {
    ...{ transactionTax, transactionTaxType, exchangeTurnover, sebiTurnover },
    ...{ brokerage, stampDuty, gst: gst && { ...gst }, total },
  };
}
