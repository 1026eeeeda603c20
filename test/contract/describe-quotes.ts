import { describe, expect, it } from 'vitest';
import { instrumentName } from '../../src/domain/instrument.ts';
import type { BrokerUnderTest, Traits } from './under-test.ts';
import { allInstruments } from '../support/all-instruments.ts';

const unknownTo = ({ infosys }: BrokerUnderTest) => ({
  ...infosys,
  name: instrumentName('NSE', 'NOSUCH'),
  tradingSymbol: 'NOSUCH',
  securityId: '987654321',
  instrumentToken: 987654321,
});

/** Skipped for a broker without market data of its own. */
export function describeQuotes({ make, marketData, masterList }: Traits): void {
  describe.skipIf(!marketData)('quotes', () => {
    it('quotes a known instrument with figures that fit each other', async () => {
      await using under = await make();
      const quotes = await under.time.settle(under.broker.marketData!.quotes([under.infosys]));
      const quote = quotes.get('NSE:INFY')!;
      expect(quote).toMatchObject({ instrument: 'NSE:INFY', lastPrice: 1_500 });
      expect(quote.bid).toBeLessThan(quote.ask!);
      expect(quote.low).toBeLessThanOrEqual(quote.high!);
      expect(quote.lowerCircuit).toBeLessThan(quote.lastPrice);
      expect(quote.upperCircuit).toBeGreaterThan(quote.lastPrice);
      expect(quote.change).toBeCloseTo(quote.lastPrice - quote.previousClose!, 2);
      expect(quote.volume).toBeGreaterThan(0);
    });

    it('shows depth best price first, and the touch as bid and ask', async () => {
      await using under = await make();
      const quotes = await under.time.settle(under.broker.marketData!.quotes([under.infosys]));
      const { depth, bid, ask } = quotes.get('NSE:INFY')!;
      const prices = (levels: readonly { price: number }[]) => levels.map(({ price }) => price);
      const buy = prices(depth!.buy);
      const sell = prices(depth!.sell);
      expect(buy).toEqual(buy.toSorted((left, right) => right - left));
      expect(sell).toEqual(sell.toSorted((left, right) => left - right));
      expect([buy[0], sell[0]]).toEqual([bid, ask]);
    });

    it('leaves out an instrument that it does not know, and no other', async () => {
      await using under = await make();
      const wanted = [unknownTo(under), under.infosys];
      const { marketData: source } = under.broker;
      const quotes = await under.time.settle(source!.quotes(wanted));
      const prices = await under.time.settle(source!.lastPrices(wanted));
      expect([...quotes.keys()]).toEqual(['NSE:INFY']);
      expect([...prices.entries()]).toEqual([
        ['NSE:INFY', { instrument: 'NSE:INFY', lastPrice: 1_500 }],
      ]);
    });

    it('says once when the request of a call leaves', async () => {
      await using under = await make();
      const { marketData: source } = under.broker;
      let left = 0;
      const leaves = (): void => {
        left += 1;
      };
      await under.time.settle(source!.quotes([under.infosys], leaves));
      expect(left).toBe(1);
      await under.time.settle(source!.lastPrices([under.infosys], leaves));
      expect(left).toBe(2);
    });
  });

  describe.skipIf(!masterList)('the master list', () => {
    it('names instruments canonically', async () => {
      await using under = await make();
      const list = await under.time.settle(allInstruments(under.broker.instruments!));
      const infosys = list.find(({ name }) => name === 'NSE:INFY');
      expect(infosys).toMatchObject({
        exchange: 'NSE',
        tradingSymbol: 'INFY',
        segment: 'EQUITY',
        lotSize: 1,
        securityId: '1594',
      });
    });
  });
}
