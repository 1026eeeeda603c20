import { describe, expect, it } from 'vitest';
import type { Client } from '../../client/index.ts';
import { liveRound } from '../../cli/doctor/live-round.ts';

const ORDER = {
  ...{ id: 'ord_1', brokerOrderId: '2611', broker: 'alt', mode: 'live', status: 'working' },
  ...{ side: 'BUY', quantity: 1, instrument: 'NSE:INFY', orderType: 'LIMIT', price: 960 },
  ...{ triggerPrice: null, filledQuantity: 0, averagePrice: null, reason: null },
};
const lost = async (): Promise<never> => {
  throw new Error('the answer was lost');
};

/** A round at a broker of which some calls fail; `placed` counts the orders. */
async function round(calls: Readonly<Record<string, () => Promise<unknown>>>, lastPrice = 1000) {
  let placed = 0;
  const quote = { lastPrice, lowerCircuit: null };
  const client = {
    getProfile: async () => ({ data: { userId: 'AB1' } }),
    getFunds: async () => ({ data: { available: 1 } }),
    getPositions: async () => ({ data: [] }),
    getHoldings: async () => ({ data: [] }),
    getOrders: async () => ({ data: [] }),
    getQuotes: async () => ({ data: { 'NSE:INFY': quote }, errors: {} }),
    placeOrder: async () => ((placed += 1), { data: ORDER }),
    cancelOrder: async () => ({ data: ORDER }),
    getOrder: async () => ({ data: { ...ORDER, status: 'cancelled' } }),
    ...calls,
  } as unknown as Client;
  const findings = await liveRound(client, 'alt', 'NSE:INFY', async () => undefined);
  return { findings, placed, last: findings.at(-1) };
}

describe('the round of doctor --live', () => {
  it('names the broker in each finding', async () => {
    const { findings, placed } = await round({});
    expect([findings.length, placed]).toEqual([8, 1]);
    expect(findings.filter(({ detail }) => !detail.startsWith('alt: '))).toEqual([]);
    expect(findings.filter(({ state }) => state !== 'well')).toEqual([]);
  });

  it.each([
    ['getFunds', 'funds', 2],
    ['getQuotes', 'price', 6],
  ])('keeps its report where %s throws, and places nothing', async (call, what, count) => {
    const { findings, placed, last } = await round({ [call]: lost });
    expect([findings.length, placed]).toEqual([count, 0]);
    expect(last).toMatchObject({ what, state: 'wrong', detail: 'alt: the answer was lost' });
  });

  it('names the order that may rest where its cancel is not known', async () => {
    const { findings, last } = await round({ cancelOrder: lost, getOrder: lost });
    expect(findings).toHaveLength(8);
    expect(last).toMatchObject({ what: 'order cancelled', state: 'wrong' });
    expect(last?.detail).toContain('the order (ord_1, at the broker 2611) may still rest at alt');
    const seen = await round({ cancelOrder: lost });
    expect(seen.last).toMatchObject({ what: 'order cancelled', state: 'well' });
    const working = await round({ getOrder: async () => ({ data: ORDER }) });
    expect(working.last?.detail).toContain('it is working after 15 s');
  });

  it('refuses a share below ₹10, of which a bid would not be surely below the market', async () => {
    const { last, placed } = await round({}, 1.2);
    expect([last?.what, last?.state, placed]).toEqual(['price', 'wrong', 0]);
    expect(last?.detail).toContain('name a share above ₹10.00 with --instrument');
  });
});
