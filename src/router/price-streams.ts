import type { Instrument, InstrumentName } from '../domain/instrument.ts';
import type { TickMode } from '../domain/tick.ts';
import type { InstrumentDirectory } from '../instruments/directory.ts';
import type { PriceMessage } from '../market-data/live/live-price.ts';
import { MOST_OF_CALLER, type PriceHub } from '../market-data/live/price-hub.ts';
import { resolveAll } from './reads.ts';

export type { LivePrice, PriceMessage, ToldPrice } from '../market-data/live/live-price.ts';
export { MOST_OF_CALLER };

/** Prices as they come, of the shared interface (docs/streaming.md). */
export interface PriceStreams {
  /**
   * `caller` is the id of the key. `ready` is called when something is there to take, and not again before the
   * reader has taken everything.
   */
  open(caller: string, ready: () => void): PriceStream;
}

export interface PriceStream {
  /** Finds instruments as callers write them; changes nothing. */
  find(texts: readonly string[]): Promise<FoundInstruments>;
  /** Wants those that were found, in this mode from now on. */
  subscribe(found: FoundInstruments, mode: TickMode): Accepted;
  unsubscribe(found: FoundInstruments): Accepted;
  /** What is new, of at most `most` instruments; empty when nothing is. */
  take(most: number): readonly PriceMessage[];
  leave(): void;
}

export interface FoundInstruments {
  readonly byText: ReadonlyMap<string, Instrument>;
  /** By instrument as the caller wrote it: why it is none. */
  readonly errors: ReadonlyMap<string, string>;
}

/** By instrument as the caller wrote it. */
export interface Accepted {
  readonly accepted: ReadonlyMap<string, InstrumentName>;
  readonly refused: ReadonlyMap<string, string>;
}

const TOO_MANY = `the streams of this key have ${MOST_OF_CALLER} instruments already: unsubscribe from some`;
const NOT_THERE = 'this stream was not subscribed to it';

export function createPriceStreams(parts: {
  readonly directory: InstrumentDirectory;
  readonly hub: PriceHub;
}): PriceStreams {
  const { directory, hub } = parts;
  return {
    open(caller, ready) {
      const reader = hub.enter(caller, ready);
      /** The instruments of this stream by the caller's words: the lists may have them no more. */
      const wanted = new Map<string, InstrumentName>();
      return {
        async find(texts) {
          await directory.ensureLoaded();
          return resolveAll(texts, directory);
        },
        subscribe(found, mode) {
          const told = sorted(found, (instrument) =>
            reader.want(instrument, mode) ? null : TOO_MANY,
          );
          for (const [text, name] of told.accepted) wanted.set(text, name);
          return told;
        },
        unsubscribe(found) {
          const { accepted, refused } = sorted(found, ({ name }) =>
            reader.unwant(name) ? null : NOT_THERE,
          );
          // What the lists do not have any more, or have under another name.
          for (const text of [...refused.keys()]) {
            const name = wanted.get(text) ?? text;
            if (!reader.unwant(name)) continue;
            accepted.set(text, name);
            refused.delete(text);
          }
          for (const text of accepted.keys()) wanted.delete(text);
          return { accepted, refused };
        },
        take: reader.take,
        leave: reader.leave,
      };
    },
  };
}

function sorted(
  { byText, errors }: FoundInstruments,
  refusalOf: (instrument: Instrument) => string | null,
) {
  const accepted = new Map<string, InstrumentName>();
  const refused = new Map(errors);
  // Two spellings of one instrument have one answer.
  const answers = new Map<InstrumentName, string | null>();
  for (const [text, instrument] of byText) {
    const { name } = instrument;
    if (!answers.has(name)) answers.set(name, refusalOf(instrument));
    const refusal = answers.get(name) ?? null;
    if (refusal === null) accepted.set(text, name);
    else refused.set(text, refusal);
  }
  return { accepted, refused };
}
