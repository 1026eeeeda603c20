import { describe, expect, it } from 'vitest';
import { ENDINGS } from '../../../src/routes/price-session.ts';
import { createStage, serveGateway } from '../../support/served.ts';
import { until } from '../../support/until.ts';
import { environmentOf } from './describe-examples.ts';
import type { ExampleLanguage } from './example-language.ts';
import { createStreamProxy, type StreamProxy } from './stream-proxy.ts';

const LEVELS = ['NSE:INFY=1450', 'TCS=3900'];

/** A gateway with a ticker, prices at 1500 and 4000, and a proxy in front of it. */
async function staged() {
  const stage = await createStage({ sandbox: { seed: 'price alarm' } });
  const { exchange, kite, faults } = stage.served.sandbox;
  exchange.setPrice('NSE:INFY', 150_000);
  exchange.setPrice('NSE:TCS', 400_000);
  const gateway = await serveGateway(stage, {
    APP_ALT_BROKER_ACCESS_TOKEN: kite.loginDirect(),
    APP_ALT_BROKER_TICKER_URL: stage.served.tickerUrl,
  });
  const proxy = await createStreamProxy(gateway.url);
  return {
    ...{ exchange, faults, gateway, proxy, environment: environmentOf(proxy.url) },
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await gateway[Symbol.asyncDispose]();
      await stage[Symbol.asyncDispose]();
    },
  };
}

/** Prices over WebSocket, where the real gateway tells them and a proxy cuts connections. */
export function describePriceAlarm({ language, start }: ExampleLanguage): void {
  describe(`the price alarm in ${language}`, () => {
    it('tells once of each level, over a feed that changes, a cut and an end as a slow reader', async () => {
      await using at = await staged();
      const { exchange, proxy, faults } = at;
      await using alarm = start('price-alarm', {}, LEVELS, at.environment);
      const told = (pattern: RegExp): number => alarm.stdout.match(pattern)?.length ?? 0;
      const FROM_TICKS = /^NSE:INFY.*: ticks of alt$/gm;
      const POLLED = /^NSE:INFY.*: polling of/gm;
      const LOST = /^the connection was lost/gm;
      await until('it has a snapshot', () => told(/^NSE:INFY 1500$/gm) > 0);
      await until('it has ticks', () => told(FROM_TICKS) > 0);
      exchange.setPrice('NSE:INFY', 151_700);
      await until('it has an update', () => told(/^NSE:INFY 1517$/gm) > 0);

      const [polled, ticked] = [told(POLLED), told(FROM_TICKS)];
      faults.add({ broker: 'kite', kind: 'ticker_cut', times: 1 });
      await until('ticks have become polling', () => told(POLLED) > polled);
      await until('there are ticks again', () => told(FROM_TICKS) > ticked);

      proxy.tell({ instrument: 'NSE:INFY', lastPrice: 1_402, stale: true });
      await until('it was told a stale price', () => told(/^NSE:INFY 1402 STALE$/gm) > 0);
      expect(alarm.stdout).not.toContain('ALARM');

      proxy.cut();
      await until('it knows of the cut', () => told(LOST) === 1);
      await until('it is connected again', () => proxy.open === 1);
      exchange.setPrice('NSE:INFY', 144_000);
      await until(
        'it tells of the first',
        () => told(/^ALARM: NSE:INFY is at 1440, .*1450/gm) === 1,
      );
      await until('it unsubscribes', () => sentBy(proxy).at(-1) === 'unsubscribe NSE:INFY');

      proxy.end('slow_consumer');
      await until('it knows why', () =>
        alarm.stderr.includes(`slow_consumer: ${ENDINGS.slow_consumer}`),
      );
      await until('it is connected again', () => proxy.open === 1);
      exchange.setPrice('NSE:INFY', 143_000);
      exchange.setPrice('NSE:TCS', 389_000);
      const ran = await until('it has ended', () => alarm.ran);
      expect(ran.code).toBe(0);
      expect(ran.stderr.trim().split('\n')).toHaveLength(1);
      expect(told(LOST)).toBe(2);
      expect(alarm.stdout.match(/^ALARM.*/gm)).toEqual([
        'ALARM: NSE:INFY is at 1440, which is 1450 or below',
        'ALARM: NSE:TCS is at 3890, which is 3900 or below',
      ]);
      // Each connection begins with what is still to be told of.
      expect(sentBy(proxy)).toEqual([
        ...Array<string>(2).fill('subscribe NSE:INFY,TCS'),
        'unsubscribe NSE:INFY',
        'subscribe TCS',
        'unsubscribe TCS',
      ]);
      checkAddresses(proxy.addresses, 3);
    });

    it('ends where its key is revoked', async () => {
      await using at = await staged();
      const made = await at.gateway.client.post('/api/v1/keys', { name: 'alarm', scope: 'read' });
      const { id, key } = made.body.data;
      const environment = { ...at.environment, GATEWAY_KEY: key };
      await using alarm = start('price-alarm', {}, LEVELS, environment);
      await until('it has a snapshot', () => alarm.stdout.includes('NSE:INFY 1500'));
      await at.gateway.client.delete(`/api/v1/keys/${id}`);
      const ran = await until('it has ended', () => alarm.ran);
      expect(ran.code).toBe(1);
      expect(ran.stderr).toMatch(/^key_revoked: The key of this stream is no longer valid/);
      expect(ran.stderr).toMatch(/\(unauthorized\)/);
      checkAddresses(at.proxy.addresses, 1);
    });

    it('says which instrument is none, and waits for no alarm', async () => {
      await using at = await staged();
      await using alarm = start('price-alarm', {}, [...LEVELS, 'NSE:GHOST=1'], at.environment);
      const ran = await until('it has ended', () => alarm.ran);
      expect(ran.code).toBe(1);
      expect(ran.stderr).toContain('no instrument is named NSE:GHOST');
    });
  });
}

/** What programs have sent on their connections, each message as a line. */
const sentBy = ({ sent }: StreamProxy): readonly string[] =>
  sent.map(({ action, instruments }) => `${action} ${instruments.join()}`);

/** So many connections, each by a ticket of its own, and nothing else was asked for; no address has the key. */
function checkAddresses(addresses: readonly string[], connections: number): void {
  const tickets = addresses.flatMap(
    (each) => /^GET \/api\/v1\/stream\?ticket=(tkt_\w+)$/.exec(each)?.[1] ?? [],
  );
  expect(new Set(tickets).size).toBe(connections);
  const others = new Set(
    addresses.filter((each) => !each.startsWith('GET /api/v1/stream?ticket=')),
  );
  expect([...others]).toEqual(['POST /api/v1/stream/tickets']);
  expect(addresses.join()).not.toContain('abg_');
}
