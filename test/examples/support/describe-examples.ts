import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { logInOverSockets } from '../../support/socket-client.ts';
import { ADMIN_KEY, createStage, type ServedGateway, serveGateway } from '../../support/served.ts';
import type { Ran } from '../../packaging/support/installed-package.ts';
import { createCuttingProxy } from './cutting-proxy.ts';
import type { ExampleLanguage } from './example-language.ts';

/** The same programs in each language have to do the same, on paper and at the sandbox's Kite. */
export function describeExamples({ language, directory, run }: ExampleLanguage): void {
  const started = async () => {
    const stage = await createStage({ sandbox: { seed: 'examples' } });
    const gateway = await serveGateway(stage);
    return {
      ...{ stage, gateway, environment: environmentOf(gateway.url) },
      async [Symbol.asyncDispose]() {
        await gateway[Symbol.asyncDispose]();
        await stage[Symbol.asyncDispose]();
      },
    };
  };

  describe(`the examples in ${language}`, () => {
    it('read prices', async () => {
      await using at = await started();
      const ran = await run('quotes', {}, ['NSE:INFY', 'NSE:TCS'], at.environment);
      expect(ran).toMatchObject({ code: 0, stderr: '' });
      expect(ran.stdout).toMatch(/^from primary, \d+ ms old\nNSE:INFY \d+.*\nNSE:TCS \d+/);
    });

    it('show prices as they come', async () => {
      await using at = await started();
      checkStreamed(await run('stream-prices', { seconds: '3' }, STREAMED, at.environment));
    });

    it.each(['paper', 'alt'])('place an order at %s and watch it, or cancel it', async (broker) => {
      await using at = await started();
      if (broker === 'alt') await logInOverSockets(at.gateway.url);
      const last = await lastPrice(at.gateway);
      const place = (price: number, environment = at.environment) =>
        run(
          'place-and-watch',
          { broker, seconds: '2', price: price.toFixed(2) },
          ['NSE:INFY', '3'],
          environment,
        );
      // Far above the market it fills at once, and far below it rests.
      const filled = await place(tick(last * 1.02));
      expect(filled).toMatchObject({ code: 0, stderr: '' });
      expect(filled.stdout).toContain(`at ${broker} (${broker === 'paper' ? 'paper' : 'live'})`);
      expect(filled.stdout).toMatch(/filled: 3 of 3/);
      await using proxy = await createCuttingProxy(at.gateway.url);
      const rested = await place(tick(last * 0.97), environmentOf(proxy.url));
      expect(rested).toMatchObject({ code: 0, stderr: '' });
      expect(rested.stdout).toMatch(/still working.*: cancelling\ncancelled: 0 of 3/);
      // Between the order and the cancel, the order was watched.
      expect(proxy.methods.join(' ')).toMatch(/^(GET )*POST (GET )+DELETE( GET)*$/);
      const refused = await place(last + 0.013);
      expect(refused).toMatchObject({ code: 1, stdout: '' });
      expect(refused.stderr).toMatch(/^not placed: .*price_off_tick/s);
    });

    it.each(['paper', 'alt'])('place once at %s, though every answer is cut', async (broker) => {
      await using at = await started();
      if (broker === 'alt') await logInOverSockets(at.gateway.url);
      await using proxy = await createCuttingProxy(at.gateway.url);
      const file = join(directory(), `intent-${broker}.json`);
      const place = () =>
        run(
          'retry-safely',
          { broker, patience: '0.9', file },
          ['NSE:INFY', '2'],
          environmentOf(proxy.url),
        );
      proxy.cutsAnswers = true;
      const lost = await place();
      expect(lost).toMatchObject({ code: 2, stdout: '' });
      expect(lost.stderr).toMatch(/^not known whether it is placed: start this again/);
      expect(existsSync(file)).toBe(true);
      proxy.cutsAnswers = false;
      const found = await place();
      expect(found).toMatchObject({ code: 0, stderr: '' });
      expect(found.stdout).toMatch(/^asking again about the order with the key/);
      expect(existsSync(file)).toBe(false);
      // The first program repeated by itself, and the second one once more: the same bytes each time.
      expect(proxy.posts.length).toBeGreaterThan(2);
      expect(new Set(proxy.posts.map(({ key, body }) => `${key} ${body}`)).size).toBe(1);
      const listed = (await at.gateway.client.get('/api/v1/orders')).body.data;
      expect(listed).toHaveLength(1);
      expect(found.stdout).toContain(listed[0].id);
    });

    it('leave everything: open orders and positions', async () => {
      await using at = await started();
      const last = await lastPrice(at.gateway);
      const base = { instrument: 'NSE:INFY', side: 'BUY', quantity: 4, broker: 'paper' };
      const order = { ...base, product: 'INTRADAY' };
      await at.gateway.client.place({ ...order, orderType: 'MARKET' }, 'held');
      const price = tick(last * 0.97);
      await at.gateway.client.place({ ...order, orderType: 'LIMIT', price }, 'resting');
      const ran = await run('exit-everything', { broker: 'paper' }, [], at.environment);
      expect(ran).toMatchObject({ code: 0, stderr: '' });
      expect(ran.stdout).toMatch(/1 open orders: none is open any more/);
      expect(ran.stdout).toMatch(/NSE:INFY at paper: flat/);
      const { body } = await at.gateway.client.get('/api/v1/positions?broker=paper&maxAgeMs=0');
      expect(body.data.map(({ quantity }: { quantity: number }) => quantity)).toEqual([0]);
    });
  });
}

const STREAMED = ['NSE:INFY', 'NSE:GHOST'];

function checkStreamed(ran: Ran): void {
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  const [refused, feed, ...prices] = ran.stdout.trim().split('\n');
  expect(refused).toMatch(/^NSE:GHOST is refused: no instrument is named NSE:GHOST/);
  expect(feed).toBe('NSE:INFY: polling of primary');
  expect(prices.length).toBeGreaterThan(1);
  for (const price of prices) expect(price).toMatch(/^NSE:INFY \d+(\.\d+)?$/);
}

export const environmentOf = (url: string) => ({ GATEWAY: url, GATEWAY_KEY: ADMIN_KEY });

const tick = (price: number): number => Math.round(price * 10) / 10;

async function lastPrice({ client }: ServedGateway): Promise<number> {
  const { body } = await client.get('/api/v1/quotes?instruments=NSE:INFY');
  return body.data['NSE:INFY'].lastPrice;
}
