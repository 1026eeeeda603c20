import type { StreamedEvent } from '../../client/index.ts';

/** As many as the page keeps. */
const MOST = 300;

/** Asks for a list of events: its status, and its events where that is 200. */
export type AskEvents = (
  after: string,
  limit: number,
) => Promise<{ readonly status: number; readonly data: readonly StreamedEvent[] }>;

/** The list of events; the client has their stream alone. */
export const askEvents =
  (token: string): AskEvents =>
  async (after, limit) => {
    const query = new URLSearchParams({ after, limit: String(limit) });
    const response = await fetch(`/api/v1/events?${query}`, {
      headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
    });
    const { data = [] } = (await response.json()) as { data?: StreamedEvent[] };
    return { status: response.status, data };
  };

/**
 * The events before a cursor, newest first: those of the present start of the gateway, at most 300. Ids count events within a start, and a
 * position that is not of this one is refused (docs/events.md, "Ids"): then fewer are asked for. Empty where they cannot be read: the page
 * then shows what happens from now on.
 */
export async function readEarlier(
  ask: AskEvents,
  cursor: string,
): Promise<readonly StreamedEvent[]> {
  const [, epoch, text] = /^([0-9a-z]+)-(\d+)$/.exec(cursor) ?? [];
  if (epoch === undefined || text === undefined) return [];
  const last = Number(text);
  for (let most = Math.min(MOST, last); most >= 1; most = Math.floor(most / 2)) {
    try {
      const { status, data } = await ask(`${epoch}-${last - most}`, most);
      if (status === 200) return data.toReversed();
      if (status !== 410) return [];
    } catch {
      return [];
    }
  }
  return [];
}

/** Events with those that came before the page was opened, each once, the newest first. */
export function withEarlier(
  events: readonly StreamedEvent[],
  earlier: readonly StreamedEvent[],
): readonly StreamedEvent[] {
  const known = new Set(events.map(({ id }) => id));
  return [...events, ...earlier.filter(({ id }) => !known.has(id))].slice(0, MOST);
}
