import type { Instrument, InstrumentName } from '../../domain/instrument.ts';
import type { MarketData } from '../../domain/ports.ts';
import type { PrimaryClient } from './client.ts';
import type { CodedRow, QuoteBatches } from './quote-batches.ts';
import { mapLastPrice, mapQuote } from './quote-mapping.ts';

/** Quotes and last prices share what is known of bad codes. */
export function createMarketData(client: PrimaryClient, batches: QuoteBatches): MarketData {
  return {
    broker: 'primary',
    async quotes(instruments: readonly Instrument[]) {
      const rows = await batches.ask(instruments, (codes) => client.quotes(codes));
      return byName(rows, ({ instrument, code, row }) => mapQuote(instrument.name, code, row));
    },
    async lastPrices(instruments: readonly Instrument[]) {
      const rows = await batches.ask(instruments, (codes) => client.lastPrices(codes));
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
