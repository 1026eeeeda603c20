import type { Instrument, InstrumentLookup } from '../../domain/instrument.ts';
import { parentExchange } from '../../domain/instrument.ts';
import { istDay } from '../../domain/ist.ts';
import type { OptionChain, OptionChainQuery } from '../../domain/option-chain.ts';
import type { Clock } from '../../platform/clock.ts';
import { mapChain, mapOlderChain } from './chain-mapping.ts';
import { isMissingPath } from './client.ts';
import type { ChainRequest, DataClient } from './data-client.ts';
import { badPayload } from './errors.ts';
import { expiryDay } from './expiry-day.ts';
import { notServed } from './not-served.ts';
import { underlyingSymbol } from './underlying-symbols.ts';

export interface OptionChainParts {
  readonly client: DataClient;
  readonly instruments: InstrumentLookup;
  readonly clock: Clock;
}

export interface OptionChains {
  optionChain(query: OptionChainQuery): Promise<OptionChain>;
  expiries(underlying: Instrument): Promise<readonly string[]>;
}

/** How long the older form is asked at once, after the documented one was not there. */
const OLDER_MS = 10 * 60_000;

/** Option chain and expiries (docs/spec/primary-brokerage.md, "Option chain"). */
export function createOptionChains({ client, instruments, clock }: OptionChainParts): OptionChains {
  /** Until when the broker counts as one that has the older form alone, in elapsed ms. */
  let olderUntil = -Infinity;
  const today = (): string => istDay(clock.now());

  async function expiries(underlying: Instrument): Promise<readonly string[]> {
    const named = describe(underlying);
    const rows = await client.expiries(named.symbol);
    const days = rows.map((each) => {
      const day = typeof each === 'string' ? expiryDay(each.trim()) : null;
      if (day === null) throw badPayload(`an expiry of ${named.symbol} is not a day`);
      return day;
    });
    return [...new Set(days)].sort();
  }

  /** Null where the broker has no list of expiries: the chain may do without. */
  async function nearestExpiry(underlying: Instrument): Promise<string | null> {
    try {
      const day = (await expiries(underlying)).find((each) => each >= today());
      if (day === undefined) throw notServed(`${underlying.name} has no options at this broker`);
      return day;
    } catch (error) {
      if (isMissingPath(error)) return null;
      throw error;
    }
  }

  async function documented(query: OptionChainQuery): Promise<OptionChain> {
    const { exchange, segment, securityId } = describe(query.underlying);
    const expiry = query.expiry ?? (await nearestExpiry(query.underlying));
    // Both sides and the middle: too many are cut to what was asked for, too few could not be.
    const strikeCount = query.strikes === null ? null : 2 * query.strikes + 1;
    const request: ChainRequest = { exchange, segment, securityId, expiry, strikeCount };
    return mapChain(await client.optionChain(request), query, expiry, instruments);
  }

  async function older(query: OptionChainQuery): Promise<OptionChain> {
    const { symbol } = describe(query.underlying);
    return mapOlderChain(await client.olderOptionChain(symbol), query, today(), instruments);
  }

  return {
    expiries,
    async optionChain(query) {
      if (clock.elapsed() < olderUntil) return older(query);
      try {
        return await documented(query);
      } catch (error) {
        if (!isMissingPath(error)) throw error;
        const chain = await older(query);
        // Only once the older form has answered: 404 can also mean the underlying.
        olderUntil = clock.elapsed() + OLDER_MS;
        return chain;
      }
    },
  };
}

/** What the broker calls it. Rejects what has no options there: derivatives, and what it has no id for. */
function describe(underlying: Instrument) {
  const { segment, securityId } = underlying;
  if (segment === 'DERIVATIVE' || securityId === null) {
    throw notServed(`${underlying.name} has no options at this broker`);
  }
  const exchange = parentExchange(underlying.exchange);
  return { exchange, segment, securityId, symbol: underlyingSymbol(underlying) };
}
