import type { Schemas, StreamedEvent } from '../../../client/index.ts';
import { eventWords } from './event-words.ts';
import { count, duration, rupees } from './format.ts';
import { whoWords } from './who.ts';

/** One thing that happened to an order. */
export interface Moment {
  /** ISO 8601. */
  readonly at: string;
  readonly who: 'gateway' | 'broker';
  readonly words: string;
  /** Further words, such as the broker's own. */
  readonly more: string | null;
}

export interface Life {
  readonly order: Schemas['Order'];
  readonly history: Schemas['OrderHistory'];
  readonly placings: readonly Schemas['Placing'][];
  readonly fills: readonly Schemas['Fill'][];
}

const KINDS = { place: 'the order', cancel: 'a cancel', modify: 'a change' } as const;
const OUTCOMES: Readonly<Record<Schemas['OrderRequestMade']['outcome'], string>> = {
  sending: 'no answer yet',
  acknowledged: 'the broker has taken it',
  refused: 'the broker has refused it',
  not_sent: 'it never left',
  uncertain: 'not known whether the broker has it',
  absent: 'the broker does not have it',
};

/** Everything that is known of an order's life, oldest first. */
export function momentsOf({ order, history, placings, fills }: Life): readonly Moment[] {
  const moments: Moment[] = [
    {
      at: order.createdAt,
      who: 'gateway',
      words: order.external
        ? 'The order was placed elsewhere: the first time that is known of it'
        : 'The order was taken and written down',
      more: null,
    },
    ...history.requests.flatMap((request) => requestMoments(request, placings)),
    ...(history.states ?? []).flatMap(stateMoment),
    ...fills.flatMap(({ at, quantity, price }): readonly Moment[] =>
      at === null
        ? []
        : [
            {
              at,
              who: 'broker',
              words: `Filled ${count(quantity)} at ${rupees(price)}`,
              more: null,
            },
          ],
    ),
  ];
  return inOrder(moments);
}

const inOrder = (moments: readonly Moment[]): readonly Moment[] =>
  moments.toSorted((one, other) => endOf(one) - endOf(other));

const SAID_BY_PERSONS: ReadonlySet<string> = new Set(['order.resolved', 'order.forced']);

/**
 * With what a person said of the order, or let pass, as far as the page has the events of it: they are in no list of the order, and the
 * gateway would have to look through all events to find them.
 */
export function withEvents(
  moments: readonly Moment[],
  id: string,
  events: readonly StreamedEvent[],
): readonly Moment[] {
  const told = events.filter(
    ({ type, data: { order } }) =>
      SAID_BY_PERSONS.has(type) && (order?.id === id || order?.parentId === id),
  );
  return inOrder([
    ...moments,
    ...told.map((event): Moment => ({
      at: event.at,
      who: 'gateway',
      words: eventWords(event),
      more: null,
    })),
  ]);
}

/** Brokers tell whole seconds, cut off: what they tell belongs after what the gateway did in that second. */
function endOf({ at, who }: Moment): number {
  const ms = Date.parse(at);
  return who === 'broker' && ms % 1_000 === 0 ? ms + 999 : ms;
}

function requestMoments(
  request: Schemas['OrderRequestMade'],
  placings: readonly Schemas['Placing'][],
): readonly Moment[] {
  const { id, kind, by, sentAt, settledAt, outcome, reason } = request;
  const asked = by === null ? ', by itself' : `, asked for by ${whoWords(by)}`;
  const times = placings.find(({ attemptId }) => attemptId === id)?.times ?? null;
  const changes = Object.entries(request.changes ?? {}).filter(([, value]) => value !== null);
  const sent: Moment = {
    ...{ at: sentAt, who: 'gateway', words: `The gateway sends ${KINDS[kind]}${asked}` },
    more:
      changes.length === 0
        ? null
        : changes.map(([name, value]) => `${name} ${String(value)}`).join(', '),
  };
  const took = times === null ? '' : `, after ${duration(times.answeredMs)} at the broker`;
  const settled: Moment = {
    ...{ at: settledAt ?? sentAt, who: 'gateway' },
    ...{ words: `Of ${KINDS[kind]}: ${OUTCOMES[outcome]}${took}`, more: reason },
  };
  return [sent, settled];
}

function stateMoment(state: Schemas['OrderState']): readonly Moment[] {
  const { at, brokerStatus, status, filledQuantity, reason } = state;
  if (at === null) return [];
  const filled =
    filledQuantity === null || filledQuantity === 0 ? '' : `, filled ${count(filledQuantity)}`;
  const words = `The broker says “${brokerStatus}”: ${status.replace('_', ' ')}${filled}`;
  return [{ at, who: 'broker', words, more: reason }];
}
