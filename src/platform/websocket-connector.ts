import type { Socket as NetSocket } from 'node:net';
import { Agent, buildConnector, WebSocket, type Dispatcher } from 'undici';
import type { Cancel, Scheduler } from './clock.ts';
import { codeOf } from './values.ts';
import type { SocketConnector, SocketEnd, SocketListener, SocketRequest } from './websocket.ts';

/** How long the other side has to answer a close; then the connection is cut. */
const FAREWELL_MS = 1_000;

/**
 * The connector over real sockets. Each connection has its own dispatcher, which limits messages,
 * ignores the environment's proxy settings, and reports the status of a refused handshake, which
 * WebSocket does not.
 */
export function createSocketConnector(scheduler: Scheduler): SocketConnector {
  return {
    connect(request, listener) {
      if (!/^wss?:$/.test(protocolOf(request.url))) {
        return neverConnected(scheduler, listener, 'the address is not a WebSocket address');
      }
      try {
        return open(scheduler, request, listener);
      } catch {
        // Thrown before a connection is opened. The message may quote the address or a header.
        return neverConnected(scheduler, listener, 'the request cannot be made');
      }
    },
  };
}

function open(scheduler: Scheduler, request: SocketRequest, listener: SocketListener) {
  const line = createLine(request);
  const socket = new WebSocket(request.url, {
    dispatcher: line.dispatcher,
    ...(request.headers ? { headers: request.headers } : {}),
  });
  socket.binaryType = 'arraybuffer';
  let opened = false;
  let over = false;
  let cancelCut: Cancel = () => undefined;
  const cancelDeadline = scheduler.after(request.handshakeMs, () => {
    finish({ kind: 'failed', message: `no connection within ${request.handshakeMs} ms` });
  });

  function release(): void {
    over = true;
    cancelDeadline();
    // Without this timer, an unanswered close would last until the system gives up the connection.
    cancelCut = scheduler.after(opened ? FAREWELL_MS : 0, line.cut);
    socket.close();
  }

  function finish(end: SocketEnd): void {
    if (over) return;
    release();
    listener.onClose(end);
  }

  socket.addEventListener('open', () => {
    if (over) return;
    opened = true;
    cancelDeadline();
    listener.onOpen();
  });
  socket.addEventListener('message', ({ data }: { data: unknown }) => {
    if (over) return;
    if (typeof data === 'string') listener.onText(data);
    else if (data instanceof ArrayBuffer) listener.onBinary(new Uint8Array(data));
  });
  // An error is always followed by a close; without a listener it would be uncaught.
  socket.addEventListener('error', () => undefined);
  socket.addEventListener('close', ({ code }: { code: number }) => {
    const status = line.status();
    if (opened) finish({ kind: 'closed', code });
    else if (status !== null) finish({ kind: 'refused', status });
    else finish({ kind: 'failed', message: line.failure() ?? 'the WebSocket handshake failed' });
    cancelCut();
    line.cut();
  });

  return {
    send(text: string) {
      if (!over && opened) socket.send(text);
    },
    close() {
      if (!over) release();
    },
  };
}

/** The TCP connection below one WebSocket, and what is known of its handshake. */
interface Line {
  readonly dispatcher: Dispatcher;
  /** The status of an answer that was not an upgrade; null when there was none. */
  status(): number | null;
  failure(): string | null;
  cut(): void;
}

function createLine({ handshakeMs, maxMessageBytes }: SocketRequest): Line {
  let below: NetSocket | null = null;
  let status: number | null = null;
  let failure: string | null = null;
  const connect = buildConnector({ timeout: handshakeMs });
  const agent = new Agent({
    connect(options, callback) {
      connect(options, (error, socket) => {
        if (error) {
          failure = error.message || (codeOf(error) ?? error.name);
          callback(error, null);
        } else {
          below = socket;
          callback(null, socket);
        }
      });
    },
    webSocket: { maxPayloadSize: maxMessageBytes },
  });
  const noticing: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) =>
    dispatch(options, {
      onRequestStart: (...given) => handler.onRequestStart?.(...given),
      onRequestUpgrade: (...given) => handler.onRequestUpgrade?.(...given),
      onResponseStart(controller, code, ...rest) {
        status = code;
        handler.onResponseStart?.(controller, code, ...rest);
      },
      onResponseData: (...given) => handler.onResponseData?.(...given),
      onResponseEnd: (...given) => handler.onResponseEnd?.(...given),
      onResponseError(controller, error) {
        failure ??= error.message;
        handler.onResponseError?.(controller, error);
      },
    });
  return {
    dispatcher: agent.compose(noticing),
    status: () => status,
    failure: () => failure,
    cut() {
      below?.destroy();
      void agent.destroy();
    },
  };
}

function neverConnected(scheduler: Scheduler, listener: SocketListener, message: string) {
  let over = false;
  scheduler.endOfTurn(() => {
    if (!over) listener.onClose({ kind: 'failed', message });
    over = true;
  });
  return {
    send: () => undefined,
    close() {
      over = true;
    },
  };
}

function protocolOf(url: string): string {
  return URL.canParse(url) ? new URL(url).protocol : '';
}
