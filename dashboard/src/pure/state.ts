import type { Schemas, StreamedEvent } from '../../../client/index.ts';
import { clockTime, count } from './format.ts';
import type { Orders } from './orders.ts';
import type { Account } from './stop-words.ts';

/** How the page stands with the gateway. Times are epoch ms. */
export interface Connection {
  readonly is: 'connecting' | 'live' | 'lost';
  readonly since: number;
  /** The last time that it was lost and came back, and how many events came since; null before. */
  readonly resumed: {
    readonly lostAt: number;
    readonly at: number;
    readonly events: number;
  } | null;
  /** The last time that the gateway did not have the events after those of the page any more; null before. */
  readonly gapAt: number | null;
}

/** Everything that the pages show; null where nothing was read yet. */
export interface PageState {
  readonly connection: Connection;
  readonly who: Schemas['SignIn']['key'] | null;
  readonly overview: Schemas['Overview'] | null;
  readonly session: Schemas['SessionStatus'] | null;
  readonly brokers: readonly Schemas['BrokerStatus'][] | null;
  readonly orders: Orders | null;
  /** Why the orders could not be read again; null where they could. */
  readonly ordersProblem: string | null;
  readonly accounts: readonly Account[] | null;
  /** The latest events since the page was opened, newest first. */
  readonly events: readonly StreamedEvent[];
}

/** `now` is epoch ms. */
export function connectionAfter(before: Connection, is: 'live' | 'lost', now: number): Connection {
  if (before.is === is) return before;
  const wasLost = before.is === 'lost' && is === 'live';
  const resumed = wasLost ? { lostAt: before.since, at: now, events: 0 } : before.resumed;
  return { ...before, is, since: now, resumed };
}

/** What the page says of a connection that it has; `isWhole` where it knows that it missed nothing. Null without anything to say. */
export function resumedWords(
  { is, resumed, gapAt }: Connection,
  now: number,
): { readonly isWhole: boolean; readonly words: string } | null {
  if (is !== 'live') return null;
  const isWhole = gapAt === null || (resumed !== null && gapAt < resumed.lostAt);
  const again =
    resumed === null
      ? ''
      : `Connected again at ${clockTime(resumed.at, now)}, after a loss at ${clockTime(resumed.lostAt, now)}. `;
  if (!isWhole) {
    const words = `${again}Events were missed: at ${clockTime(gapAt, now)} the gateway did not have all of them any more, since they are too old or its journal is that of a backup. Orders and positions are read anew; the list of events has a gap.`;
    return { isWhole, words };
  }
  if (resumed === null) return null;
  const words = `${again}Nothing was missed: ${count(resumed.events)} events came since.`;
  return { isWhole, words };
}
