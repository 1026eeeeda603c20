import { request as send, type ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { openListeners } from '../../src/compose/listeners.ts';
import type { ServerSettings } from '../../src/config/settings.ts';
import { systemScheduler } from '../../src/platform/clock.ts';
import type { RequestListener } from '../../src/platform/http-server.ts';
import { silentLog } from '../../src/platform/log.ts';

/** The status that a listener answers, or the code of the error. */
function get(url: string): Promise<number | string | undefined> {
  return new Promise((resolve) => {
    const call = send(url, { agent: false }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode));
    });
    call.on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    call.end();
  });
}

/** The main listener answers at once, that of hooks when the test says so. */
async function opened() {
  const held: ServerResponse[] = [];
  const arrived = Promise.withResolvers<void>();
  const main: RequestListener = (_request, response) => void response.end();
  const hooks: RequestListener = (_request, response) => {
    held.push(response);
    arrived.resolve();
  };
  const settings = { host: '127.0.0.1', port: 0, postbackPort: null, hooksPort: 0 };
  const owned = new AsyncDisposableStack();
  let stops = 0;
  const urls = await openListeners(
    { main, postback: main, hooks },
    settings as unknown as ServerSettings,
    {
      ...{ log: silentLog, scheduler: systemScheduler, owned },
      beforeClose: () => void (stops += 1),
      ...{ onMainPort: () => undefined, begin: () => undefined },
    },
  );
  return { owned, urls, held, arrived: arrived.promise, stops: () => stops };
}

describe('the listeners', () => {
  it('take nothing new once one of them waits for a request to end', async () => {
    const { owned, urls, held, arrived, stops } = await opened();
    expect(await get(urls.url)).toBe(200);
    const last = get(urls.hooksUrl ?? '');
    await arrived;
    const closed = owned.disposeAsync();
    expect(await get(urls.url)).toBe('ECONNREFUSED');
    held[0]?.end();
    expect(await last).toBe(200);
    await closed;
    expect(stops()).toBe(1);
  });

  it('take an address that names 3,000 instruments, and none so long through a tunnel', async () => {
    const { owned, urls } = await opened();
    const names = Array.from({ length: 3_000 }, (_none, index) => `NFO%3ANIFTY26NOV${index}CE`);
    const query = `?instruments=${names.join('%2C')}`;
    expect(await get(`${urls.url}/api/v1/stream${query}`)).toBe(200);
    // 431, or a connection that is closed while the rest of the address is sent.
    expect(await get(`${urls.hooksUrl}${query}`)).not.toBe(200);
    await owned.disposeAsync();
  });
});
