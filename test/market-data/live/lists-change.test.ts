import { describe, expect, it } from 'vitest';
import type { Instrument } from '../../../src/domain/instrument.ts';
import type { InstrumentDirectory } from '../../../src/instruments/directory.ts';
import { createPriceStreams } from '../../../src/router/price-streams.ts';
import { INFY, named, TCS } from '../support.ts';
import { hubBench } from './support.ts';

/** A stream over lists of instruments that a test changes. */
function streamBench(listed: Record<string, Instrument>) {
  const { hub, feed } = hubBench();
  const lists = new Map(Object.entries(listed));
  const directory = {
    ensureLoaded: () => Promise.resolve(),
    resolve: (text: string) => lists.get(text) ?? null,
    ...{ listings: () => [], size: () => lists.size, lists: () => [] },
  } as unknown as InstrumentDirectory;
  const stream = createPriceStreams({ directory, hub }).open('key', () => undefined);
  const subscribe = async (text: string) => stream.subscribe(await stream.find([text]), 'ltp');
  const unsubscribe = async (text: string) => stream.unsubscribe(await stream.find([text]));
  return { lists, feed, subscribe, unsubscribe };
}

describe('an instrument that a stream was subscribed to', () => {
  it.each(['NFO:OLD', 'NFO_50001'])(
    'is unsubscribed from as %s when no list has it any more',
    async (text) => {
      const { lists, feed, subscribe, unsubscribe } = streamBench({ [text]: named('NFO:OLD') });
      await subscribe(text);
      lists.clear();
      expect([...(await unsubscribe(text)).accepted]).toEqual([[text, 'NFO:OLD']]);
      expect([...feed.wanted]).toEqual([]);
      const again = await unsubscribe(text);
      expect([again.accepted.size, [...again.refused.keys()]]).toEqual([0, [text]]);
    },
  );

  it('is unsubscribed from by words that are those of another one meanwhile', async () => {
    const { lists, feed, subscribe, unsubscribe } = streamBench({ NSE_1: INFY, NSE_2: TCS });
    await subscribe('NSE_1');
    lists.set('NSE_1', TCS);
    expect([...(await unsubscribe('NSE_1')).accepted]).toEqual([['NSE_1', 'NSE:INFY']]);
    expect([...feed.wanted]).toEqual([]);
  });
});
