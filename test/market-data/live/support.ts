import type { BrokerId } from '../../../src/domain/broker.ts';
import type { InstrumentName } from '../../../src/domain/instrument.ts';
import type { Instrument } from '../../../src/domain/instrument.ts';
import type { PriceMessage } from '../../../src/market-data/live/live-price.ts';
import { createPriceHub, type PriceReader } from '../../../src/market-data/live/price-hub.ts';
import { createMarketDataRoute } from '../../../src/market-data/market-data-route.ts';
import { createQuoteCache } from '../../../src/market-data/quote-cache.ts';
import { createTickSubscriptions } from '../../../src/market-data/tick-subscriptions.ts';
import type { Scheduler } from '../../../src/platform/clock.ts';
import { createLog, createPino } from '../../../src/platform/log.ts';
import { VirtualTime } from '../../support/virtual-time.ts';
import { createFakeFeed } from '../fake-feed.ts';
import { FakePrices, named } from '../support.ts';

/** A broker whose request holds so many instruments. */
export class FewPrices extends FakePrices {
  readonly atOnce: { readonly quotes: number; readonly lastPrices: number };

  constructor(broker: BrokerId, atOnce: number) {
    super(broker);
    this.atOnce = { quotes: atOnce, lastPrices: atOnce };
  }
}

export interface HubBenchOptions {
  /** Places of the ticker. */
  readonly places?: number;
  /** Instruments of one request. */
  readonly atOnce?: number;
  readonly time?: VirtualTime;
  readonly scheduler?: Scheduler;
}

/** The hub over two brokers: `alt` with ticks, and `primary` without. */
export function hubBench(options: HubBenchOptions = {}) {
  const { places, atOnce = 500, time = new VirtualTime('2026-11-06T11:00:00+05:30') } = options;
  const { scheduler = time } = options;
  const feed = createFakeFeed(places);
  const alt = new FewPrices('alt', atOnce);
  const primary = new FewPrices('primary', atOnce);
  const open = new Set<BrokerId>(['alt', 'primary']);
  /** What the instrument lists have now. */
  const lists = new Map<InstrumentName, Instrument>();
  const lines: string[] = [];
  const ticks = createTickSubscriptions(feed, time);
  const sources = [
    { broker: 'alt', source: alt, ticks },
    { broker: 'primary', source: primary, ticks: null },
  ].map(({ source, ...each }) => ({ ...each, cache: createQuoteCache(source, time, scheduler) }));
  const hub = createPriceHub({
    ...{ clock: time, scheduler, route: createMarketDataRoute(), sources: () => sources },
    log: createLog(createPino('debug', { write: (line: string) => void lines.push(line) })),
    isOpen: (broker) => open.has(broker),
    lookUp: (name) => lists.get(name) ?? null,
  });

  /** A reader that takes what is there whenever it is told, unless it is slow. */
  function reader(caller = 'key_a') {
    const told: PriceMessage[] = [];
    const state = { calls: 0, isSlow: false };
    const take = (): void => {
      for (;;) {
        const messages = reading.take(500);
        if (messages.length === 0) return;
        told.push(...messages);
      }
    };
    const reading: PriceReader = hub.enter(caller, () => {
      state.calls += 1;
      if (!state.isSlow) take();
    });
    return { ...reading, told, state, takeAll: take };
  }

  return { time, feed, ticks, alt, primary, open, lists, hub, lines, reader };
}

export const many = (count: number, prefix = 'S'): Instrument[] =>
  Array.from({ length: count }, (_, at) => named(`NSE:${prefix}${at}`));

/** Each message in a line. */
export function linesOf(messages: readonly PriceMessage[]): string[] {
  return messages.map((message) => {
    if (message.type === 'feed') {
      const { source, broker } = message.feed;
      return `feed ${source} ${broker} ${message.instruments.join()}`;
    }
    const prices = message.prices.map(
      ({ price }) =>
        `${price.instrument} ${price.lastPrice} ${price.source}${price.stale ? ' stale' : ''}`,
    );
    return `${message.type} ${prices.join()}`;
  });
}

export const lastOf = (
  messages: readonly PriceMessage[],
  name: InstrumentName,
): number | undefined =>
  messages
    .flatMap((message) => (message.type === 'feed' ? [] : message.prices))
    .findLast(({ price }) => price.instrument === name)?.price.lastPrice;
