import { z } from 'zod';
import { EVENT_ID_PATTERN } from '../events/event-cursor.ts';
import { EVENT_READS, NAMING } from './declared-problems.ts';
import { defineRoute, digits, enveloped, json, type Route, success } from './define-route.ts';
import { eventFilter, eventFilters, type NameOfInstrument, withName } from './event-filter.ts';
import { type EventReaders, readPage } from './event-readers.ts';
import { streamEvents } from './event-stream.ts';
import { eventSchema, eventView } from './event-views.ts';

const MOST_IN_PAGE = 500;
const USUAL_PAGE = 100;
const LONGEST_WAIT_SECONDS = 30;

const eventCursor = z
  .string()
  .regex(new RegExp(EVENT_ID_PATTERN), 'takes the id of an event, or a cursor of an answer')
  .meta({ example: '0-0' });

const page = enveloped(z.array(eventSchema)).extend({
  meta: z
    .object({
      cursor: z.string().meta({ description: 'Send it as `after` to go on' }),
      more: z.boolean().meta({ description: 'Whether there are events that were not looked at' }),
    })
    .meta({ description: 'Where the list goes on' }),
});

/** Events as a stream or as a list (docs/events.md). */
export function eventRoutes(readers: EventReaders, nameOf: NameOfInstrument): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/v1/events',
      scope: 'read',
      operationId: 'getEvents',
      tag: 'Events',
      only: 'get',
      summary: 'What has happened, oldest first, as a list or as a stream',
      description:
        'A stream of server-sent events where Accept names text/event-stream, a list otherwise. A stream ' +
        'without a cursor begins with what happens from now on, a list with the oldest event that is kept.',
      query: z.strictObject({
        after: eventCursor.optional().meta({
          description: 'Events after this one: its id, or a cursor of an answer',
        }),
        ...eventFilters,
        limit: digits(1, MOST_IN_PAGE)
          .optional()
          .meta({ description: `Events of a list; ${USUAL_PAGE} when absent` }),
        wait: digits(0, LONGEST_WAIT_SECONDS).optional().meta({
          description: 'Seconds that a list waits for an event where there is none; 0 when absent',
        }),
      }),
      headers: z.object({
        'Last-Event-ID': eventCursor.optional().meta({
          description: 'Goes before `after`: a browser sends it when it connects again',
        }),
      }),
      problems: [...EVENT_READS, ...NAMING, 'no_broker'],
      replies: {
        200: {
          description: 'Events',
          schema: page,
          events: z.string().meta({
            description:
              'Each event has an `id` and, as `data`, the JSON of an Event. Further types: heartbeat, ' +
              'every 15 seconds, and stream.closing, before the gateway ends the stream',
          }),
        },
      },
      handler: async ({ query, headers, caller, wants, keyHolds: holds = () => true, onGone }) => {
        const { feed } = readers;
        const wanted = eventFilter(await withName(query, nameOf), caller);
        const cursor = headers['Last-Event-ID'] ?? query.after;
        if (wants === 'events') {
          const from = cursor ?? (await feed.newest());
          const after = await readers.locate(from);
          const place = readers.enter(caller.id);
          const request = { caller: caller.id, after, cursor: from, wanted, holds };
          return {
            status: 200,
            content: {
              kind: 'events',
              open: (out) => void streamEvents(out, readers, place, request),
            },
          };
        }
        const after =
          cursor === undefined ? await feed.beforeOldest() : await readers.locate(cursor);
        const { limit = USUAL_PAGE, wait = 0 } = query;
        const found = await readPage(readers, {
          ...{ caller: caller.id, after, wanted, limit, waitMs: wait * 1_000, holds, onGone },
        });
        const meta = { cursor: found.cursor, more: found.more };
        return json(200, success(found.events.map(eventView), { meta }));
      },
    }),
  ];
}
