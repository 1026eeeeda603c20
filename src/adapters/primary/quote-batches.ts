import { BrokerError } from '../../domain/failure.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { scripCode } from './scrip-codes.ts';

const BATCH = 500;
const ASIDE_MS = 5 * 60_000;
/** Requests of one call: a reply that finds fault with every code must not go on for minutes. */
const MOST_REQUESTS = 64;

type Rows = Readonly<Record<string, unknown>>;

export interface CodedRow {
  readonly instrument: Instrument;
  readonly code: string;
  readonly row: unknown;
}

/**
 * Asks for many codes in batches. One bad code makes the broker refuse its whole batch, so a refused
 * batch is halved until the bad one stands alone; that one is kept aside for some minutes and is
 * absent from the answers, and the rest is answered. Rejects with a BrokerError.
 */
export interface QuoteBatches {
  ask(
    instruments: readonly Instrument[],
    fetch: (codes: readonly string[]) => Promise<Rows>,
  ): Promise<readonly CodedRow[]>;
}

export function createQuoteBatches(clock: Clock, log: Log): QuoteBatches {
  /** Until when a code is left out, in elapsed ms. */
  const aside = new Map<string, number>();

  function forgetOld(): void {
    for (const [code, until] of aside) {
      if (until <= clock.elapsed()) aside.delete(code);
    }
  }

  return {
    async ask(instruments, fetch) {
      forgetOld();
      const wanted = new Map<string, Instrument>();
      for (const instrument of instruments) {
        const code = scripCode(instrument);
        if (code !== null && !aside.has(code)) wanted.set(code, instrument);
      }
      const found: CodedRow[] = [];
      let requests = 0;

      async function batch(codes: readonly string[]): Promise<void> {
        requests += 1;
        let rows: Rows;
        try {
          rows = await fetch(codes);
        } catch (error) {
          if (!namesBadCode(error)) throw error;
          if (codes.length === 1) return setAside(codes[0]!);
          if (requests >= MOST_REQUESTS) throw error;
          const half = Math.ceil(codes.length / 2);
          await batch(codes.slice(0, half));
          await batch(codes.slice(half));
          return;
        }
        for (const code of codes) {
          const row = Object.hasOwn(rows, code) ? rows[code] : undefined;
          if (row !== undefined) found.push({ instrument: wanted.get(code)!, code, row });
        }
      }

      const codes = [...wanted.keys()];
      for (let start = 0; start < codes.length; start += BATCH) {
        await batch(codes.slice(start, start + BATCH));
      }
      return found;
    },
  };

  function setAside(code: string): void {
    aside.set(code, clock.elapsed() + ASIDE_MS);
    log.info('the broker does not know a scrip code; it is left out for five minutes', {
      broker: 'primary',
      instrument: code,
    });
  }
}

function namesBadCode(error: unknown): boolean {
  return (
    error instanceof BrokerError &&
    error.failure.kind === 'http' &&
    error.failure.status === 400 &&
    /invalid scrip[ -]?codes?/i.test(error.failure.message)
  );
}
