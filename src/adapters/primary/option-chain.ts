import type { BrokerInstruments, Instrument } from '../../domain/instrument.ts';
import { parentExchange } from '../../domain/instrument.ts';
import { istDay } from '../../domain/ist.ts';
import type { OptionChain, OptionChainQuery } from '../../domain/option-chain.ts';
import type { Clock } from '../../platform/clock.ts';
import { mapChain, mapOlderChain } from './chain-mapping.ts';
import { isMissingPath } from './client.ts';
import type { ChainRequest, DataClient } from './data-client.ts';
import { badPayload } from './envelope.ts';
import { expiryDay } from './expiry-day.ts';
import { notServed } from './not-served.ts';
import { underlyingSymbol } from './underlying-symbols.ts';
import { LONG_AGO, plus } from '../../units/branded.ts';

export interface OptionChainParts {
  readonly client: DataClient;
  readonly instruments: BrokerInstruments;
  readonly clock: Clock;
}

export interface OptionChains {
  optionChain(query: OptionChainQuery): Promise<OptionChain>;
  expiries(underlying: Instrument): Promise<readonly string[]>;
}

/** How long the gateway asks for the older form first, after the documented path was missing. */
const OLDER_MS = 10 * 60_000;

/** Option chain and expiries (docs/spec/primary-brokerage.md, "Option chain"). */
export function createOptionChains({ client, instruments, clock }: OptionChainParts): OptionChains {
  /** Until when the broker counts as one that has only the older form. */
  let olderUntil = LONG_AGO;
  const today = (): string => istDay(clock.now());

  async function expiries(underlying: Instrument): Promise<readonly string[]> {
    const named = describe(instruments.own(underlying));
    const rows = await client.expiries(named.symbol);
    const days = rows.map((each) => {
      const day = typeof each === 'string' ? expiryDay(each.trim()) : null;
      if (day === null) throw badPayload(`an expiry of ${named.symbol} is not a date`);
      return day;
    });
    return [...new Set(days)].sort();
  }

  /** Null where the broker has no list of expiries: the chain can be asked for without one. */
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
    const { exchange, segment, securityId } = describe(instruments.own(query.underlying));
    const expiry = query.expiry ?? (await nearestExpiry(query.underlying));
    // The strikes of both sides and the one at the price. Too many are cut to the number asked for;
    // too few could not be added to.
    const strikeCount = query.strikes === null ? null : 2 * query.strikes + 1;
    const request: ChainRequest = { exchange, segment, securityId, expiry, strikeCount };
    return mapChain(await client.optionChain(request), query, expiry, instruments);
  }

  async function older(query: OptionChainQuery): Promise<OptionChain> {
    const { symbol } = describe(instruments.own(query.underlying));
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
        // Only after the older form has answered: a 404 can also mean an unknown underlying.
        olderUntil = plus(clock.elapsed(), OLDER_MS);
        return chain;
      }
    },
  };
}

/**
 * The broker's names for the underlying. Throws for instruments that have no options there:
 * derivatives, and instruments without an id at the broker.
 */
function describe(underlying: Instrument) {
  const { segment, securityId } = underlying;
  if (segment === 'DERIVATIVE' || securityId === null) {
    throw notServed(`${underlying.name} has no options at this broker`);
  }
  const exchange = parentExchange(underlying.exchange);
  return { exchange, segment, securityId, symbol: underlyingSymbol(underlying) };
}
