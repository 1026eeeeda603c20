import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { WebSocketServer } from 'ws';
import { heartbeat, messageOf, packetOf, type TickerMode } from '../sandbox/kite/tick-packets.ts';
import { stampNow } from './tick-stamps.ts';

/**
 * A ticker as busy as a market: it sends each instrument that is subscribed to so many times a second, evenly
 * spread. The price of a tick is the time at which it was sent, so that readers can tell how long it took.
 */
const { ticksASecond } = workerData as { readonly ticksASecond: number };
const EVERY_MS = 20;

const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
await once(server, 'listening');

server.on('connection', (socket) => {
  const modes = new Map<number, TickerMode>();
  let tokens: readonly number[] = [];
  let next = 0;
  let owed = 0;
  socket.on('message', (text) => {
    const { a, v } = JSON.parse(String(text)) as { a: string; v: unknown };
    if (a === 'subscribe') for (const token of v as number[]) modes.set(token, 'quote');
    if (a === 'unsubscribe') for (const token of v as number[]) modes.delete(token);
    if (a === 'mode') {
      const [mode, named] = v as [TickerMode, number[]];
      for (const token of named) modes.set(token, mode);
    }
    tokens = [...modes.keys()];
  });
  let begun = performance.now();
  const ticking = setInterval(() => {
    const now = performance.now();
    owed = Math.min(tokens.length, owed + (tokens.length * ticksASecond * (now - begun)) / 1_000);
    begun = now;
    const packets: Buffer[] = [];
    const last = stampNow();
    const figures = { index: false, last, open: 100, high: 100, low: 100, close: 100 };
    const more = { volume: 1, average: 100, at: 1_700_000_000, bids: [], asks: [] };
    for (; owed >= 1; owed -= 1) {
      const token = tokens[(next = (next + 1) % tokens.length)] ?? 0;
      packets.push(packetOf({ token, ...figures, ...more }, modes.get(token) ?? 'quote'));
    }
    if (packets.length > 0) socket.send(messageOf(packets));
  }, EVERY_MS);
  const beating = setInterval(() => socket.send(heartbeat), 1_000);
  socket.on('close', () => {
    clearInterval(ticking);
    clearInterval(beating);
  });
  socket.on('error', () => undefined);
});

parentPort?.postMessage(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
