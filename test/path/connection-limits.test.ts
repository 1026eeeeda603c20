import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createStage, serveGateway } from '../support/served.ts';
import { until } from '../support/until.ts';

const MOST_POSTBACK_CONNECTIONS = 256;

describe('the postback listener, when somebody opens connections without end', () => {
  it('keeps the main listener free, and closes as many as are above its limit', async () => {
    await using stage = await createStage();
    await using gateway = await serveGateway(stage);
    const { port, hostname } = new URL(gateway.postbackUrl);
    const sockets: Socket[] = [];
    let closed = 0;
    for (let count = 0; count < MOST_POSTBACK_CONNECTIONS + 20; count += 1) {
      const socket = connect(Number(port), hostname).resume();
      socket.on('error', () => undefined).once('close', () => (closed += 1));
      sockets.push(socket);
    }
    try {
      await until('those above the limit are closed', () => closed === 20);
      const replies = await Promise.all(
        Array.from({ length: 50 }, () => gateway.client.get('/health/live')),
      );
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
      expect(closed).toBe(20);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });
});
