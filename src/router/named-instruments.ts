import type { Instrument, InstrumentName } from '../domain/instrument.ts';
import { GatewayProblem } from '../domain/problem.ts';
import type { Spelled } from '../execution/submit/request-identity.ts';
import type { InstrumentDirectory } from '../instruments/directory.ts';
import { unknownInstrument } from './reads.ts';

/** Finds instruments as callers write them (docs/spec/instruments.md, "How callers name an instrument"). */
export interface NamedInstruments {
  /**
   * By name (NSE:INFY), security id (NSE_1594) or symbol alone (INFY). Rejects with `unknown_instrument`, with
   * `ambiguous_instrument` and the choices, or with `no_broker` without any list.
   */
  instrument(text: string): Promise<Instrument>;
  /**
   * The same for a way out, which `begin` begins: a symbol alone is the listing that is held. Where several of
   * them are, it is ambiguous, unless either may be sold for the other (`areOneShare`). A repeated key is
   * compared with every listing, because what was held by then may be gone.
   */
  ofHeld<T>(
    text: string,
    held: { readonly isHeld: (of: Instrument) => boolean; readonly areOneShare: boolean },
    begin: (name: InstrumentName) => Promise<T>,
  ): Promise<T>;
  spelled(text: string): Promise<Spelled>;
}

export function createNamedInstruments(directory: InstrumentDirectory): NamedInstruments {
  async function instrument(text: string): Promise<Instrument> {
    await directory.ensureLoaded();
    const found = directory.resolve(text);
    if (found) return found;
    const listings = directory.listings(text);
    if (listings.length > 0) throw ambiguous(text, listings, directory);
    throw new GatewayProblem({
      code: directory.size() === 0 ? 'no_broker' : 'unknown_instrument',
      detail: unknownInstrument(text, directory),
      field: 'instrument',
    });
  }

  return {
    instrument,
    async ofHeld(text, { isHeld, areOneShare }, begin) {
      await directory.ensureLoaded();
      const listings = directory.listings(text);
      const [only, ...others] = listings.filter(isHeld);
      if (only !== undefined && others.length > 0 && !areOneShare) {
        throw ambiguous(text, [only, ...others], directory);
      }
      const chosen = only !== undefined && others.length === 0 ? only : await instrument(text);
      const rest = listings.filter(({ name }) => name !== chosen.name);
      return beginOneOf([chosen, ...rest], begin);
    },
    async spelled(text) {
      await directory.ensureLoaded();
      const lists = directory.lists().flatMap((source) => source.lists);
      const listsAreWhole = lists.every(({ count }) => count > 0);
      return { instrument: directory.resolve(text), listsAreWhole };
    },
  };
}

/** Begins with the first; the others count where the key has begun something of another listing before. */
async function beginOneOf<T>(
  [chosen, ...others]: readonly [Instrument, ...Instrument[]],
  begin: (name: InstrumentName) => Promise<T>,
): Promise<T> {
  try {
    return await begin(chosen.name);
  } catch (error) {
    const isOfKey = error instanceof GatewayProblem && error.code === 'idempotency_conflict';
    const [next, ...more] = others;
    if (!isOfKey || next === undefined) throw error;
    return beginOneOf([next, ...more], begin);
  }
}

function ambiguous(
  text: string,
  listings: readonly Instrument[],
  directory: InstrumentDirectory,
): GatewayProblem {
  const candidates = listings.map(({ name, exchange, segment, displayName }) => ({
    ...{ instrument: name, exchange, segment, displayName },
  }));
  return new GatewayProblem({
    code: 'ambiguous_instrument',
    detail: unknownInstrument(text, directory),
    field: 'instrument',
    extra: { candidates },
  });
}
