import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createStage, serveGateway } from '../support/served.ts';
import { until } from '../support/until.ts';

/** As docs/security.md has them. */
const MOST = { main: 512, postback: 256, hooks: 64 };
const ABOVE = 20;

describe.each(['main', 'postback', 'hooks'] as const)(
  'the %s listener, when somebody opens connections without end',
  (name) => {
    it('closes as many as are above its limit, and keeps the other listeners free', async () => {
      await using stage = await createStage();
      await using gateway = await serveGateway(stage, { APP_HOOKS_PORT: '0' });
      const urls = {
        ...{ main: gateway.url, postback: gateway.postbackUrl, hooks: String(gateway.hooksUrl) },
      };
      const { port, hostname } = new URL(urls[name]);
      const sockets: Socket[] = [];
      let closed = 0;
      try {
        for (let count = 0; count < MOST[name] + ABOVE; count += 1) {
          const socket = connect(Number(port), hostname).resume();
          socket.on('error', () => undefined).once('close', () => (closed += 1));
          sockets.push(socket);
        }
        await until('those above the limit are closed', () => closed >= ABOVE);
        const others = [
          ...(name === 'main' ? [] : [`${gateway.url}/health/live`]),
          ...(name === 'postback' ? [] : [gateway.postbackUrl]),
          ...(name === 'hooks' ? [] : [`${urls.hooks}doctor`]),
        ];
        for (const url of others) expect((await fetch(url)).status, url).toBeLessThan(500);
        if (name !== 'main') {
          const replies = await Promise.all(
            Array.from({ length: 50 }, () => gateway.client.get('/health/live')),
          );
          expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
        }
        expect(closed).toBe(ABOVE);
      } finally {
        for (const socket of sockets) socket.destroy();
      }
    });
  },
);
