import {
  type Client,
  NoAnswerError,
  ProblemError,
  type PriceUpdate,
} from 'altbroker-gateway/client';
import { GATEWAY, pause } from './connect.ts';

// Prices over WebSocket (docs/streaming.md), with Node's own WebSocket. It cannot send the key in a header, so each
// connection is opened by a ticket, which is good for one connection: no address ever has the key in it.

/** Something comes every five seconds at least; a connection that is silent for twice as long is dead. */
const SILENCE_MS = 10_000;
/** A restart of the gateway takes seconds; ten minutes without a connection are an error. */
const PATIENCE_MS = 600_000;

/** What a stream says when it ends, and when it has refused a message: docs/streaming.md. */
export interface StreamError {
  readonly type: 'error';
  readonly code: string;
  readonly message: string;
}

export interface PriceSocketOptions {
  readonly gateway: Client;
  /** What to subscribe to; asked again for each connection. */
  readonly instruments: () => readonly string[];
  /** Called with each message in its order, and with `lost` when a connection has ended. What it throws ends it all. */
  readonly onUpdate: (update: PriceUpdate | StreamError, unsubscribe: Unsubscribe) => void;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** On the connection that the message came on. */
export type Unsubscribe = (instrument: string) => void;

/** Follows prices over as many connections as it takes. Throws where the gateway refuses the key, or is away for long. */
export async function followPrices(options: PriceSocketOptions): Promise<void> {
  const { gateway, onUpdate, signal } = options;
  let attempts = 0;
  let lostAt = Date.now();
  while (!signal.aborted) {
    attempts += 1;
    let refusal: unknown = new Error('the gateway accepts no stream of prices');
    try {
      const { data } = await gateway.createStreamTicket({ patienceMs: 0, signal });
      const wasOpen = await followOne(data.ticket, options);
      if (signal.aborted) return;
      if (wasOpen) {
        [attempts, lostAt] = [0, Date.now()];
        onUpdate({ type: 'lost' }, () => undefined);
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!mayComeBack(error)) throw error;
      refusal = error;
    }
    if (Date.now() - lostAt > PATIENCE_MS) throw refusal;
    await pause(Math.min(250 * 2 ** attempts, 5_000));
  }
}

/** The gateway is away or busy; a key that it refuses today is refused tomorrow, too. */
const mayComeBack = (error: unknown): boolean =>
  error instanceof NoAnswerError ||
  (error instanceof ProblemError && (error.httpStatus >= 500 || error.httpStatus === 429));

/** One connection, to its end. Resolves with whether the gateway has said anything on it. */
function followOne(ticket: string, options: PriceSocketOptions): Promise<boolean> {
  const { instruments, onUpdate, signal } = options;
  const address = `${GATEWAY.replace(/^http/, 'ws')}/api/v1/stream?ticket=${ticket}`;
  const socket = new WebSocket(address);
  const say = (message: object): void => socket.send(JSON.stringify(message));
  const unsubscribe: Unsubscribe = (instrument) =>
    say({ action: 'unsubscribe', instruments: [instrument] });
  return new Promise((resolve, reject) => {
    let wasOpen = false;
    let silence = setTimeout(over, SILENCE_MS);
    function over(): void {
      clearTimeout(silence);
      signal.removeEventListener('abort', over);
      // One that is dead never answers the close, so nothing waits for it, and nothing of it counts any more.
      socket.onmessage = null;
      socket.close();
      resolve(wasOpen);
    }
    signal.addEventListener('abort', over);
    // After an error, `close` follows.
    socket.onclose = over;
    socket.onmessage = ({ data }) => {
      clearTimeout(silence);
      silence = setTimeout(over, SILENCE_MS);
      wasOpen = true;
      try {
        const message = JSON.parse(String(data)) as { readonly type: string };
        if (message.type === 'hello') say({ action: 'subscribe', instruments: instruments() });
        else if (isUpdate(message)) onUpdate(message, unsubscribe);
      } catch (error) {
        reject(error as Error);
        over();
      }
    };
  });
}

/** Others are to be ignored: further ones may be added. */
const UPDATES: ReadonlySet<string> = new Set(['subscribed', 'feed', 'snapshot', 'ticks', 'error']);
const isUpdate = (message: { readonly type: string }): message is PriceUpdate | StreamError =>
  UPDATES.has(message.type);
