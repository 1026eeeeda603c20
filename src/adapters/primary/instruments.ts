import type { Instrument, Segment } from '../../domain/instrument.ts';
import type { InstrumentSource } from '../../domain/ports.ts';
import type { Log } from '../../platform/log.ts';
import { logMalformedRows } from '../kit/instrument-list-log.ts';
import type { PrimaryClient } from './client.ts';
import { isRefusedQuery } from './envelope.ts';
import { mapInstruments, type MasterSource } from './instrument-mapping.ts';

/** Every version of the broker serves the list of shares; the other lists may be missing. */
const LISTS: readonly {
  readonly name: MasterSource;
  readonly segment: Segment;
  readonly optional: boolean;
}[] = [
  { name: 'equity', segment: 'EQUITY', optional: false },
  { name: 'index', segment: 'INDEX', optional: true },
  { name: 'fno', segment: 'DERIVATIVE', optional: true },
];

/** How long a list counts as fresh: one hour (docs/spec/instruments.md). */
const FRESH_FOR_MS = 3_600_000;

export interface InstrumentsParts {
  readonly client: PrimaryClient;
  readonly log: Log;
}

export function createInstruments({ client, log }: InstrumentsParts): InstrumentSource {
  function* rowsOf(source: MasterSource, text: string): Generator<Instrument | null> {
    const { skipped, malformed } = yield* mapInstruments(source, text);
    logMalformedRows(log, { broker: 'primary', source }, malformed);
    if (skipped > 0) {
      log.warn('rows of the instrument list do not name an instrument', {
        broker: 'primary',
        source,
        count: skipped,
      });
    }
  }

  return {
    broker: 'primary',
    freshForMs: FRESH_FOR_MS,
    lists: LISTS.map(({ name, segment, optional }) => ({
      name,
      segments: [segment],
      async read() {
        try {
          return rowsOf(name, await client.instruments(name));
        } catch (error) {
          if (optional && isRefusedQuery(error)) return null;
          throw error;
        }
      },
    })),
  };
}
