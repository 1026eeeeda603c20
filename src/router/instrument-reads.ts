import type { Instrument } from '../domain/instrument.ts';
import type {
  InstrumentQuery,
  SearchPage,
  SearchPlace,
  SourceState,
} from '../instruments/directory.ts';

export type { InstrumentQuery, SearchPlace, SourceState };

export interface InstrumentReads {
  /** Best match first, in pages. */
  getInstruments(query: InstrumentQuery): Promise<SearchPage>;
  /** By name (NSE:INFY) or security id (NSE_1594). */
  getInstrument(instrument: string): Promise<Instrument>;
}
