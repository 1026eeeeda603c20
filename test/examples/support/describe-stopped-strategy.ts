import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createStage, serveGateway } from '../../support/served.ts';
import { until } from '../../support/until.ts';
import { environmentOf } from './describe-examples.ts';
import type { ExampleLanguage } from './example-language.ts';
import { createStreamProxy } from './stream-proxy.ts';

/** The strategy that never polls, at prices that are not those of now, and over a time in which it does not run. */
export function describeStoppedStrategy({ language, directory, start }: ExampleLanguage): void {
  describe(`the strategy in ${language} that never polls`, () => {
    it('buys at no stale price, and has a fill that came while it was not running', async () => {
      await using stage = await createStage({ sandbox: { seed: 'never polls, stale' } });
      const { kite, exchange } = stage.served.sandbox;
      exchange.setPrice('NSE:INFY', 150_000);
      await using gateway = await serveGateway(stage, {
        APP_ALT_BROKER_ACCESS_TOKEN: kite.loginDirect(),
        APP_ALT_BROKER_TICKER_URL: stage.served.tickerUrl,
      });
      await using proxy = await createStreamProxy(gateway.url);
      const file = join(directory(), 'never-polls-stale.json');
      const options = { below: '1490', broker: 'alt', file };
      const watch = () =>
        start('never-polls', options, ['NSE:INFY', '5'], environmentOf(proxy.url));
      const told = { instrument: 'NSE:INFY', lastPrice: 1_480 };

      await using first = watch();
      await until('it has a price', () => first.stdout.includes('NSE:INFY 1500'));
      proxy.tell({ ...told, stale: true });
      // It shows a price after it has decided about it.
      await until('it has looked at it', () => first.stdout.includes('NSE:INFY 1480 STALE'));
      expect(kite.orders()).toEqual([]);

      // The market is above the limit, so that the order rests.
      proxy.tell({ ...told, stale: false });
      await until('it rests', () => readFileSync(file, 'utf8').includes('"working"'));
      await first.end('SIGKILL');
      exchange.setPrice('NSE:INFY', 148_500);
      await until('the gateway knows that it is filled', async () => {
        const { body } = await gateway.client.get('/api/v1/orders');
        return body.data[0]?.status === 'filled';
      });
      await using second = watch();
      await until(
        'it is told',
        () => /: bought 5 at/.test(second.stdout) && /: filled$/m.test(second.stdout),
      );
      expect((await second.end('SIGINT')).code).toBe(0);
      expect(`${first.stdout}${second.stdout}`.match(/bought/g)).toHaveLength(1);
      expect(kite.orders()).toHaveLength(1);
    });
  });
}
