import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { describe, expect, it } from 'vitest';
import { whenClosed } from '../../src/routes/answers.ts';

describe('the close of a connection', () => {
  it.each([
    ['before it is asked for', true],
    ['after it is asked for', false],
  ])('is told where it came %s', async (_, isBefore) => {
    const app = express();
    const arrived = Promise.withResolvers<void>();
    const told = Promise.withResolvers<void>();
    app.get('/', (_request, response) => {
      const listen = (): void => whenClosed(response, told.resolve);
      if (isBefore) response.once('close', () => setImmediate(listen));
      else listen();
      arrived.resolve();
    });
    const server = createServer(app);
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const call = get({ host: '127.0.0.1', port, agent: false });
    call.on('error', () => undefined);
    await arrived.promise;
    call.destroy();
    await told.promise;
    await new Promise<void>((resolve) => void server.close(() => resolve()));
    expect(server.listening).toBe(false);
  });
});
