import type { Answer } from '../domain/answer.ts';
import type { BrokerId } from '../domain/broker.ts';
import { BrokerError } from '../domain/outcome.ts';
import type { Instrument } from '../domain/instrument.ts';
import type { Broker, MarketData } from '../domain/ports.ts';
import { GatewayProblem } from '../domain/problem.ts';
import type { Clock } from '../platform/clock.ts';
import type { Gateway, ReadOptions } from './gateway.ts';
import { marketDataBrokers, type BrokerView } from './policy.ts';
import { accountAnswer, noBroker, notServed } from './reads.ts';

/** Market data of the shared interface besides prices. */
export type MarketReads = Pick<Gateway, 'getCandles' | 'getOptionChain' | 'getExpiries'>;

export interface MarketReadsParts {
  readonly brokers: readonly Broker[];
  /** The market-data route. */
  readonly route: readonly BrokerId[];
  readonly view: (broker: BrokerId) => BrokerView;
  readonly instrument: (text: string) => Promise<Instrument>;
  readonly clock: Clock;
}

/** A call that a broker may not offer, and its description for the error when no broker does. */
interface Ask<T> {
  readonly what: string;
  readonly of: (source: MarketData) => (() => Promise<T>) | undefined;
}

/**
 * Reads that fail over along the market-data route within the call, as quotes do
 * (docs/spec/routing.md, "Market data"). A broker that does not offer the read is skipped. Nothing
 * is cached.
 */
export function createMarketReads(parts: MarketReadsParts): MarketReads {
  const { clock } = parts;

  async function first<T>({ what, of }: Ask<T>, options: ReadOptions): Promise<Answer<T>> {
    const views = (options.broker ? [options.broker] : parts.route).map(parts.view);
    const [named] = options.broker ? views : [];
    if (named?.notSetUp !== undefined) throw notServed(named, what);
    const open = options.broker ? [options.broker] : marketDataBrokers(views);
    const lacking: string[] = [];
    let isOffered = false;
    let failure: BrokerError | null = null;
    for (const broker of open) {
      const source = parts.brokers.find(({ id }) => id === broker)?.marketData;
      const ask = source && of(source);
      if (!ask) {
        lacking.push(`${broker} does not have it`);
        continue;
      }
      isOffered = true;
      const read = { askedAt: clock.now(), asked: clock.elapsed() };
      try {
        return accountAnswer(parts.view(broker), { ...read, data: await ask() }, clock);
      } catch (error) {
        if (!(error instanceof BrokerError)) throw error;
        if (isLacking(error)) lacking.push(error.message);
        else failure ??= error;
      }
    }
    if (failure) throw failure;
    // Without a session the broker's own list of instruments may never have been read.
    if (isOffered && named?.blocked?.cause === 'token') {
      const detail = `${named.broker}: ${named.blocked.reason}`;
      throw new GatewayProblem({ code: 'token_absent', detail, broker: named.broker });
    }
    throw nobody(what, { lacking, isOffered, mayCome: open.length < views.length });
  }

  return {
    async getCandles({ interval, from, to, ...query }, options = {}) {
      const instrument = await parts.instrument(query.instrument);
      const ask = { instrument, interval, from, to };
      return first(
        {
          what: `candles of ${interval} for ${instrument.name}`,
          of: (source) => source.candles?.bind(source, ask),
        },
        options,
      );
    },
    async getOptionChain({ expiry, strikes, ...query }, options = {}) {
      const underlying = await parts.instrument(query.underlying);
      const ask = { underlying, expiry, strikes };
      return first(
        {
          what: `an option chain of ${underlying.name}`,
          of: (source) => source.optionChain?.bind(source, ask),
        },
        options,
      );
    },
    async getExpiries(text, options = {}) {
      const underlying = await parts.instrument(text);
      return first(
        {
          what: `expiries of ${underlying.name}`,
          of: (source) => source.expiries?.bind(source, underlying),
        },
        options,
      );
    },
  };
}

/** `not_open` means that the broker was not asked, because it does not offer this. */
function isLacking({ failure }: BrokerError): boolean {
  return failure.kind === 'not_sent' && failure.reason === 'not_open';
}

/**
 * When a broker of the route has no session now, a retry may succeed later; otherwise it never
 * will.
 */
function nobody(
  what: string,
  found: { readonly lacking: readonly string[]; isOffered: boolean; mayCome: boolean },
): GatewayProblem {
  const { lacking, isOffered, mayCome } = found;
  const reasons = lacking.length === 0 ? '' : ` (${lacking.join('; ')})`;
  if (mayCome || lacking.length === 0) {
    return noBroker(`no broker that is logged in now has ${what}${reasons}`);
  }
  return new GatewayProblem({
    // When a broker offers the part, the request itself was wrong.
    code: isOffered ? 'not_offered' : 'not_supported',
    detail: `no broker has ${what}${reasons}`,
    mayHaveExecuted: false,
  });
}
