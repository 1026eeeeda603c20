import { describe, expect, it } from 'vitest';
import { createStage, type ServedGateway, serveGateway } from '../../support/served.ts';
import { environmentOf } from './describe-examples.ts';
import type { ExampleLanguage } from './example-language.ts';

const HOUR = 3_600_000;
const inIst = (ms: number): string => new Date(ms + 5.5 * HOUR).toISOString().slice(0, 16);

/** Instants of the last days after which the short average was above the long one, and below it. */
async function crossings({ client }: ServedGateway): Promise<{ above: number; below: number }> {
  const now = Date.now();
  const range = `from=${inIst(now - 168 * HOUR)}&to=${inIst(now - HOUR)}`;
  const path = `/api/v1/candles?instrument=NSE:INFY&interval=5minute&${range}`;
  const { status, body } = await client.get(path);
  if (status !== 200) throw new Error(`no candles: ${JSON.stringify(body)}`);
  const candles: readonly { readonly at: string; readonly close: number }[] = body.data;
  const find = (isRight: (short: number, long: number) => boolean): number => {
    const index = candles.findLastIndex((_, at) => {
      const closes = candles.slice(0, at + 1).map(({ close }) => close);
      const mean = (count: number) =>
        closes.slice(-count).reduce((sum, each) => sum + each, 0) / count;
      return at >= 20 && at + 1 < candles.length && isRight(mean(5), mean(20));
    });
    // A minute into the next candle, which is then the one that is still being made.
    return Date.parse(candles[index + 1]?.at ?? expect.fail('the averages do not cross')) + 60_000;
  };
  return { above: find((short, long) => short > long), below: find((short, long) => short < long) };
}

/** The strategy of the examples: bought and sold by its averages, once for each candle. */
export function describeMovingAverage({ run }: ExampleLanguage): void {
  describe('the moving average of the examples', () => {
    it('buys above, sells below, and does nothing twice', async () => {
      await using stage = await createStage({ sandbox: { seed: 'averages' } });
      await using gateway = await serveGateway(stage);
      const { above, below } = await crossings(gateway);
      const decide = async (now: number) => {
        const environment = environmentOf(gateway.url);
        const ran = await run(
          'moving-average',
          { now: String(now) },
          ['NSE:INFY', '7'],
          environment,
        );
        expect(ran).toMatchObject({ code: 0, stderr: '' });
        return ran.stdout.trim();
      };
      expect(await decide(below)).toMatch(/, 0 held: nothing to do$/);
      expect(await decide(above)).toMatch(/, 0 held: BUY filled$/);
      expect(await decide(above)).toMatch(/, 7 held: nothing to do$/);
      expect(await decide(below)).toMatch(/, 7 held: SELL filled$/);
      expect(await decide(below)).toMatch(/, 0 held: nothing to do$/);
      // The same candle once more: its key is used, and nothing is ordered.
      expect(await decide(above)).toMatch(/, 0 held: BUY filled, ordered before$/);
      expect((await gateway.client.get('/api/v1/orders')).body.data).toHaveLength(2);
    });
  });
}
