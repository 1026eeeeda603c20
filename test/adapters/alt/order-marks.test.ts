import { describe, expect, it } from 'vitest';
import { altBench, altBenchWith, attempt } from './support/alt-broker.ts';
import { modification } from './support/calls.ts';
import { success } from './support/scripted-transport.ts';

const acknowledged = success({ order_id: '261120000000001' });
const form = (body: string | undefined) => Object.fromEntries(new URLSearchParams(body));

describe('an order', () => {
  it('carries the algo id and the protection of the order, else those of the settings', async () => {
    const marks = { algoId: 'OF-SETTINGS', marketProtection: 3 };
    const { broker, transport } = altBenchWith({ marks }, acknowledged, acknowledged, acknowledged);
    const market = { orderType: 'MARKET', price: null } as const;
    await broker.trading.place(attempt(market));
    const ofSettings = { algo_id: 'OF-SETTINGS', market_protection: '3' };
    expect(form(transport.last.body)).toMatchObject(ofSettings);
    await broker.trading.place(attempt({ ...market, algoId: 'ALGO-7', marketProtection: 0.5 }));
    expect(form(transport.last.body)).toMatchObject({
      algo_id: 'ALGO-7',
      market_protection: '0.5',
    });
    const terms = { ...attempt(market).terms, marketProtection: 1.5 };
    await broker.trading.modify({ ...modification({ quantity: 5 }), terms });
    expect(form(transport.last.body)).toMatchObject({ market_protection: '1.5' });
    expect(form(transport.last.body)).not.toHaveProperty('algo_id');
  });

  it('carries no algo id where nobody names one', async () => {
    const { broker, transport } = altBench(acknowledged);
    await broker.trading.place(attempt());
    expect(form(transport.last.body)).not.toHaveProperty('algo_id');
  });
});
