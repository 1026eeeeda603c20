import { z } from 'zod';
import { ABOUT_ANSWER } from './answer-parts.ts';
import type { Gateway } from '../router/gateway.ts';
import {
  answerBody,
  answered,
  type BrokerInputs,
  defineRoute,
  json,
  listScope,
  metaSchema,
  metaView,
  type Route,
  success,
} from './define-route.ts';
import { uncertainOrders } from './key-positions.ts';
import { fundsSchema, holdingSchema, positionSchema, profileSchema } from './portfolio-schemas.ts';
import { fundsView, holdingView, positionView, profileView } from './portfolio-views.ts';
import { ACCOUNT_READS } from './declared-problems.ts';

const positionsList = z.enum(['net', 'day']).meta({
  description: 'net, the default: all that is open or was closed today; day: what was traded today',
});

const positionsScope = listScope.meta({
  description:
    '`mine`: what the orders of the key of the request hold; `account`, the default: all of the account',
});

const positionsReply = answered(z.array(positionSchema)).extend({
  meta: metaSchema
    .extend({
      uncertainOrders: uncertainOrders.optional().meta({
        description: 'With scope=mine: orders of which it is not known how much they filled',
      }),
    })
    .meta(ABOUT_ANSWER),
});

export function portfolioRoutes(gateway: Gateway, { readQuery }: BrokerInputs): readonly Route[] {
  const common = { method: 'GET', scope: 'read', query: readQuery } as const;
  return [
    defineRoute({
      ...common,
      path: '/api/v1/positions',
      operationId: 'getPositions',
      tag: 'Account',
      summary: 'Positions of the account that trades',
      query: readQuery.extend({ list: positionsList.optional(), scope: positionsScope.optional() }),
      problems: ACCOUNT_READS,
      replies: { 200: { description: 'Positions', schema: positionsReply } },
      handler: async ({ query: { list = 'net', scope, ...options }, caller }) => {
        if (scope === 'mine') {
          const own = await gateway.getOwnPositions(caller.id, { ...options, list });
          const meta = { ...metaView(own.meta), uncertainOrders: [...own.uncertainOrders] };
          return json(200, success(own.data.map(positionView), { meta }));
        }
        const answer =
          list === 'day'
            ? await gateway.getDayPositions(options)
            : await gateway.getPositions(options);
        return json(
          200,
          answerBody(answer, (all) => all.map(positionView)),
        );
      },
    }),
    defineRoute({
      ...common,
      path: '/api/v1/holdings',
      operationId: 'getHoldings',
      tag: 'Account',
      summary: 'Holdings of the account that trades',
      problems: ACCOUNT_READS,
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
      operationId: 'getFunds',
      tag: 'Account',
      summary: 'Funds of the account that trades',
      problems: ACCOUNT_READS,
      replies: { 200: { description: 'Funds', schema: answered(fundsSchema) } },
      handler: async ({ query }) => json(200, answerBody(await gateway.getFunds(query), fundsView)),
    }),
    defineRoute({
      ...common,
      path: '/api/v1/profile',
      operationId: 'getProfile',
      tag: 'Account',
      summary: 'The owner of the account that trades',
      problems: ACCOUNT_READS,
      replies: { 200: { description: 'Profile', schema: answered(profileSchema) } },
      handler: async ({ query }) =>
        json(200, answerBody(await gateway.getProfile(query), profileView)),
    }),
  ];
}
