import type { InstrumentLookup } from '../../domain/instrument.ts';
import type { Position } from '../../domain/portfolio.ts';
import type { Account } from '../../domain/ports.ts';
import type { PrimaryClient } from './client.ts';
import { isRefusedQuery } from './errors.ts';
import {
  mapFunds,
  mapHoldings,
  mapPositions,
  mapProfile,
  positionList,
} from './portfolio-mapping.ts';

export function createAccount(client: PrimaryClient, lookup: InstrumentLookup): Account {
  async function positionsOf(product: 'CNC' | 'INTRADAY'): Promise<readonly Position[]> {
    const query = { segment: 'equity', product: product.toLowerCase() };
    return mapPositions(positionList(await client.positions(query)), product, lookup);
  }

  return {
    broker: 'primary',
    /**
     * Delivery and intraday rows take two calls. Only where the broker refuses both is it asked as
     * its older form was, without parameters; one that fails alone fails the read. One after the
     * other, because a half-open breaker lets a single call through.
     */
    async positions() {
      const delivery = await unlessRefused(() => positionsOf('CNC'));
      const intraday = await unlessRefused(() => positionsOf('INTRADAY'));
      if (delivery.refusal && intraday.refusal) {
        return mapPositions(positionList(await client.positions(null)), null, lookup);
      }
      const refusal = delivery.refusal ?? intraday.refusal;
      if (refusal) throw refusal;
      return [...delivery.positions, ...intraday.positions];
    },
    holdings: async () => mapHoldings(await client.holdings(), lookup),
    funds: async () => mapFunds(await client.funds()),
    profile: async () => mapProfile(await client.profile()),
  };
}

/** Rejects with every failure but a refusal of the question, which it hands back. */
async function unlessRefused(read: () => Promise<readonly Position[]>): Promise<{
  readonly positions: readonly Position[];
  readonly refusal: Error | null;
}> {
  try {
    return { positions: await read(), refusal: null };
  } catch (error) {
    if (!isRefusedQuery(error)) throw error;
    return { positions: [], refusal: error };
  }
}
