import { z } from 'zod';
import { allows, type Caller } from '../callers/caller.ts';
import type { InstrumentName } from '../domain/instrument.ts';
import { GatewayProblem } from '../domain/problem.ts';
import { EVENT_TYPES, type EventType, isOfTypes, type StoredEvent } from '../events/event-log.ts';
import { fieldOf } from '../platform/values.ts';
import { mustAllow } from './access.ts';
import { instrument, listScope, orderId } from './define-route.ts';

const NAMES: readonly string[] = EVENT_TYPES;
const ONE = `(${EVENT_TYPES.join('|').replaceAll('.', '[.]')})`;

const types = z
  .string()
  .refine(
    (text) => text.split(',').every((each) => NAMES.includes(each)),
    `takes one or more of ${EVENT_TYPES.join(', ')}, separated by commas`,
  )
  .transform((text) => {
    const named = new Set(text.split(','));
    return EVENT_TYPES.filter((type) => named.has(type));
  })
  .meta({
    description: 'Events of any of these types, separated by commas; all when absent',
    example: 'order.updated,order.fill',
    override: { type: 'string', pattern: `^${ONE}(,${ONE})*$` },
  });

/** The filters of a stream and of a list; all of them have to be met. */
export const eventFilters = {
  type: types.optional(),
  order: orderId.optional().meta({
    description: 'Events of this order, and of its slices',
  }),
  instrument: instrument.optional().meta({
    description:
      'Events of this instrument: NSE:INFY, NSE_1594 or INFY. A name with its exchange is taken as it is, since ' +
      'no list has that of a contract that has expired',
  }),
  scope: listScope.optional().meta({
    description: '`mine`: events of what the key of the request has asked for; `account`: all',
  }),
  key: z
    .string()
    .regex(/^[\x21-\x7e]{1,64}$/, 'takes the id of a key')
    .optional()
    .meta({ description: 'Events of what this key has asked for; needs an admin key' }),
};

/** The name of an instrument as orders have it; rejects for what is not known, or is that of several. */
export type NameOfInstrument = (text: string) => Promise<InstrumentName>;

const WITH_EXCHANGE = /^[A-Z]{2,8}:/;

/** The query with the instrument by its name, which events have. */
export async function withName(
  query: EventFilterQuery,
  nameOf: NameOfInstrument,
): Promise<EventFilterQuery> {
  const written = query.instrument?.toUpperCase();
  if (written === undefined) return query;
  return { ...query, instrument: WITH_EXCHANGE.test(written) ? written : await nameOf(written) };
}

export interface EventFilterQuery {
  readonly type?: readonly EventType[] | undefined;
  readonly order?: string | undefined;
  readonly instrument?: string | undefined;
  readonly scope?: 'mine' | 'account' | undefined;
  readonly key?: string | undefined;
}

/**
 * Which events a reader gets: those that its key may see, and of those the ones that it asks for. Throws
 * `forbidden` where it asks for those of another key.
 */
export function eventFilter(
  query: EventFilterQuery,
  caller: Caller,
): (event: StoredEvent) => boolean {
  if (query.key !== undefined && query.key !== caller.id) mustAllow(caller, 'admin', 'key');
  if (query.key !== undefined && query.scope === 'mine' && query.key !== caller.id) {
    throw new GatewayProblem({
      code: 'invalid_request',
      detail: 'query.key: names another key than scope=mine: send only one of them',
    });
  }
  const of = query.key ?? (query.scope === 'mine' ? caller.id : null);
  return (event) => maySee(event, caller) && isWanted(event, query, of);
}

/**
 * A key that is confined to a broker sees what concerns this broker, and the kill switch, which concerns all.
 * What names no broker may concern another one. Signals are seen by their own key and by admins, as in their list.
 * An alert in place of an event that cannot be read tells its type and sequence alone, so that every key may see it.
 */
function maySee({ about, type, insteadOf }: StoredEvent, caller: Caller): boolean {
  if (insteadOf !== undefined) return true;
  const { broker } = caller;
  const isOwn = about?.caller === caller.id || allows(caller.scope, 'admin');
  if (type.startsWith('signal.') && !isOwn) return false;
  return broker === null || about?.broker === broker || type === 'kill_switch.changed';
}

function isWanted(event: StoredEvent, query: EventFilterQuery, of: string | null): boolean {
  const { type, order, instrument } = query;
  if (type !== undefined && !isOfTypes(event, type)) return false;
  // Whom and what it concerned is not known: it may be what this reader waits for.
  if (event.insteadOf !== undefined) return true;
  if (of !== null && event.about?.caller !== of) return false;
  if (instrument !== undefined && event.about?.instrument !== instrument) return false;
  return order === undefined || isOfOrder(event, order);
}

function isOfOrder({ orderId, about, data }: StoredEvent, order: string): boolean {
  if (orderId === order || fieldOf(data['order'], 'parentId') === order) return true;
  return order === `${about?.broker ?? ''}:${String(data['brokerOrderId'])}`;
}
