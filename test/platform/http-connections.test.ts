import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createOneUseConnections,
  type OneUseConnections,
} from '../../src/platform/http-connections.ts';
import { drain } from '../support/virtual-time.ts';
import { handScheduler, loopback, type HandScheduler, type Loopback } from './support/loopback.ts';
import { epochMs, elapsedMs } from '../../src/units/branded.ts';

let scheduler: HandScheduler;
let connections: OneUseConnections;
let elapsed: number;
beforeEach(() => {
  scheduler = handScheduler();
  elapsed = 1_000;
  connections = createOneUseConnections(scheduler, {
    now: () => epochMs(elapsed),
    elapsed: () => elapsedMs(elapsed),
  });
});
afterEach(() => connections.close());

const quiet = (): void => undefined;

const seen = async (server: Loopback, count: number): Promise<void> => {
  while (server.connections() < count) await drain();
  await drain(10);
  expect(server.connections()).toBe(count);
};

const take = async (server: Loopback): Promise<void> => {
  (await connections.take(server.origin, false)).destroy();
};

describe('a waiting connection', () => {
  it('is too old after a second, also when its timer is late', async () => {
    await using server = await loopback(quiet);
    connections.openAhead(server.origin, false);
    await seen(server, 1);
    elapsed += 1_001;
    await take(server);
    await seen(server, 2);
  });

  it('is not too old before', async () => {
    await using server = await loopback(quiet);
    connections.openAhead(server.origin, false);
    await seen(server, 1);
    elapsed += 1_000;
    await take(server);
    await seen(server, 1);
  });
});

describe('a spare connection', () => {
  /** One connection has been taken, and a spare one is open. */
  const withSpare = async (server: Loopback): Promise<void> => {
    connections.openAhead(server.origin, false);
    await seen(server, 1);
    await take(server);
    scheduler.expire([1]);
    await seen(server, 2);
  };

  it('is kept for a request that is announced within half a second', async () => {
    await using server = await loopback(quiet);
    await withSpare(server);
    elapsed += 500;
    connections.openAhead(server.origin, false);
    await seen(server, 2);
    elapsed += 499;
    await take(server);
    await seen(server, 2);
  });

  it('is not kept for a request announced later, as it may be too old by then', async () => {
    await using server = await loopback(quiet);
    await withSpare(server);
    elapsed += 501;
    connections.openAhead(server.origin, false);
    await seen(server, 3);
    elapsed += 500;
    await take(server);
    await seen(server, 3);
  });

  it('does not count while it is being opened, as it may hang', async () => {
    await using server = await loopback(quiet);
    // A plain HTTP server does not answer the start of a TLS handshake.
    const url = `https://127.0.0.1:${server.port}`;
    connections.openAhead(url, false);
    void connections.take(url, false).catch(quiet);
    scheduler.expire([1]);
    await seen(server, 2);
    connections.openAhead(url, false);
    await seen(server, 3);
    void connections.take(url, false).catch(quiet);
    // The third, which was announced; the second still waits.
    await seen(server, 3);
    void connections.take(url, false).catch(quiet);
    await seen(server, 4);
  });

  it('that is taken leaves the connection opened for its request to another request', async () => {
    await using server = await loopback(quiet);
    await withSpare(server);
    elapsed += 501;
    connections.openAhead(server.origin, false);
    await seen(server, 3);
    // The spare one, because it is older; the third is the spare one from now on.
    await take(server);
    scheduler.expire([1]);
    connections.openAhead(server.origin, false);
    await seen(server, 3);
    await take(server);
    await seen(server, 3);
  });
});
