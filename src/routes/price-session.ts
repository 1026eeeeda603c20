import { istIso } from '../domain/ist.ts';
import type { Cancel, Clock, Scheduler } from '../platform/clock.ts';
import {
  type Accepted,
  type FoundInstruments,
  MOST_OF_CALLER,
  type PriceStream,
  type PriceStreams,
} from '../router/price-streams.ts';
import { TICK_MODES, type TickMode } from '../domain/tick.ts';
import type { ElapsedMs } from '../units/branded.ts';
import { priceMessageText } from './price-views.ts';

/** How often a reader hears that the stream is alive. */
export const PRICE_HEARTBEAT_MS = 5_000;
/** A connection that takes nothing for so long is closed. */
export const SLOW_CONSUMER_MS = 30_000;
/** So long an ended connection may take what was written before it is cut. */
const END_MS = 1_000;
/** Instruments of one message. */
const AT_ONCE = 500;

/** The connection of a stream: a WebSocket, or server-sent events. */
export interface StreamLine {
  /** Calls `taken` once the connection has taken the messages. */
  write(messages: readonly string[], taken: () => void): void;
  /** Whether the reader has not yet read what was written, as far as the connection can tell: prices wait. */
  isBehind(): boolean;
  /** Calls the listener when the reader no longer is. */
  onCaughtUp(listener: () => void): void;
  onClose(listener: () => void): void;
  /** Writes a last message and ends the connection, in order. */
  end(message: string, why: Ending): void;
  /** Cuts it. */
  destroy(): void;
}

/** Why the gateway ends a stream, as its last message says it. */
export const ENDINGS = {
  slow_consumer: `The connection took nothing for ${SLOW_CONSUMER_MS / 1_000} s: read faster, or subscribe to less, and connect again.`,
  key_revoked: 'The key of this stream is no longer valid: connect again with a valid one.',
  stopping: 'The gateway stops: connect again.',
} as const;
export type Ending = keyof typeof ENDINGS;

export interface SessionParts {
  readonly prices: PriceStreams;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  /** The id of the key. */
  readonly caller: string;
  /** Whether the key is still valid. */
  readonly holds: () => boolean;
  /** Called once, when the stream is over. */
  readonly onOver: () => void;
}

/** One stream of prices, whatever its connection is. */
export interface PriceSession {
  find(texts: readonly string[]): Promise<FoundInstruments>;
  subscribe(found: FoundInstruments, mode: TickMode, id?: string): void;
  unsubscribe(found: FoundInstruments, id?: string): void;
  /** A message of the reader was wrong, and has changed nothing. */
  refuse(message: string, id?: string): void;
  /** Calls `run` once everything that was said to the reader apart from prices has been taken. */
  whenSaid(run: () => void): void;
  /** Ends the stream where its key is no longer valid. */
  recheck(): void;
  end(why: Ending): void;
}

/**
 * Writes one message at a time, and the next when the connection has taken it: prices that come meanwhile are
 * told as their latest, so that a slow reader costs no memory (docs/streaming.md).
 */
export function openSession(line: StreamLine, parts: SessionParts): PriceSession {
  const { clock, scheduler, holds } = parts;
  const stream: PriceStream = parts.prices.open(parts.caller, pump);
  /** What is said besides prices, which goes first. */
  const said: string[] = [];
  let whenSaid: (() => void) | null = null;
  const pace = paceOf(line, clock);
  let isInWrite = false;
  let isOver = false;
  let cancelBeat: Cancel = () => undefined;

  function pump(): void {
    while (!isOver && !pace.isWriting()) {
      if (said.length === 0 && whenSaid) {
        const run = whenSaid;
        whenSaid = null;
        run();
        continue;
      }
      // Answers go out also where pongs are not heard: the next message is read when they are taken.
      if (said.length === 0 && pace.isBehind()) return;
      const messages =
        said.length > 0 ? said.splice(0) : stream.take(AT_ONCE).map(priceMessageText);
      if (messages.length === 0) return;
      pace.begin();
      isInWrite = true;
      line.write(messages, () => {
        pace.taken();
        // Within `write`, the loop goes on.
        if (!isInWrite) pump();
      });
      isInWrite = false;
    }
  }

  function say(message: object): void {
    if (isOver) return;
    said.push(JSON.stringify(message));
    pump();
  }

  function over(): void {
    if (isOver) return;
    isOver = true;
    cancelBeat();
    stream.leave();
    parts.onOver();
  }

  function end(why: Ending): void {
    if (isOver) return;
    over();
    line.end(JSON.stringify({ type: 'error', code: why, message: ENDINGS[why] }), why);
    const cancel = scheduler.after(END_MS, () => line.destroy());
    line.onClose(cancel);
  }

  function recheck(): void {
    if (!holds()) end('key_revoked');
  }

  function beat(): void {
    cancelBeat = scheduler.after(PRICE_HEARTBEAT_MS, () => {
      recheck();
      if (isOver) return;
      if (pace.isSlow()) return end('slow_consumer');
      if (!pace.isWriting()) say({ type: 'heartbeat', at: istIso(clock.now()) });
      beat();
    });
  }

  line.onClose(over);
  line.onCaughtUp(() => {
    pace.caughtUp();
    pump();
  });
  beat();
  say({
    type: 'hello',
    heartbeatMs: PRICE_HEARTBEAT_MS,
    ...{ modes: TICK_MODES, mostInstruments: MOST_OF_CALLER },
  });
  return {
    find: stream.find,
    subscribe: (found, mode, id) =>
      say(answerOf('subscribed', id, { mode }, stream.subscribe(found, mode))),
    unsubscribe: (found, id) => say(answerOf('unsubscribed', id, {}, stream.unsubscribe(found))),
    refuse: (message, id) =>
      say({ type: 'error', code: 'invalid_message', id: id ?? null, message }),
    whenSaid(run) {
      whenSaid = run;
      pump();
    },
    recheck,
    end,
  };
}

const answerOf = (type: string, id: string | undefined, rest: object, accepted: Accepted) => ({
  ...{ type, id: id ?? null, ...rest },
  instruments: Object.fromEntries(accepted.accepted),
  refused: Object.fromEntries(accepted.refused),
});

/** For how long a reader has held up what is written to it. */
function paceOf(line: StreamLine, clock: Clock) {
  let writingSince: ElapsedMs | null = null;
  let behindSince: ElapsedMs | null = null;
  return {
    begin: () => void (writingSince = clock.elapsed()),
    taken: () => void (writingSince = null),
    isWriting: () => writingSince !== null,
    isBehind(): boolean {
      if (!line.isBehind()) return false;
      behindSince ??= clock.elapsed();
      return true;
    },
    caughtUp: () => void (behindSince = null),
    isSlow(): boolean {
      if (!line.isBehind()) behindSince = null;
      const since = writingSince ?? behindSince;
      return since !== null && clock.elapsed() - since >= SLOW_CONSUMER_MS;
    },
  };
}
