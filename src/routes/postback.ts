import { z } from 'zod';
import type { Gateway } from '../router/gateway.ts';
import { defineRoute, enveloped, json, problem, type Route, success } from './define-route.ts';
import { RECEIVING } from './declared-problems.ts';

const POSTBACK_LIMIT = 64 * 1024;

/**
 * A postback from the alternative broker. Accepts any content type and any query, since only the
 * checksum over the raw text counts. Answers once the postback is in the inbox.
 */
export function postbackRoute(gateway: Pick<Gateway, 'receivePostback'>): Route {
  return defineRoute({
    method: 'POST',
    path: '/api/altbroker/postback',
    scope: 'none',
    operationId: 'receivePostback',
    tag: 'Session',
    summary: "Accepts the alternative broker's message that an order changed",
    query: z.looseObject({}),
    body: z.string(),
    rawBody: { limit: POSTBACK_LIMIT },
    problems: RECEIVING,
    replies: {
      200: {
        description: 'The postback is in the inbox, since now or earlier',
        schema: enveloped(
          z.object({
            received: z
              .enum(['accepted', 'repeated'])
              .meta({ description: 'Whether the message is new, or had come before' }),
          }),
        ),
      },
    },
    handler: async ({ body }) => {
      if (body === '') return malformed('The body is empty.');
      const receipt = await gateway.receivePostback(body);
      switch (receipt.kind) {
        case 'accepted':
        case 'repeated':
          return json(200, success({ received: receipt.kind }));
        case 'malformed':
          return malformed(receipt.detail);
        case 'forged':
          return problem(401, { code: 'unauthorized', detail: 'The checksum is wrong.' });
      }
    },
  });
}

function malformed(detail: string) {
  return problem(400, { code: 'invalid_request', detail });
}
