import { describe, expect, it } from 'vitest';
import { createStage, type ServedGateway, serveGateway } from '../../support/served.ts';
import { environmentOf, type ExampleLanguage } from './describe-examples.ts';

const HOUR = 3_600_000;
const inIst = (ms: number): string => new Date(ms + 5.5 * HOUR).toISOString().slice(0, 16);

/** Hours of the last days at which the short average was above the long one, and below it. */
async function crossings({ client }: ServedGateway): Promise<{ above: number; below: number }> {
  const latest = Date.now();
  let above: number | null = null;
  let below: number | null = null;
  for (let now = latest; above === null || below === null; now -= HOUR) {
    if (latest - now > 96 * HOUR) throw new Error('the averages do not cross');
    const range = `from=${inIst(now - 168 * HOUR)}&to=${inIst(now)}`;
    const path = `/api/v1/candles?instrument=NSE:INFY&interval=5minute&${range}`;
    const { body } = await client.get(path);
    const closes: number[] = body.data.slice(0, -1).map(({ close }: { close: number }) => close);
    const mean = (count: number) =>
      closes.slice(-count).reduce((sum, each) => sum + each, 0) / count;
    if (closes.length < 20) continue;
    if (mean(5) > mean(20)) above ??= now;
    if (mean(5) < mean(20)) below ??= now;
  }
  return { above, below };
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
