import type { Instrument, InstrumentName } from '../domain/instrument.ts';
import type { Chunked } from '../platform/chunks.ts';

interface Entry {
  instrument: Instrument;
}

const ENTRIES_A_SLICE = 5_000;

/**
 * Makes names unique, so that the order of the rows never decides what an order is for. Of the
 * instruments that share a name, the only one with an instrument token keeps it; the others are
 * named by segment and security id, and left out when they have none. Renames in place.
 */
export function* giveOwnNames(
  entries: readonly Entry[],
  note: (instrument: Instrument) => void,
): Chunked<readonly Instrument[]> {
  const byName = new Map<InstrumentName, Entry>();
  const shared = new Map<InstrumentName, Entry[]>();
  for (const [place, entry] of entries.entries()) {
    const { name } = entry.instrument;
    const first = byName.get(name);
    if (!first) byName.set(name, entry);
    else shared.set(name, [...(shared.get(name) ?? [first]), entry]);
    if ((place + 1) % ENTRIES_A_SLICE === 0) yield;
  }
  const nameless = new Set<Entry>();
  for (const sharers of shared.values()) {
    const tokened = sharers.filter(({ instrument }) => instrument.instrumentToken !== null);
    for (const entry of sharers) {
      if (tokened.length === 1 && entry === tokened[0]) continue;
      note(entry.instrument);
      const name = codeName(entry.instrument);
      if (name === null) nameless.add(entry);
      else entry.instrument = { ...entry.instrument, name };
    }
  }
  return entries.filter((entry) => !nameless.has(entry)).map(({ instrument }) => instrument);
}

/** A security id with its segment: `NFO_56980`, `NIDX_40000001`. */
function codeName({ exchange, segment, securityId }: Instrument): InstrumentName | null {
  if (securityId === null) return null;
  if (segment === 'INDEX') return `${exchange === 'BSE' ? 'BIDX' : 'NIDX'}_${securityId}`;
  return `${exchange}_${securityId}`;
}
