import type { Instrument, InstrumentName } from '../../domain/instrument.ts';
import type { MarketData } from '../../domain/ports.ts';
import type { LastPrice } from '../../domain/quote.ts';
import { createCandles } from './candles.ts';
import type { GuardedCalls, KiteAnswer } from './calls.ts';
import type { KiteClient } from './client.ts';
import { toQuote } from './mapping-quotes.ts';
import type { RateLimitQueues } from './rate-limits.ts';
import { lastPricesReply, parseAs, quotesReply } from './schemas.ts';

export interface MarketDataParts {
  readonly client: KiteClient;
  readonly guardedCalls: GuardedCalls;
  readonly queues: RateLimitQueues;
}

/** The most instruments of one call (docs/spec/kite-limits.md). */
const QUOTES_A_CALL = 500;
const PRICES_A_CALL = 1_000;

export interface AltMarketData extends MarketData {
  readonly candles: NonNullable<MarketData['candles']>;
}

export function createAltMarketData(parts: MarketDataParts): AltMarketData {
  const { client, guardedCalls, queues } = parts;

  /**
   * Resolves with all batches or rejects. An instrument that is absent from the result is one that
   * the broker does not know; a failed batch must not look like that.
   */
  async function inBatches<Row, T>(
    instruments: readonly Instrument[],
    size: number,
    send: (token: string, keys: readonly string[]) => Promise<KiteAnswer>,
    parse: (data: unknown) => Readonly<Record<string, Row>>,
    map: (instrument: InstrumentName, row: Row) => T,
    leaves?: () => void,
  ): Promise<ReadonlyMap<InstrumentName, T>> {
    const found = new Map<InstrumentName, T>();
    const names = new Map(instruments.map((each) => [keyOf(each), each.name]));
    const keys = [...names.keys()];
    for (let start = 0; start < keys.length; start += size) {
      const batch = keys.slice(start, start + size);
      const read = (token: string): Promise<KiteAnswer> => {
        leaves?.();
        return send(token, batch);
      };
      const rows = await guardedCalls.read(queues.quotes, read, parse);
      for (const key of batch) {
        const row = Object.hasOwn(rows, key) ? rows[key] : undefined;
        const name = names.get(key);
        if (row !== undefined && name !== undefined) found.set(name, map(name, row));
      }
    }
    return found;
  }

  return {
    broker: 'alt',
    atOnce: { quotes: QUOTES_A_CALL, lastPrices: PRICES_A_CALL },
    quotes: (instruments, leaves) =>
      inBatches(
        instruments,
        QUOTES_A_CALL,
        client.quotes,
        (data) => parseAs(quotesReply, data),
        toQuote,
        leaves,
      ),
    lastPrices: (instruments, leaves) =>
      inBatches(
        instruments,
        PRICES_A_CALL,
        client.lastPrices,
        (data) => parseAs(lastPricesReply, data),
        (instrument, row): LastPrice => ({ instrument, lastPrice: row.last_price }),
        leaves,
      ),
    candles: createCandles(parts),
  };
}

/** The key as the broker's master list writes it; the reply uses the same keys. */
function keyOf(instrument: Instrument): string {
  return `${instrument.exchange}:${instrument.tradingSymbol}`;
}
