import type { CandleInterval } from '../../domain/candle.ts';
import { BrokerError } from '../../domain/failure.ts';
import type { Instrument, InstrumentName } from '../../domain/instrument.ts';
import { istIso } from '../../domain/ist.ts';
import type { MarketData } from '../../domain/ports.ts';
import type { LastPrice, Quote } from '../../domain/quote.ts';
import type { Capability } from './capability.ts';
import type { KiteClient } from './client.ts';
import { toCandle, toQuote } from './mapping-quotes.ts';
import type { Lanes } from './pace.ts';
import type { KiteAnswer } from './reply.ts';
import { candlesReply, lastPricesReply, parseAs, quotesReply } from './schemas.ts';

/** The broker's own names; it has no other widths. */
const INTERVALS: Partial<Record<CandleInterval, string>> = {
  '1minute': 'minute',
  '3minute': '3minute',
  '5minute': '5minute',
  '10minute': '10minute',
  '15minute': '15minute',
  '30minute': '30minute',
  '60minute': '60minute',
  '1day': 'day',
};

export interface MarketDataParts {
  readonly client: KiteClient;
  readonly capability: Capability;
  readonly lanes: Lanes;
}

/** Instruments in one call (docs/spec/kite-limits.md). */
const QUOTES_A_CALL = 500;
const LAST_PRICES_A_CALL = 1_000;

export function createAltMarketData(parts: MarketDataParts): MarketData {
  const { client, capability, lanes } = parts;

  /**
   * All batches or none: an instrument that is absent is one that the broker does not know, so a
   * batch that failed must not look like that.
   */
  async function inBatches<Row, T>(
    instruments: readonly Instrument[],
    size: number,
    send: (token: string, keys: readonly string[]) => Promise<KiteAnswer>,
    parse: (data: unknown) => Readonly<Record<string, Row>>,
    map: (instrument: InstrumentName, row: Row) => T,
  ): Promise<ReadonlyMap<InstrumentName, T>> {
    const found = new Map<InstrumentName, T>();
    const names = new Map(instruments.map((each) => [keyOf(each), each.name]));
    const keys = [...names.keys()];
    for (let start = 0; start < keys.length; start += size) {
      const batch = keys.slice(start, start + size);
      const rows = await capability.read(lanes.quotes, (token) => send(token, batch), parse);
      for (const key of batch) {
        const row = Object.hasOwn(rows, key) ? rows[key] : undefined;
        const name = names.get(key);
        if (row !== undefined && name !== undefined) found.set(name, map(name, row));
      }
    }
    return found;
  }

  return {
    broker: 'alt',
    quotes: (instruments) =>
      inBatches(
        instruments,
        QUOTES_A_CALL,
        client.quotes,
        (data) => parseAs(quotesReply, data),
        (name, row): Quote => toQuote(name, row),
      ),
    lastPrices: (instruments) =>
      inBatches(
        instruments,
        LAST_PRICES_A_CALL,
        client.lastPrices,
        (data) => parseAs(lastPricesReply, data),
        (instrument, row): LastPrice => ({ instrument, lastPrice: row.last_price }),
      ),
    async candles({ instrument, interval, from, to }) {
      const token = instrument.instrumentToken;
      const width = INTERVALS[interval];
      if (token === null || width === undefined) {
        const message = `${instrument.name} at ${interval} is not known to this broker`;
        throw new BrokerError('alt', { kind: 'not_sent', reason: 'not_open', message });
      }
      return capability.read(
        lanes.historical,
        (accessToken) =>
          client.historical(accessToken, token, width, wallClock(from), wallClock(to)),
        (data) => parseAs(candlesReply, data).candles.map(toCandle),
      );
    },
  };
}

/** As the broker's master writes it, which is also how the reply is keyed. */
function keyOf(instrument: Instrument): string {
  return `${instrument.exchange}:${instrument.tradingSymbol}`;
}

/** IST, as the broker takes it: `yyyy-mm-dd hh:mm:ss`. */
function wallClock(at: number): string {
  return istIso(at).slice(0, 19).replace('T', ' ');
}
