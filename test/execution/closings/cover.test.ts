import { describe, expect, it } from 'vitest';
import type { Position } from '../../../src/domain/portfolio.ts';
import type { Instrument } from '../../../src/domain/instrument.ts';
import { ALL } from './support/all.ts';
import { quoteAt } from '../exits/support/exit-bench.ts';
import { listed, lyingBroker, midday, rowAt, tradingWith } from '../support/lying-broker.ts';
import { instrument, position } from '../support/makers.ts';

const contract = (tradingSymbol: string, parts: Partial<Instrument>): Instrument =>
  instrument({
    ...{ name: `NFO:${tradingSymbol}`, exchange: 'NFO', tradingSymbol, segment: 'DERIVATIVE' },
    ...{ lotSize: 75, isin: null, expiry: '2026-11-26', ...parts },
  });

const PUT = contract('NIFTY26NOV24000PE', { strike: 24_000, optionType: 'PE' });
const FUTURE = contract('NIFTY26NOVFUT', { strike: null, optionType: null });
const SHORT_CALL = contract('NIFTY26NOV24000CE', { strike: 24_000, optionType: 'CE' });
const LONG_CALL = contract('NIFTY26NOV25000CE', { strike: 25_000, optionType: 'CE' });

/** An account with carried contracts, at a broker that fills each order at once. */
async function accountOf(carried: ReadonlyMap<string, number>, lists: readonly Instrument[]) {
  const time = midday();
  const broker = lyingBroker(time);
  const bought = new Map<string, number>();
  const sold = new Map<string, number>();
  const held = (name: string): number =>
    (carried.get(name) ?? 0) + (bought.get(name) ?? 0) - (sold.get(name) ?? 0);
  broker.place = ({ tag, terms }) => {
    const { side, quantity, product, orderType, price, instrument: name } = terms;
    const traded = side === 'BUY' ? bought : sold;
    traded.set(name, (traded.get(name) ?? 0) + quantity);
    const brokerOrderId = `b${broker.placed.length}`;
    const row = { instrument: name, side, quantity, product, orderType, price, tags: [tag] };
    const filled = { status: 'filled', rawStatus: 'COMPLETE', filledQuantity: quantity } as const;
    broker.rows = [
      ...broker.rows,
      rowAt(time, { ...row, ...filled, averagePrice: 100, brokerOrderId }),
    ];
    return { kind: 'acknowledged', brokerOrderId };
  };
  const rowOf = (name: string, before: number): Position => {
    const day = {
      ...{ buyQuantity: bought.get(name) ?? 0, buyValue: 0 },
      ...{ sellQuantity: sold.get(name) ?? 0, sellValue: 0 },
    };
    const [long, short] = [Math.max(0, before), Math.max(0, -before)];
    return position({
      ...{ instrument: name, product: 'MARGIN', quantity: held(name), day },
      ...{ buyQuantity: long + day.buyQuantity, sellQuantity: short + day.sellQuantity },
      carried: { buyQuantity: long, buyValue: 0, sellQuantity: short, sellValue: 0 },
    });
  };
  Object.defineProperty(broker, 'positions', {
    get: () => [...carried].map(([name, before]) => rowOf(name, before)),
  });
  const trading = await tradingWith(time, [broker], undefined, {
    // Nobody offers the put; everything else trades.
    quoteOf: ({ name }) =>
      Promise.resolve(
        quoteAt(100, { instrument: name, bid: 99, ask: name === PUT.name ? null : 101 }),
      ),
    instruments: {
      byName: (name) => lists.find((each) => each.name === name) ?? listed(name),
      bySecurityId: () => null,
    },
  });
  await time.advance(2_000);
  const closeAll = async () => {
    const begun = trading.execution.closings.begin(ALL);
    await time.advance(60_000);
    return (await trading.execution.closings.closing((await begun).closing.id))!;
  };
  return { held, closeAll };
}

describe('a closing of all, beside a short contract that no instrument list has', () => {
  it('keeps the long contract that may cover it', async () => {
    // A strike that the exchange has added since the lists were read, sold in the broker's app.
    const carried = new Map([
      [SHORT_CALL.name, -75],
      [LONG_CALL.name, 75],
    ]);
    const { held, closeAll } = await accountOf(carried, [LONG_CALL]);
    const closing = await closeAll();
    const statusOf = (name: string) =>
      closing.positions.find((each) => each.instrument === name)?.status;
    expect([statusOf(SHORT_CALL.name), held(SHORT_CALL.name)]).toEqual(['kept', -75]);
    expect([statusOf(LONG_CALL.name), held(LONG_CALL.name)]).toEqual(['kept', 75]);
  });
});

describe('a closing of a short put and the short future that covers it', () => {
  it('does not buy the future back while the put stays, since nobody offers it', async () => {
    const carried = new Map([
      [PUT.name, -75],
      [FUTURE.name, -75],
    ]);
    const { held, closeAll } = await accountOf(carried, [PUT, FUTURE]);
    const closing = await closeAll();
    const put = closing.positions.find((each) => each.instrument === PUT.name);
    expect([put?.status, held(PUT.name)]).toEqual(['stopped', -75]);
    // The put is naked once the future is gone.
    expect(held(FUTURE.name)).toBe(-75);
  });
});
