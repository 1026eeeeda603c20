import { z } from 'zod';
import { istIso } from '../domain/ist.ts';
import { GatewayProblem } from '../domain/problem.ts';
import { TICK_MODES } from '../domain/tick.ts';
import type { ServerSocket } from '../platform/http-upgrade.ts';
import { MOST_OF_CALLER } from '../router/price-streams.ts';
import {
  defineRoute,
  enveloped,
  json,
  type Reply,
  type Route,
  success,
  time,
} from './define-route.ts';
import { lineOfEvents, lineOfSocket } from './price-lines.ts';
import { answerMessages } from './price-messages.ts';
import type { PriceReaders } from './price-readers.ts';
import type { PriceSession } from './price-session.ts';
import { instrumentListOf } from './quotes.ts';
import type { StreamTickets } from './stream-tickets.ts';

const query = z.strictObject({
  instruments: instrumentListOf(MOST_OF_CALLER).optional().meta({
    description: 'Instruments to begin with, separated by commas; required for server-sent events',
  }),
  mode: z.enum(TICK_MODES).default('ltp').meta({
    description:
      'Which figures of these: the last price, those of the day as well, or all of a quote',
  }),
  ticket: z.string().max(100).optional().meta({
    description: 'In place of a key, once: of POST /api/v1/stream/tickets. Never a key',
  }),
});

/** Prices as they come (docs/streaming.md). */
export function streamRoutes(readers: PriceReaders, tickets: StreamTickets): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/v1/stream',
      scope: 'read',
      isMarketData: true,
      keyElsewhere: true,
      only: 'get',
      operationId: 'streamPrices',
      tag: 'Prices',
      summary: 'Prices as they come, by WebSocket or as server-sent events',
      description:
        'A WebSocket, on which instruments are subscribed to and unsubscribed from, or a stream of server-sent ' +
        'events where Accept names text/event-stream. Both carry the same messages (docs/streaming.md). The key is in ' +
        'Authorization, in the cookie altbroker_key on a page of this origin, or in its place a ticket in the address.',
      query,
      problems: [],
      replies: {
        101: { description: 'The WebSocket is open' },
        200: {
          description: 'Server-sent events: each has as `data` the JSON of one message',
          schema: z.string(),
          contentType: 'text/event-stream',
        },
      },
      handler({
        query: { instruments, mode },
        caller,
        wants,
        isUpgrade,
        keyHolds = () => true,
      }): Reply {
        if (!isUpgrade && (wants !== 'events' || instruments === undefined))
          throw notAStream(wants);
        const place = readers.enter(caller.id, keyHolds);
        const begin = (session: PriceSession): void => {
          if (instruments === undefined) return;
          void session.find(instruments).then(
            (found) => session.subscribe(found, mode),
            () => session.refuse('The instruments could not be looked up: connect again.'),
          );
        };
        if (!isUpgrade) {
          const open = (line: Parameters<typeof lineOfEvents>[0]): void =>
            begin(place.open(lineOfEvents(line)));
          return { status: 200, content: { kind: 'events', open } };
        }
        const open = (socket: ServerSocket): void => {
          const session = place.open(lineOfSocket(socket));
          begin(session);
          answerMessages(socket, session);
        };
        return { status: 101, content: { kind: 'socket', open, refused: place.leave } };
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/v1/stream/tickets',
      scope: 'read',
      operationId: 'createStreamTicket',
      tag: 'Prices',
      summary: 'A ticket that opens one stream in place of the key, within 30 seconds',
      problems: [],
      replies: {
        201: {
          description: 'The ticket; it is shown once',
          schema: enveloped(
            z.object({
              ticket: z.string().meta({
                description: 'Send it as the query parameter `ticket` of GET /stream, once',
                example: 'tkt_0123456789abcdef',
              }),
              expiresAt: time.meta({ description: 'When it ends, used or not' }),
            }),
          ),
        },
      },
      handler({ caller, keyHolds = () => true }) {
        const { ticket, until } = tickets.issue(caller, keyHolds);
        return json(201, success({ ticket, expiresAt: istIso(until) }));
      },
    }),
  ];
}

function notAStream(wants: string | null): GatewayProblem {
  const detail =
    wants === 'events'
      ? 'query.instruments: is required for server-sent events: name at least one instrument'
      : 'This address is a stream: open a WebSocket, or send the header Accept: text/event-stream.';
  return new GatewayProblem({ code: 'invalid_request', detail });
}
