import { z } from 'zod';
import type { Gateway } from '../router/gateway.ts';
import {
  answerBody,
  answered,
  type BrokerInputs,
  defineRoute,
  json,
  type Route,
} from './define-route.ts';
import type { Funds, Holding, Position, Profile } from '../domain/portfolio.ts';

const figure = z.number().nullable();

const turnover = z.object({
  buyQuantity: z.number(),
  buyValue: z.number(),
  sellQuantity: z.number(),
  sellValue: z.number(),
});

const positionSchema = z
  .object({
    instrument: z.string(),
    product: z.string(),
    quantity: z.number().meta({ description: 'Negative when short' }),
    averagePrice: figure,
    lastPrice: figure,
    realisedPnl: figure,
    unrealisedPnl: figure,
    buyQuantity: z.number(),
    sellQuantity: z.number(),
    day: turnover
      .nullable()
      .meta({ description: 'Traded today; null where the broker does not ' + 'distinguish it' }),
    carried: turnover.nullable().meta({ description: 'Carried over from earlier days' }),
  })
  .meta({ id: 'Position' });

const holdingSchema = z
  .object({
    instrument: z.string(),
    isin: z.string().nullable(),
    quantity: z.number().meta({ description: 'All shares, T1 included' }),
    usedQuantity: z.number(),
    t1Quantity: z.number(),
    averagePrice: figure,
    lastPrice: figure,
  })
  .meta({ id: 'Holding' });

const fundsSchema = z
  .object({
    available: z.number().meta({ description: 'Buying power, rupees' }),
    used: figure,
    total: figure,
    byProduct: z.record(z.string(), z.number()),
  })
  .meta({ id: 'Funds' });

const profileSchema = z
  .object({ userId: z.string(), name: z.string().nullable(), email: z.string().nullable() })
  .meta({ id: 'Profile' });

export function portfolioRoutes(gateway: Gateway, { readQuery }: BrokerInputs): readonly Route[] {
  const common = { method: 'GET', scope: 'read', query: readQuery } as const;
  return [
    defineRoute({
      ...common,
      path: '/api/v1/positions',
      summary: 'Positions of the account that trades',
      replies: { 200: { description: 'Positions', schema: answered(z.array(positionSchema)) } },
      handler: async ({ query }) =>
        json(
          200,
          answerBody(await gateway.getPositions(query), (all) => all.map(positionView)),
        ),
    }),
    defineRoute({
      ...common,
      path: '/api/v1/holdings',
      summary: 'Holdings of the account that trades',
      replies: { 200: { description: 'Holdings', schema: answered(z.array(holdingSchema)) } },
      handler: async ({ query }) =>
        json(
          200,
          answerBody(await gateway.getHoldings(query), (all) => all.map(holdingView)),
        ),
    }),
    defineRoute({
      ...common,
      path: '/api/v1/funds',
      summary: 'Funds of the account that trades',
      replies: { 200: { description: 'Funds', schema: answered(fundsSchema) } },
      handler: async ({ query }) => json(200, answerBody(await gateway.getFunds(query), fundsView)),
    }),
    defineRoute({
      ...common,
      path: '/api/v1/profile',
      summary: 'The owner of the account that trades',
      replies: { 200: { description: 'Profile', schema: answered(profileSchema) } },
      handler: async ({ query }) =>
        json(200, answerBody(await gateway.getProfile(query), profileView)),
    }),
  ];
}

function positionView(position: Position): z.output<typeof positionSchema> {
  return {
    instrument: position.instrument,
    product: position.product,
    quantity: position.quantity,
    averagePrice: position.averagePrice,
    lastPrice: position.lastPrice,
    realisedPnl: position.realisedPnl,
    unrealisedPnl: position.unrealisedPnl,
    buyQuantity: position.buyQuantity,
    sellQuantity: position.sellQuantity,
    day: position.day ? { ...position.day } : null,
    carried: position.carried ? { ...position.carried } : null,
  };
}

function holdingView(holding: Holding): z.output<typeof holdingSchema> {
  return {
    instrument: holding.instrument,
    isin: holding.isin,
    quantity: holding.quantity,
    usedQuantity: holding.usedQuantity,
    t1Quantity: holding.t1Quantity,
    averagePrice: holding.averagePrice,
    lastPrice: holding.lastPrice,
  };
}

function fundsView({ available, used, total, byProduct }: Funds): z.output<typeof fundsSchema> {
  return { available, used, total, byProduct: { ...byProduct } };
}

function profileView({ userId, name, email }: Profile): z.output<typeof profileSchema> {
  return { userId, name, email };
}
