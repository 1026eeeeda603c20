import { request as httpRequest, createServer } from 'node:http';
import { duplexPair } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { TRADINGVIEW } from '../signals/support/templates.ts';
import { alertAt, hookRig, ordersOf } from './hooks.ts';

describe('an alert that came through two proxies', () => {
  it('is taken where each has added a line of its own: the last one counts', async () => {
    await using both = await hookRig({
      hook: { addresses: ['52.89.214.238'] },
      rig: { environment: { APP_HOOKS_FORWARDED_HEADER: 'X-Forwarded-For' } },
    });
    const { rig, hook } = both;
    const server = createServer(rig.composed.apps.hooks);
    const status = new Promise<number>((resolve) => {
      const [clientSide, serverSide] = duplexPair();
      server.emit('connection', serverSide);
      const outgoing = httpRequest(
        {
          ...{ method: 'POST', path: hook.path, createConnection: () => clientSide as never },
          headers: { host: '127.0.0.1:8422', 'x-forwarded-for': ['1.2.3.4', '52.89.214.238'] },
        },
        (incoming) => {
          incoming.resume();
          resolve(incoming.statusCode ?? 0);
        },
      );
      outgoing.end(JSON.stringify(alertAt(rig)));
    });
    expect(await rig.time.settle(status)).toBe(202);
  });
});

describe('two alerts whose ids are numbers of many digits behind the point', () => {
  it('are not taken for one: the first is refused, or both are placed', async () => {
    await using both = await hookRig({ hook: { template: { ...TRADINGVIEW, id: '{id}' } } });
    const { rig, hook } = both;
    const at = new Date(rig.time.now()).toISOString();
    const codes: number[] = [];
    for (const id of ['1763871234.12345678', '1763871234.12345679']) {
      const text = `{"id":${id},"action":"buy","exchange":"NSE","ticker":"INFY","quantity":1,"at":"${at}"}`;
      codes.push((await hook.post(text)).status);
    }
    await rig.time.advance(3_000);
    const placed = (await ordersOf(rig)).length;
    expect(placed).toBe(codes.filter((code) => code === 202).length);
  });
});
