import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * The most open connections of a server. A further one takes the place of one on which nobody waits for an
 * answer: a client that has something to ask must get in, however many others keep connections open and
 * say nothing. In this order, the oldest first: connections that have never sent a whole request head,
 * those that are idle since their last answer, and those whose request is still arriving, of which nothing
 * has been carried out. Where every connection waits for an answer, the further one is closed unread.
 */
export interface ConnectionLimit {
  /** To be called with each request, before it is handled. */
  note(request: IncomingMessage, response: ServerResponse): void;
}

/** `onFull` is called whenever a connection was closed for the limit. */
export function limitConnections(
  server: Server,
  most: number,
  onFull: () => void,
): ConnectionLimit {
  const silent = new Set<Socket>();
  const idle = new Set<Socket>();
  const asking = new Map<Socket, Set<IncomingMessage>>();

  function stillArriving(): Socket | undefined {
    for (const [socket, requests] of asking) {
      if ([...requests].every((request) => !request.complete)) return socket;
    }
    return undefined;
  }

  function forget(socket: Socket): void {
    silent.delete(socket);
    idle.delete(socket);
    asking.delete(socket);
  }

  const close = (socket: Socket): void => {
    forget(socket);
    socket.destroy();
  };

  server.on('connection', (socket: Socket) => {
    if (silent.size + idle.size + asking.size >= most) {
      onFull();
      const [replaced = stillArriving()] = [...silent, ...idle];
      if (replaced === undefined) {
        socket.destroy();
        return;
      }
      close(replaced);
    }
    silent.add(socket);
    socket.once('close', () => forget(socket));
  });

  return {
    note(request, response) {
      const { socket } = request;
      if (socket.destroyed) return;
      silent.delete(socket);
      idle.delete(socket);
      const requests = asking.get(socket) ?? new Set();
      asking.set(socket, requests.add(request));
      response.once('close', () => {
        requests.delete(request);
        if (requests.size > 0 || asking.get(socket) !== requests) return;
        asking.delete(socket);
        if (!socket.destroyed) idle.add(socket);
      });
    },
  };
}
