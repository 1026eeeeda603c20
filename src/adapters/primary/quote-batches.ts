import type { Instrument } from '../../domain/instrument.ts';
import { must } from '../../platform/values.ts';
import { namesBadCode, type CodeBook } from './code-book.ts';

/** The documentation allows 1,000; the broker's clients keep to 500. */
export const BATCH = 500;
/**
 * The most requests of one call: a broker that refuses every code must not keep it busy for
 * minutes.
 */
const MOST_REQUESTS = 64;

type Rows = Readonly<Record<string, unknown>>;
type Wanted = ReadonlyMap<string, readonly Instrument[]>;

export interface CodedRow {
  readonly instrument: Instrument;
  readonly code: string;
  readonly row: unknown;
}

/**
 * Asks for many codes in batches. One bad code makes the broker refuse its whole batch, so a batch
 * that is refused for this reason, and only then, is halved until the bad code is alone. That code
 * is left out, its instrument is asked for under its other code if it has one, and the rest is
 * answered. Rejects only with a BrokerError.
 */
export interface QuoteBatches {
  ask(
    instruments: readonly Instrument[],
    fetch: (codes: readonly string[]) => Promise<Rows>,
  ): Promise<readonly CodedRow[]>;
}

export function createQuoteBatches(book: CodeBook): QuoteBatches {
  function byCode(instruments: readonly Instrument[]): Wanted {
    const wanted = new Map<string, Instrument[]>();
    for (const instrument of instruments) {
      const code = book.codeOf(instrument);
      if (code === null) continue;
      const sharing = wanted.get(code);
      if (sharing) sharing.push(instrument);
      else wanted.set(code, [instrument]);
    }
    return wanted;
  }

  return {
    async ask(instruments, fetch) {
      const found: CodedRow[] = [];
      let requests = 0;

      /** Returns the codes that the broker refused. */
      async function batch(wanted: Wanted, codes: readonly string[]): Promise<readonly string[]> {
        requests += 1;
        let rows: Rows;
        try {
          rows = await fetch(codes);
        } catch (error) {
          if (!namesBadCode(error)) throw error;
          const [first, ...others] = codes;
          if (first !== undefined && others.length === 0) {
            book.setAside(first);
            return codes;
          }
          if (requests >= MOST_REQUESTS) throw error;
          const half = Math.ceil(codes.length / 2);
          const left = await batch(wanted, codes.slice(0, half));
          return [...left, ...(await batch(wanted, codes.slice(half)))];
        }
        for (const code of codes) {
          const row = Object.hasOwn(rows, code) ? rows[code] : undefined;
          if (row === undefined) continue;
          const sharing = must(wanted.get(code), 'a batch has only codes that are wanted');
          for (const instrument of sharing) found.push({ instrument, code, row });
        }
        return [];
      }

      let wanted = byCode(instruments);
      while (wanted.size > 0) {
        const codes = [...wanted.keys()];
        const bad: string[] = [];
        for (let start = 0; start < codes.length; start += BATCH) {
          bad.push(...(await batch(wanted, codes.slice(start, start + BATCH))));
        }
        // The refused codes are left out now, so each instrument has another code or none.
        wanted = byCode(bad.flatMap((code) => wanted.get(code) ?? []));
      }
      return found;
    },
  };
}
