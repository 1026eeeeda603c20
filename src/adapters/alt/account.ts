import type { Account } from '../../domain/ports.ts';
import type { GuardedCalls } from './calls.ts';
import type { KiteClient } from './client.ts';
import { toFunds, toHolding, toPosition, toProfile } from './mapping-portfolio.ts';
import { createAltMargins } from './margins.ts';
import type { RateLimitQueues } from './rate-limits.ts';
import { holdingRows, margins, parseAs, positionsReply, profile } from './schemas.ts';

export interface AccountParts {
  readonly client: KiteClient;
  readonly guardedCalls: GuardedCalls;
  readonly queues: RateLimitQueues;
}

export interface AltAccount extends Account {
  readonly margins: NonNullable<Account['margins']>;
}

/** Portfolio and funds at the alternative broker (docs/spec/alt-operations.md). */
export function createAltAccount(parts: AccountParts): AltAccount {
  const { client, guardedCalls, queues } = parts;
  const queue = queues.account;
  return {
    broker: 'alt',
    positions: () =>
      guardedCalls.read(queue, client.positions, (data) =>
        parseAs(positionsReply, data).net.map(toPosition),
      ),
    holdings: () =>
      guardedCalls.read(queue, client.holdings, (data) =>
        parseAs(holdingRows, data).map(toHolding),
      ),
    funds: () =>
      guardedCalls.read(queue, client.equityMargins, (data) => toFunds(parseAs(margins, data))),
    profile: () =>
      guardedCalls.read(queue, client.profile, (data) => toProfile(parseAs(profile, data))),
    ...createAltMargins(parts),
  };
}
