import type { KiteTicker } from '../../sandbox/kite/ticker.ts';
import type { Scheduler } from '../../src/platform/clock.ts';
import type { SocketConnector } from '../../src/platform/websocket.ts';

/** The sockets' port, answered by a sandbox's ticker in this process, on the clock it is given. */
export function createSandboxSockets(
  ticker: () => KiteTicker,
  scheduler: () => Scheduler,
): SocketConnector {
  return {
    connect(request, listener) {
      const query = new URL(request.url).searchParams;
      let over = false;
      let connection: ReturnType<KiteTicker['connect']> | null = null;
      const cut = (): void => {
        if (over) return;
        over = true;
        listener.onClose({ kind: 'closed', code: 1_006 });
      };
      scheduler().endOfTurn(() => {
        if (over) return;
        const status = ticker().refusal(query);
        if (status !== null) {
          over = true;
          return listener.onClose({ kind: 'refused', status });
        }
        const send = (message: Buffer | string): void => {
          if (over) return;
          if (typeof message === 'string') listener.onText(message);
          else listener.onBinary(message);
        };
        connection = ticker().connect({ send, cut }, query.get('access_token') ?? '');
        listener.onOpen();
      });
      return {
        send: (text) => void (over || connection?.heard(text)),
        close() {
          over = true;
          connection?.left();
        },
      };
    },
  };
}
