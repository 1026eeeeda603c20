import type { Position } from '../../../src/domain/portfolio.ts';
import type { KeyPositionReads } from '../../../src/router/key-account.ts';
import { epochMs } from '../../../src/units/branded.ts';

const AS_OF = epochMs(Date.parse('2026-11-23T10:00:00+05:30'));
const META = { broker: 'alt', mode: 'live', asOf: AS_OF, ageMs: 120 } as const;

const POSITION: Position = {
  ...{ instrument: 'NSE:INFY', product: 'CNC', quantity: 10, averagePrice: 1_500 },
  ...{ lastPrice: 1_510, realisedPnl: 0, unrealisedPnl: 100, buyQuantity: 10, sellQuantity: 0 },
};

/** What the fake gateway answers of the positions of keys. */
export const KEY_ANSWERS: KeyPositionReads = {
  getKeyAccount: async (key) => ({
    ...{ key, day: '2026-11-23', realisedPnl: 0, unrealisedPnl: 100, pnl: 100 },
    positions: [{ broker: 'alt', mode: 'live', account: 'AB1234', position: POSITION }],
    prices: { asOf: AS_OF, ageMs: 120 },
    uncertainOrders: ['ord_1'],
  }),
  getOwnPositions: async () => ({ data: [POSITION], meta: META, uncertainOrders: [] }),
  comparePositions: async () => ({
    data: {
      ...{ day: '2026-11-23', account: 'AB1234', uncertainOrders: [], unread: [] },
      positions: [
        {
          ...{ instrument: 'NSE:INFY', product: 'CNC', ofKeys: 10, elsewhereToday: 2 },
          keys: [{ caller: 'key_1', quantity: 10 }],
          ...{ elsewhereBefore: 3, broker: 15, difference: 0 },
        },
      ],
    },
    meta: META,
  }),
};
