import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KEYS, startApp, type Harness } from './support/harness.ts';

let app: Harness;
beforeEach(async () => void (app = await startApp()));
afterEach(async () => {
  expect(app.fake.calls).toEqual([]);
  await app.close();
});

const LENGTH = 'Content-Length: 300000000\r\n\r\n';
const CHUNKED = `Transfer-Encoding: chunked\r\n\r\n${(400_000).toString(16)}\r\n`;

/** The answer to a request whose body does not end: only a part of it is sent. */
function answerTo(url: string, path: string, rest: string): Promise<string> {
  const { hostname, port, host } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    socket.once('error', reject);
    socket.once('data', (data) => {
      resolve(String(data));
      socket.destroy();
    });
    const head = `Host: ${host}\r\nAuthorization: ${KEYS.trade}\r\nContent-Type: application/json\r\n`;
    socket.write(`POST ${path} HTTP/1.1\r\n${head}${rest}`);
  });
}

describe('a body above the limit', () => {
  it.each([
    ['orders, from its declared length', '/api/v1/orders', LENGTH],
    ['orders, from its first 256 KiB', '/api/v1/orders', CHUNKED + ' '.repeat(300_000)],
    ['the kill switch', '/api/v1/kill-switch', LENGTH],
    ['postbacks, from its declared length', '/api/altbroker/postback', LENGTH],
    ['postbacks, from its first 64 KiB', '/api/altbroker/postback', CHUNKED + 'x'.repeat(70_000)],
  ])('is answered 413 before it has arrived: %s', async (_name, path, rest) => {
    const listener = path.includes('altbroker') ? app.postbackUrl : app.url;
    const answer = await answerTo(listener, path, rest);
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
    expect(answer).toContain('"code":"body_too_large"');
  });
});
