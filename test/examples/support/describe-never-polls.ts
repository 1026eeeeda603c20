import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateway-process.ts';
import { createStage } from '../../support/served.ts';
import { until } from '../../support/until.ts';
import { environmentOf } from './describe-examples.ts';
import type { ExampleLanguage } from './example-language.ts';

const ANSWERED = /\{[^\n]*"msg":"answered"\}/g;

/** The requests that a gateway was sent, by its own log. A stream is logged when it ends. */
function requestsOf(gateways: readonly GatewayProcess[]): readonly string[] {
  const lines = gateways.flatMap((gateway) => gateway.log().match(ANSWERED) ?? []);
  return lines.map((line) => {
    const { method, path } = JSON.parse(line);
    return `${method} ${path}`;
  });
}

/** A strategy that buys once on a price, over a kill of the gateway and a kill of itself. */
export function describeNeverPolls({ language, directory, start }: ExampleLanguage): void {
  describe(`the strategy in ${language} that never polls`, () => {
    it('orders once, and has its fill by an event, over kills of the gateway and of itself', async () => {
      await using stage = await createStage({ sandbox: { seed: 'never polls' } });
      const { kite, exchange, faults } = stage.served.sandbox;
      exchange.setPrice('NSE:INFY', 150_000);
      const settings = {
        APP_ALT_BROKER_ACCESS_TOKEN: kite.loginDirect(),
        APP_ALT_BROKER_TICKER_URL: stage.served.tickerUrl,
      };
      await using first = await startGateway(stage, settings);
      const file = join(directory(), 'never-polls.json');
      const watch = () =>
        start(
          'never-polls',
          { below: '1490', broker: 'alt', file },
          ['NSE:INFY', '5'],
          environmentOf(first.url),
        );

      // The broker takes the order, its answer is lost, and its book does not show the order yet.
      faults.add({ broker: 'kite', kind: 'reset_after', match: { path: '/orders/regular' } });
      const match = { method: 'GET', path: /^\/(orders|trades)/ };
      const params = { delayMs: 600_000 };
      const hidden = faults.add({ broker: 'kite', kind: 'late_rows', match, params });
      await using strategy = watch();
      await until('it watches the price', () => strategy.stdout.includes('watching NSE:INFY'));
      exchange.setPrice('NSE:INFY', 148_500);
      await until('its order is uncertain', () => strategy.stdout.includes(': uncertain'));

      first.kill('SIGKILL');
      await first.exited;
      const port = new URL(first.url).port;
      await using second = await startGateway(stage, { ...settings, APP_PORT: port });
      faults.remove(hidden);
      const isFilled = (text: string) =>
        text.includes(': bought 5 at 1485') && /: filled$/m.test(text);
      await until('its fill has come by an event', () => isFilled(strategy.stdout));
      // What is told before it is kept is told again: events come at least once.
      await until('it has kept that', () => readFileSync(file, 'utf8').includes('"filled"'));
      const killed = await strategy.end('SIGKILL');
      expect(killed.stderr).toBe('');
      expect(killed.stdout.match(/bought/g)).toHaveLength(1);
      expect(killed.stdout).toContain('no price is that of now');

      // The price is still there. With its file it knows that it has bought, and without it the key does.
      await using again = watch();
      await until('it has seen the price', () => again.stdout.includes('NSE:INFY 1485'));
      const stopped = await again.end('SIGINT');
      expect(stopped).toMatchObject({ code: 0, stderr: '' });
      expect(stopped.stdout).not.toMatch(/bought|is placed|was placed/);
      expect(stopped.stdout).toMatch(/\nstopped: .*\n {2}dip NSE:INFY 1490 .*: filled\n$/);
      rmSync(file);
      await using forgetful = watch();
      await until('it is told of its order', () => forgetful.stdout.includes(', filled'));
      expect(await forgetful.end('SIGINT')).toMatchObject({ code: 0, stderr: '' });

      expect(kite.orders()).toHaveLength(1);
      second.kill('SIGTERM');
      await second.exited;
      const requests = requestsOf([first, second]);
      const streams = requests.filter((each) => /^GET \/api\/v1\/(events|stream)$/.test(each));
      expect(requests.filter((each) => !streams.includes(each))).toEqual([
        // Where the file was not there, it read once from where to follow.
        ...['GET /api/v1/orders', 'POST /api/v1/orders'],
        ...['GET /api/v1/orders', 'POST /api/v1/orders'],
      ]);
    });
  });
}
