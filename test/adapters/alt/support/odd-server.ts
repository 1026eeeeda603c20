import type { Socket } from 'node:net';
import { createAltBroker, type AltBroker } from '../../../../src/adapters/alt/index.ts';
import { createHttpTransport } from '../../../../src/platform/http-transport.ts';
import { silentLog } from '../../../../src/platform/log.ts';
import {
  handScheduler,
  loopback,
  reply,
  type HandScheduler,
} from '../../../platform/support/loopback.ts';
import { VirtualTime } from '../../../support/virtual-time.ts';
import { SETTINGS } from './alt-broker.ts';

export const JSON_TYPE = 'content-type: application/json';
export const HTML_TYPE = 'content-type: text/html; charset=utf-8';
export const TOKEN = 'planted-token';

export const envelope = (fields: Record<string, unknown>): string => JSON.stringify(fields);

/** How a server handles a request; `expire` lets the deadline of the call pass. */
export type Act = (socket: Socket, expire: () => void) => void;

export const says =
  (body: string, head: string, ...headers: string[]): Act =>
  (socket) =>
    void socket.write(reply(body, head, ...headers));

export const error = (head: string, fields: Record<string, unknown>): Act =>
  says(envelope({ status: 'error', ...fields }), head, JSON_TYPE);

export const writes =
  (text: string, then: (socket: Socket) => void): Act =>
  (socket) =>
    void socket.write(text, () => then(socket));

export interface OverSockets extends AsyncDisposable {
  readonly broker: AltBroker;
  /** Whole requests as the server got them. */
  readonly requests: readonly string[];
  readonly dead: readonly string[];
  connections(): number;
}

/** The real adapter with the real SDK and the real transport, against a server of raw bytes. */
export async function overSockets(act: Act): Promise<OverSockets> {
  const scheduler = handScheduler();
  // Data that the client has not read when its deadline passes does not matter.
  const expire = (): void => void setImmediate(() => scheduler.expire());
  const server = await loopback((socket) => act(socket, expire));
  const { broker, dead, close } = brokerAt(server.origin, scheduler);
  return {
    broker,
    requests: server.requests,
    dead,
    connections: () => server.connections(),
    async [Symbol.asyncDispose]() {
      await close();
      await server[Symbol.asyncDispose]();
    },
  };
}

export function brokerAt(apiRoot: string, scheduler: HandScheduler = handScheduler()) {
  const time = new VirtualTime('2026-11-20T10:00:00+05:30');
  const transport = createHttpTransport(scheduler);
  const dead: string[] = [];
  const broker = createAltBroker({
    transport,
    clock: time,
    scheduler: time,
    log: silentLog,
    accessToken: () => TOKEN,
    onDeadToken: (token) => void dead.push(token),
    settings: { ...SETTINGS, apiRoot },
  });
  return { broker, dead, close: () => transport.close() };
}
