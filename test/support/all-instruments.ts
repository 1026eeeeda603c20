import type { Instrument } from '../../src/domain/instrument.ts';
import type { InstrumentSource } from '../../src/domain/ports.ts';

/** All that a source lists, read in its order. Rejects with what the first failing list does. */
export async function allInstruments(source: InstrumentSource): Promise<readonly Instrument[]> {
  const all: Instrument[] = [];
  for (const list of source.lists) {
    for (const row of (await list.read()) ?? []) if (row) all.push(row);
  }
  return all;
}
