import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import {
  acceptSocket,
  answerUpgrades,
  MOST_UNREAD_CHARACTERS,
  type ServerSocket,
} from '../../src/platform/http-upgrade.ts';
import { lineOfSocket } from '../../src/routes/price-lines.ts';
import { openSession } from '../../src/routes/price-session.ts';
import { priceBench } from '../support/price-bench.ts';
import { until } from '../support/until.ts';
import { drain, VirtualTime } from '../support/virtual-time.ts';

/** Both sides of a WebSocket over loopback. */
async function connection() {
  const server = createServer();
  let accepted: ServerSocket | null = null;
  answerUpgrades(server, (request, response) =>
    acceptSocket(request, response, {
      open: (socket) => (accepted = socket),
      refused: () => undefined,
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const reader = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const heard: string[] = [];
  reader.on('message', (data) => heard.push(String(data)));
  const socket = await until('the connection is open', () => accepted);
  await until('the reader knows it', () => reader.readyState === reader.OPEN);
  return {
    ...{ reader, socket, heard },
    async [Symbol.asyncDispose]() {
      reader.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const KILOBYTE = 'x'.repeat(1_024);
const send = (socket: ServerSocket, count: number): void => {
  for (let number = 0; number < count; number += 1) socket.send(KILOBYTE, () => undefined);
};

describe('the receipts of a WebSocket', () => {
  it('tell of a reader that takes nothing, and of one that has caught up', async () => {
    await using both = await connection();
    const { reader, socket, heard } = both;
    let caughtUp = 0;
    socket.onCaughtUp(() => (caughtUp += 1));
    reader.pause();
    // The pongs of another time say nothing of what was read.
    for (const id of ['', '0', '2', 'mine']) reader.pong(id);
    send(socket, MOST_UNREAD_CHARACTERS / 1_024 - 1);
    await drain(20);
    expect(socket.isBehind()).toBe(false);
    send(socket, 1);
    await drain(20);
    expect([socket.isBehind(), caughtUp]).toEqual([true, 0]);

    reader.resume();
    await until('it has caught up', () => caughtUp > 0);
    expect([socket.isBehind(), caughtUp]).toEqual([false, 1]);
    await until('all has come', () => heard.length === MOST_UNREAD_CHARACTERS / 1_024);
  });

  it('never hold up a reader that reads, however much it is sent', async () => {
    await using both = await connection();
    const { socket, heard } = both;
    for (let round = 1; round <= 40; round += 1) {
      send(socket, 100);
      await until('the round has come', () => heard.length === round * 100);
      await until('it is not behind', () => !socket.isBehind());
    }
  });

  it('are not waited for while the gateway hears nothing itself', async () => {
    await using both = await connection();
    const { socket } = both;
    socket.pause();
    send(socket, 200);
    expect(socket.isBehind()).toBe(false);
    socket.resume();
    await until('the pongs are heard', () => !socket.isBehind());
  });
});

describe('prices on a WebSocket', () => {
  it('that is not read are kept as the latest ones, though the operating system takes more', async () => {
    await using both = await connection();
    const { reader, socket, heard } = both;
    const time = new VirtualTime('2026-11-06T11:00:00+05:30');
    const bench = priceBench(time);
    const session = openSession(lineOfSocket(socket), {
      ...{ prices: bench.prices, clock: time, scheduler: time, caller: 'key_a' },
      ...{ holds: () => true, onOver: () => undefined },
    });
    const names = Array.from({ length: 100 }, (_, index) => `S${index}`);
    session.subscribe(await session.find(names), 'ltp');
    await until('it is subscribed', () => heard.some((text) => text.includes('"subscribed"')));
    reader.pause();
    const ROUNDS = 100;
    for (let round = 1; round <= ROUNDS; round += 1) {
      for (const name of names) bench.feed.send(`NSE:${name}`, round);
      await time.advance(1);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(socket.isBehind()).toBe(true);
    reader.resume();
    const told = (): { instrument: string; lastPrice: number }[] =>
      heard.flatMap((text) => JSON.parse(text).prices ?? []);
    await until(
      'the latest prices are there',
      () => told().filter(({ lastPrice }) => lastPrice === ROUNDS).length === names.length,
    );
    // A queue would have all of them.
    expect(told().length).toBeLessThan((ROUNDS * names.length) / 2);
  });
});
