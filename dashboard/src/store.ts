import {
  type Client,
  createClient,
  NoAnswerError,
  ProblemError,
  type Runtime,
  type Schemas,
  type StreamedEvent,
} from '../../client/index.ts';
import { askEvents, readEarlier, withEarlier } from './earlier-events.ts';
import { follow, isSignedOut } from './follow-events.ts';
import { problemOf } from './problem-of.ts';
import { systemSight as sight } from './system-sight.ts';
import { afterEvent, afterRead, type Orders } from './pure/orders.ts';
import { connectionAfter, type PageState } from './pure/state.ts';
import type { Account } from './pure/stop-words.ts';

export interface Store {
  readonly client: Client;
  state(): PageState;
  subscribe(listener: () => void): () => void;
  /** Reads everything again, soon. */
  refresh(): void;
  stop(): void;
}

const REFRESH_MS = 10_000;
/** Events come in bursts: what they are about is read once. */
const SETTLE_MS = 250;
const MOST_EVENTS = 300;

const FIRST: PageState = {
  connection: { is: 'connecting', since: Date.now(), resumed: null, gapAt: null },
  ...{ who: null, overview: null, session: null, brokers: null, orders: null },
  ...{ ordersProblem: null, accounts: null, events: [] },
};

/** Follows the gateway until `stop`. `onEnd` is called once the sign-in of the page is not valid any more. */
export function createStore(token: string, onEnd: (reason: string) => void): Store {
  let state = FIRST;
  const listeners = new Set<() => void>();
  const stopping = new AbortController();
  const set = (change: Partial<PageState>): void => {
    if (stopping.signal.aborted) return;
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  };
  const client = createClient({
    ...{ baseUrl: location.origin, key: token, patienceMs: 2_000 },
    runtime: {
      fetch: watched((is) =>
        set({ connection: connectionAfter(state.connection, is, Date.now()) }),
      ),
    },
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isReading = false;
  /** Whether something has happened since the read under way began. */
  let isOutdated = false;
  /** Whether the orders that the page knows may be of a journal that the gateway does not have any more. */
  let isAnew = false;

  function refresh(): void {
    isOutdated = true;
    if (!isReading) readAfter(SETTLE_MS);
  }

  function readAfter(ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => void readAll(), ms);
  }

  /** One read at a time, so that a slow gateway is not asked twice at once; none while nobody sees the page. */
  async function readAll(): Promise<void> {
    if (!sight.isSeen()) return;
    [isReading, isOutdated] = [true, false];
    try {
      set(await readOverview(client));
      set({ accounts: await readAccounts(client, state.brokers ?? []) });
      const known = isAnew ? null : state.orders;
      isAnew = false;
      const read = await readOrders(client, known);
      if (!read.orders) isAnew ||= known === null;
      set(read);
    } catch (error) {
      if (isSignedOut(error)) onEnd('The sign-in of this browser has ended: sign in again.');
      else if (!(error instanceof ProblemError || error instanceof NoAnswerError)) throw error;
    }
    isReading = false;
    if (!stopping.signal.aborted) readAfter(isOutdated ? SETTLE_MS : REFRESH_MS);
  }

  function take(event: StreamedEvent): void {
    set(stateAfter(state, event));
    refresh();
  }

  const { signal } = stopping;
  const recall = (cursor: string): void => {
    void readEarlier(askEvents(token), cursor).then((earlier) =>
      set({ events: withEarlier(state.events, earlier) }),
    );
  };
  const miss = (): void => {
    isAnew = true;
    set({ connection: { ...state.connection, gapAt: Date.now() } });
    refresh();
  };
  const stopLooking = sight.onChange(() => {
    if (sight.isSeen()) refresh();
    // What is shown is not that of now until the stream goes on.
    else if (state.connection.is === 'live')
      set({ connection: { ...state.connection, is: 'connecting' } });
  });
  void follow({ client, signal, sight, recall, take, miss, onEnd });
  void readAll();
  return {
    client,
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    refresh,
    stop() {
      stopping.abort();
      stopLooking();
      clearTimeout(timer);
      listeners.clear();
    },
  };
}

function stateAfter(
  { connection, orders, events }: PageState,
  event: StreamedEvent,
): Partial<PageState> {
  const { resumed } = connection;
  const counted = resumed && { ...resumed, events: resumed.events + 1 };
  return {
    orders: orders && afterEvent(orders, event),
    events: [event, ...events].slice(0, MOST_EVENTS),
    connection: { ...connection, resumed: counted },
  };
}

/** Tells whether the gateway can be reached, by the requests of the stream of events. */
function watched(tell: (is: 'live' | 'lost') => void): Runtime['fetch'] {
  return async (input, init) => {
    const isStream = String(input).includes('/api/v1/events');
    try {
      const response = await fetch(input, init);
      if (isStream && response.ok) tell('live');
      return response;
    } catch (error) {
      if (!(init?.signal?.aborted ?? false)) tell('lost');
      throw error;
    }
  };
}

async function readOverview(client: Client): Promise<Partial<PageState>> {
  const [who, overview, session, brokers] = await Promise.all([
    ...([client.getSignIn(), client.getOverview(), client.getSession()] as const),
    client.getBrokers(),
  ]);
  return {
    who: who.data.key,
    overview: overview.data,
    session: session.data,
    brokers: brokers.data,
  };
}

/** Each broker that takes orders. An account that cannot be read is one with a problem, never one without positions. */
function readAccounts(
  client: Client,
  brokers: readonly Schemas['BrokerStatus'][],
): Promise<readonly Account[]> {
  const trading = brokers.filter(({ serves, setUp }) => setUp && serves.includes('trading'));
  return Promise.all(
    trading.map(async ({ broker, mode }) => {
      try {
        const { data } = await client.getPositions({ broker });
        return { broker, mode, positions: data, problem: null };
      } catch (error) {
        return { broker, mode, positions: null, problem: problemOf(error) };
      }
    }),
  );
}

async function readOrders(client: Client, known: Orders | null): Promise<Partial<PageState>> {
  try {
    const list: Schemas['Order'][] = [];
    for await (const order of client.items('getOrders')) list.push(order);
    return { orders: afterRead(known ?? new Map(), list), ordersProblem: null };
  } catch (error) {
    return { ordersProblem: problemOf(error) };
  }
}
