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
  readonly lookup: InstrumentLookup;
  readonly margins: NonNullable<Account['margins']>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Portfolio, funds and margins at the primary brokerage (docs/spec/portfolio.md). */
export function createAccount(parts: AccountParts): Account {
  const { client, lookup, clock, log } = parts;
  const access = createDerivativeAccess(client, clock);
  const readPositions = createPositions({ client, lookup, access, log });
  const unreadRows = createUnreadRows<UnreadPortfolioRow>();
  return {
    broker: 'primary',
    async positions() {
      const { rows, unread } = await readPositions();
      return unreadRows.note(rows, unread);
    },
    async holdings() {
      const { rows, unread } = mapHoldings(await client.holdings(), lookup);
      return unreadRows.note(rows, unread);
    },
    unread: unreadRows.of,
    funds: async () => mapFunds(await client.funds()),
    profile: async () => mapProfile(await client.profile()),
    margins: parts.margins,
  };
}
