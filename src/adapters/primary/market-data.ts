import type { Instrument, InstrumentName } from '../../domain/instrument.ts';
import type { MarketData } from '../../domain/ports.ts';
import type { PrimaryClient } from './client.ts';
import type { OptionChains } from './option-chain.ts';
import { BATCH, type CodedRow, type QuoteBatches } from './quote-batches.ts';
import { mapLastPrice, mapQuote } from './quote-mapping.ts';

export interface MarketDataParts {
  readonly client: PrimaryClient;
  /** Quotes and last prices share what the gateway knows of bad codes. */
  readonly batches: QuoteBatches;
  readonly candles: NonNullable<MarketData['candles']>;
  readonly chains: OptionChains;
}

/** Five requests a second carry 2,500 instruments. */
const SERVES_MS = 1_500;

export function createMarketData(parts: MarketDataParts): MarketData {
  const { client, batches, candles, chains } = parts;
  return {
    broker: 'primary',
    atOnce: { quotes: BATCH, lastPrices: BATCH },
    servesMs: SERVES_MS,
    candles,
    optionChain: (query) => chains.optionChain(query),
    expiries: (underlying) => chains.expiries(underlying),
    async quotes(instruments: readonly Instrument[], leaves?: () => void) {
      const rows = await batches.ask(instruments, (codes) => client.quotes(codes, leaves));
      return byName(rows, ({ instrument, code, row }) => mapQuote(instrument.name, code, row));
    },
    async lastPrices(instruments: readonly Instrument[], leaves?: () => void) {
      const rows = await batches.ask(instruments, (codes) => client.lastPrices(codes, leaves));
      return byName(rows, ({ instrument, row }) => mapLastPrice(instrument.name, row));
    },
  };
}

function byName<T>(
  rows: readonly CodedRow[],
  map: (row: CodedRow) => T | null,
): ReadonlyMap<InstrumentName, T> {
  const found = new Map<InstrumentName, T>();
  for (const row of rows) {
    const value = map(row);
    if (value !== null) found.set(row.instrument.name, value);
  }
  return found;
}
