import type {
  Socket,
  SocketConnector,
  SocketEnd,
  SocketRequest,
} from '../../src/platform/websocket.ts';

/** One connection as the other side sees it. Events come when the test says so, as the port has them. */
export interface FakeSocket {
  readonly request: SocketRequest;
  /** What was sent, as it was read from JSON. */
  readonly heard: unknown[];
  /** Whether this side has closed it. */
  readonly closed: boolean;
  open(): void;
  text(text: string): void;
  binary(bytes: Uint8Array): void;
  end(end: SocketEnd): void;
}

export interface FakeSockets extends SocketConnector {
  /** Every connection that was ever asked for. */
  readonly all: readonly FakeSocket[];
  /** The last one. */
  readonly last: FakeSocket;
}

export function createFakeSockets(): FakeSockets {
  const all: FakeSocket[] = [];
  return {
    all,
    get last() {
      const last = all.at(-1);
      if (!last) throw new Error('no connection has been asked for');
      return last;
    },
    connect(request, listener): Socket {
      const heard: unknown[] = [];
      let [open, over] = [false, false];
      all.push({
        request,
        heard,
        get closed() {
          return over;
        },
        open() {
          if (over) return;
          open = true;
          listener.onOpen();
        },
        text: (text) => void (over || listener.onText(text)),
        binary: (bytes) => void (over || listener.onBinary(bytes)),
        end(end) {
          if (over) return;
          over = true;
          listener.onClose(end);
        },
      });
      return {
        send: (text) => void (open && !over && heard.push(JSON.parse(text))),
        close() {
          over = true;
        },
      };
    },
  };
}
