import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AltBroker } from '../../../src/adapters/alt/index.ts';
import { BrokerError } from '../../../src/domain/outcome.ts';
import { altBench, instrument, orderRow, tradeRow } from './support/alt-broker.ts';
import { answered, success } from './support/scripted-transport.ts';

const positionRow = {
  tradingsymbol: 'INFY',
  exchange: 'NSE',
  product: 'MIS',
  quantity: -5,
  average_price: 1500,
  last_price: 1490,
  pnl: 60,
  realised: 10,
  unrealised: 50,
  buy_quantity: 5,
  sell_quantity: 10,
};
const holdingRow = {
  tradingsymbol: 'SBIN',
  exchange: 'NSE',
  isin: 'INE062A01020',
  quantity: 20,
  realised_quantity: 16,
  used_quantity: 6,
  t1_quantity: 4,
  average_price: 801.5,
  last_price: 800,
};
const quoteRow = {
  timestamp: '2026-11-20 10:00:00',
  last_price: 1512.4,
  volume: 7,
  ohlc: { open: 1500, high: 1520.5, low: 1490, close: 1500.2 },
  depth: { buy: [{ price: 1512.35, quantity: 10, orders: 2 }], sell: [] },
};

interface Reader {
  readonly row: Readonly<Record<string, unknown>>;
  /** The place of the rows in a reply's data. */
  readonly data: (rows: readonly unknown[]) => unknown;
  readonly read: (broker: AltBroker) => Promise<{ readonly length: number }>;
}

const asList = (rows: readonly unknown[]): unknown => rows;
const READERS: Readonly<Record<string, Reader>> = {
  orders: {
    row: orderRow(),
    data: asList,
    read: async ({ trading }) => {
      const rows = await trading.orderBook();
      return [...rows, ...(trading.unread?.(rows) ?? [])];
    },
  },
  history: { row: orderRow(), data: asList, read: ({ trading }) => trading.orderHistory('1') },
  trades: {
    row: tradeRow(),
    data: asList,
    read: async ({ trading }) => {
      const fills = await trading.trades();
      return [...fills, ...(trading.unread?.(fills) ?? [])];
    },
  },
  'trades of an order': {
    row: tradeRow(),
    data: asList,
    read: ({ trading }) => trading.orderTrades('1'),
  },
  positions: {
    row: positionRow,
    data: (rows) => ({ net: rows, day: [] }),
    read: async ({ account }) => {
      const rows = await account.positions();
      return [...rows, ...(account.unread?.(rows) ?? [])];
    },
  },
  holdings: {
    row: holdingRow,
    data: asList,
    read: async ({ account }) => {
      const rows = await account.holdings();
      return [...rows, ...(account.unread?.(rows) ?? [])];
    },
  },
  quotes: {
    row: quoteRow,
    data: (rows) => Object.fromEntries(rows.map((row, place) => [`NSE:I${place}`, row])),
    read: async ({ marketData }) => {
      const asked = ['NSE:I0', 'NSE:I1', 'NSE:I2'].map((name) => instrument(name));
      return [...(await marketData.quotes(asked)).values()];
    },
  },
};

/** How many rows were read, or said to be unread; null when the read failed with a BrokerError. */
async function rowsRead(reader: Reader, reply: Parameters<typeof altBench>[0]) {
  try {
    return (await reader.read(altBench(reply!).broker)).length;
  } catch (error) {
    if (error instanceof BrokerError) return null;
    throw error;
  }
}

const json = fc.jsonValue({ maxDepth: 3 });
const RUNS = { numRuns: 300 };

describe.each(Object.entries(READERS))('whatever the broker writes for %s', (_name, reader) => {
  it('into any field, no row is lost, and a failure is a BrokerError', async () => {
    const field = fc.constantFrom(...Object.keys(reader.row), 'unknown_field');
    await fc.assert(
      fc.asyncProperty(field, json, async (name, value) => {
        const odd = { ...reader.row, [name]: value };
        const reply = success(reader.data([reader.row, odd, reader.row]));
        expect([3, null]).toContain(await rowsRead(reader, reply));
      }),
      RUNS,
    );
  });

  it('by leaving any fields out, no row is lost, and a failure is a BrokerError', async () => {
    const kept = fc.subarray(Object.keys(reader.row));
    await fc.assert(
      fc.asyncProperty(kept, async (names) => {
        const thin = Object.fromEntries(names.map((name) => [name, reader.row[name]]));
        const reply = success(reader.data([reader.row, thin]));
        expect([2, null]).toContain(await rowsRead(reader, reply));
      }),
      RUNS,
    );
  });

  it('in place of a row, nothing is lost, and a failure is a BrokerError', async () => {
    await fc.assert(
      fc.asyncProperty(json, async (value) => {
        const reply = success(reader.data([reader.row, value]));
        expect([2, null]).toContain(await rowsRead(reader, reply));
      }),
      RUNS,
    );
  });

  it('in place of the rows, only an empty list is an empty list', async () => {
    const nothing = JSON.stringify(reader.data([]));
    await fc.assert(
      fc.asyncProperty(json, async (data) => {
        const read = await rowsRead(reader, success(data));
        // Instruments that are absent from a map are ones that the broker does not know.
        const isMap = _name === 'quotes' && typeof data === 'object' && !Array.isArray(data);
        if (read === 0 && !isMap) expect(JSON.stringify(data)).toBe(nothing);
      }),
      RUNS,
    );
  });

  it('in place of the envelope, a failure is a BrokerError, and nothing is an empty list', async () => {
    const body = fc.oneof(
      fc.json(),
      fc.string(),
      json.map((each) => JSON.stringify(each)),
    );
    await fc.assert(
      fc.asyncProperty(body, fc.integer({ min: 100, max: 599 }), async (text, status) => {
        expect(await rowsRead(reader, answered(status, text))).toBeNull();
      }),
      RUNS,
    );
  });
});
