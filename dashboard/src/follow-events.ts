import {
  type Client,
  type EventsInput,
  NoAnswerError,
  ProblemError,
  type StreamedEvent,
} from '../../client/index.ts';
import { type Sight, untilSeen, whileSeen } from './sight.ts';

const AGAIN_MS = 2_000;
/** The stream connects again as long as the page is open. */
const FOREVER_MS = 365 * 24 * 3_600_000;

export interface FollowParts {
  readonly client: Pick<Client, 'events' | 'getOrders'>;
  readonly signal: AbortSignal;
  readonly sight: Sight;
  /** Called once, with where the stream begins. */
  readonly recall: (cursor: string) => void;
  readonly take: (event: StreamedEvent) => void;
  /** Called where the gateway does not have the events any more after which the page goes on. */
  readonly miss: () => void;
  readonly onEnd: (reason: string) => void;
}

/** Hands over each event from now on, until the signal; those of a time in which nobody sees the page, once it is seen again. */
export async function follow({
  client,
  signal,
  sight,
  recall,
  take,
  miss,
  onEnd,
}: FollowParts): Promise<void> {
  let after: string | null = null;
  let isFirst = true;
  while (!signal.aborted) {
    await untilSeen(sight, signal);
    const seen = whileSeen(sight, signal);
    try {
      after ??= await cursorNow(client);
      if (isFirst && after !== null) recall(after);
      isFirst = false;
      const input: EventsInput = {
        signal: seen.signal,
        patienceMs: FOREVER_MS,
        ...(after && { after }),
      };
      for await (const event of client.events(input)) {
        after = event.id;
        take(event);
      }
    } catch (error) {
      if (isSignedOut(error)) return onEnd('The sign-in of this browser has ended: sign in again.');
      if (error instanceof ProblemError && error.code === 'cursor_expired') {
        after = null;
        miss();
      } else if (!(error instanceof ProblemError || error instanceof NoAnswerError)) throw error;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    } finally {
      seen.done();
    }
  }
}

/** Where the stream begins: before the orders are read, so that nothing falls in between. */
async function cursorNow(client: FollowParts['client']): Promise<string | null> {
  const { meta } = await client.getOrders({ limit: 1 });
  return meta.eventsCursor ?? null;
}

export const isSignedOut = (error: unknown): boolean =>
  error instanceof ProblemError && error.code === 'unauthorized';
