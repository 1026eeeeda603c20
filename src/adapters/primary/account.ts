import type { KnownDerivative } from '../../domain/derivatives.ts';
import type { InstrumentLookup } from '../../domain/instrument.ts';
import type { UnreadPortfolioRow } from '../../domain/portfolio.ts';
import type { Account } from '../../domain/ports.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { createUnreadRows } from '../kit/unread-rows.ts';
import type { PrimaryClient } from './client.ts';
import { createDerivativeAccess } from './derivative-access.ts';
import { mapFunds, mapHoldings, mapProfile } from './portfolio-mapping.ts';
import { createPositions } from './positions.ts';

export interface AccountParts {
  readonly client: PrimaryClient;
  /** The same for what callers ask for. */
  readonly asked: PrimaryClient;
  readonly lookup: InstrumentLookup;
  readonly knownDerivative: KnownDerivative;
  readonly margins: NonNullable<Account['margins']>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Portfolio, funds and margins at the primary brokerage (docs/spec/portfolio.md). */
export function createAccount(parts: AccountParts): Account {
  const { client, asked, lookup, clock, log } = parts;
  const access = createDerivativeAccess({ ...parts, client });
  const common = { lookup, access, clock, log };
  const readers = {
    watch: createPositions({ ...common, client }),
    caller: createPositions({ ...common, client: asked, reader: 'caller' }),
  };
  const unreadRows = createUnreadRows<UnreadPortfolioRow>();
  return {
    broker: 'primary',
    async positions(reader = 'watch') {
      const { rows, unread } = await readers[reader]();
      return unreadRows.note(rows, unread);
    },
    async holdings(reader = 'watch') {
      const from = reader === 'caller' ? asked : client;
      const { rows, unread } = mapHoldings(await from.holdings(), lookup, reader);
      return unreadRows.note(rows, unread);
    },
    unread: unreadRows.of,
    funds: async () => mapFunds(await asked.funds()),
    profile: async () => mapProfile(await asked.profile()),
    margins: parts.margins,
  };
}
