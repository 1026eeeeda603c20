import {
  instrumentName,
  parentExchange,
  parseInstrumentReference,
  type Instrument,
  type InstrumentLookup,
  type InstrumentName,
} from '../domain/instrument.ts';
import { tradingDay } from '../domain/ist.ts';
import type { InstrumentSource } from '../domain/ports.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { joinMasters } from './join.ts';

export interface InstrumentDirectory extends InstrumentLookup {
  /** Loads what is missing or of an earlier day; resolves also when a source could not be read. */
  ensureLoaded(): Promise<void>;
  /** By either way of naming; null when no master has it. */
  resolve(text: string): Instrument | null;
  /** Instruments whose symbol or name holds the text; exact and leading matches first. */
  search(query: {
    text?: string | undefined;
    exchange?: string | undefined;
    limit: number;
  }): Instrument[];
  size(): number;
}

export interface DirectoryParts {
  readonly sources: readonly InstrumentSource[];
  /** Why a source cannot be asked now; null when it can. */
  readonly blocked: (source: InstrumentSource) => string | null;
  readonly clock: Clock;
  readonly log: Log;
}

/** A source that failed is asked again after this long, at the next need. */
const RETRY_MS = 5_000;

interface Loaded {
  readonly day: string;
  readonly instruments: readonly Instrument[];
}

interface Index {
  readonly all: readonly Instrument[];
  readonly byName: ReadonlyMap<InstrumentName, Instrument>;
  readonly bySecurity: ReadonlyMap<string, Instrument>;
}

/** Both brokers' masters as one list, loaded once a day at the first need. */
export function createInstrumentDirectory(parts: DirectoryParts): InstrumentDirectory {
  const { sources, clock, log } = parts;
  const loaded = new Map<InstrumentSource, Loaded>();
  const triedAt = new Map<InstrumentSource, number>();
  let index: Index = buildIndex([]);
  let loading: Promise<void> | null = null;

  function isDue(source: InstrumentSource): boolean {
    if (parts.blocked(source) !== null) return false;
    if (loaded.get(source)?.day === tradingDay(clock.now())) return false;
    return clock.elapsed() - (triedAt.get(source) ?? -Infinity) >= RETRY_MS;
  }

  async function load(source: InstrumentSource): Promise<void> {
    triedAt.set(source, clock.elapsed());
    const day = tradingDay(clock.now());
    try {
      const instruments = await source.instruments();
      if (instruments.length === 0) throw new Error('the list is empty');
      loaded.set(source, { day, instruments });
      log.info('instruments loaded', { broker: source.broker, count: instruments.length });
    } catch (error) {
      log.warn('instruments could not be loaded; the last list stays in use', {
        broker: source.broker,
        reason: error instanceof Error ? error.message : String(error),
      });
    }
  }

  async function loadAll(due: readonly InstrumentSource[]): Promise<void> {
    await Promise.all(due.map(load));
    const masters = sources.flatMap((source) => loaded.get(source)?.instruments ?? []);
    index = buildIndex(joinMasters([masters]));
  }

  return {
    async ensureLoaded() {
      if (loading) return loading;
      const due = sources.filter(isDue);
      if (due.length === 0) return;
      loading = loadAll(due);
      try {
        await loading;
      } finally {
        loading = null;
      }
    },
    byName: (name) => index.byName.get(name) ?? null,
    bySecurityId: (exchange, securityId, segment) =>
      bySecurityId(index, exchange, securityId, segment),
    resolve(text) {
      const reference = parseInstrumentReference(text);
      if (!reference) return null;
      if (reference.kind === 'name') {
        const name = instrumentName(reference.exchange, reference.tradingSymbol);
        return index.byName.get(name) ?? null;
      }
      const { exchange, securityId } = reference;
      const indices = { NIDX: 'NSE', BIDX: 'BSE' }[exchange];
      if (indices !== undefined) return bySecurityId(index, indices, securityId, 'INDEX');
      // A number of NFO is a derivative's, also where a share of NSE has the same one.
      const segment = parentExchange(exchange) === exchange ? undefined : 'DERIVATIVE';
      return bySecurityId(index, exchange, securityId, segment);
    },
    search: (query) => search(index, query),
    size: () => index.all.length,
  };
}

function buildIndex(all: readonly Instrument[]): Index {
  return {
    all,
    byName: new Map(all.map((instrument) => [instrument.name, instrument])),
    bySecurity: new Map(
      all
        .filter((instrument) => instrument.securityId !== null)
        .map((instrument) => [
          securityKey(instrument.exchange, instrument.securityId!, instrument.segment),
          instrument,
        ]),
    ),
  };
}

const securityKey = (exchange: string, securityId: string, segment: string): string =>
  `${parentExchange(exchange)}|${segment}|${securityId}`;

function bySecurityId(
  index: Index,
  exchange: string,
  securityId: string,
  segment?: string,
): Instrument | null {
  const segments = segment ? [segment] : ['EQUITY', 'DERIVATIVE', 'INDEX'];
  for (const each of segments) {
    const found = index.bySecurity.get(securityKey(exchange, securityId, each));
    if (found) return found;
  }
  return null;
}

function search(
  index: Index,
  query: { text?: string | undefined; exchange?: string | undefined; limit: number },
): Instrument[] {
  const text = (query.text ?? '').trim().toUpperCase();
  const ranked: { rank: number; instrument: Instrument }[] = [];
  for (const instrument of index.all) {
    if (query.exchange && instrument.exchange !== query.exchange) continue;
    const rank = rankOf(instrument, text);
    if (rank !== null) ranked.push({ rank, instrument });
  }
  ranked.sort(
    (left, right) =>
      left.rank - right.rank || (left.instrument.name < right.instrument.name ? -1 : 1),
  );
  return ranked.slice(0, query.limit).map(({ instrument }) => instrument);
}

/** 0 exact, 1 leading, 2 within the symbol, 3 within the name; null when it does not match. */
function rankOf(instrument: Instrument, text: string): number | null {
  if (text === '') return 0;
  const { tradingSymbol } = instrument;
  if (tradingSymbol === text || instrument.name === text) return 0;
  if (tradingSymbol.startsWith(text)) return 1;
  if (tradingSymbol.includes(text)) return 2;
  return instrument.displayName.toUpperCase().includes(text) ? 3 : null;
}
