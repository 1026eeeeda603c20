import type { SandboxRandom } from '../../sandbox/kernel/ports.ts';
import { type EventClient, openEvents } from './event-client.ts';

/** What one connection of a reader was told, and after which id it began. */
export interface Connection {
  readonly after: string;
  readonly ids: readonly string[];
}

/** A program that follows events over connections that are cut. */
export interface CutReader {
  /** Each connection so far, oldest first. */
  readonly connections: readonly Connection[];
  /** What each id was told with, as JSON; all of them, where they differ. */
  readonly contents: ReadonlyMap<string, ReadonlySet<string>>;
  /** The last id that it has kept. */
  readonly kept: string;
  /** Notes what an open connection has told so far, and cuts no more. */
  stop(): Promise<void>;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const MOST_MS = 900;
const LOOK_MS = 10;

/**
 * Reads from the first event on, and goes on by Last-Event-ID. Each connection is cut after a drawn time, and
 * of some the reader keeps an id that is not the last, as one does that ends before it has written it down.
 */
export function startCutReader(parts: {
  /** Where the gateway listens now; null while there is none. */
  readonly url: () => string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly random: SandboxRandom;
}): CutReader {
  const { url, headers, random } = parts;
  const connections: Connection[] = [];
  const contents = new Map<string, Set<string>>();
  let kept = '0-0';
  let isStopping = false;

  function note(client: EventClient, after: string): void {
    for (const { lastEventId, event } of client.told) {
      const known = contents.get(lastEventId) ?? new Set();
      contents.set(lastEventId, known.add(JSON.stringify(event)));
    }
    connections.push({ after, ids: client.told.map(({ lastEventId }) => lastEventId) });
    const forgets = random.next() < 0.3 ? Math.floor(random.next() * 5) : 0;
    const last = client.told[client.told.length - 1 - forgets];
    // Where all is forgotten, it goes on from where this connection began.
    kept = last?.lastEventId ?? after;
  }

  async function follow(): Promise<void> {
    while (!isStopping) {
      const lifeMs = random.next() * MOST_MS;
      const at = url();
      const client = at === null ? null : await open(at, kept);
      if (client === null) {
        await pause(LOOK_MS);
        continue;
      }
      const until = Date.now() + lifeMs;
      while (!isStopping && !client.isOver && Date.now() < until) await pause(LOOK_MS);
      client.cut();
      note(client, kept);
    }
  }

  /** Null where nobody listens, as after a kill. */
  async function open(at: string, after: string): Promise<EventClient | null> {
    try {
      const given = { ...headers, 'last-event-id': after };
      const client = await openEvents(`${at}/api/v1/events`, given);
      if (client.status !== 200)
        throw new Error(`a stream answers ${client.status}: ${client.text}`);
      return client;
    } catch (error) {
      if (error instanceof Error && error.message.startsWith('a stream')) throw error;
      return null;
    }
  }

  const done = follow();
  // A failure is told by `stop`.
  done.catch(() => undefined);
  return {
    connections,
    contents,
    get kept() {
      return kept;
    },
    async stop() {
      isStopping = true;
      await done;
    },
  };
}
