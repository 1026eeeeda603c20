import type { UnreadPortfolioRow } from '../../domain/portfolio.ts';
import type { Account, Reader } from '../../domain/ports.ts';
import { createUnreadRows, readEach } from '../kit/unread-rows.ts';
import type { GuardedCalls } from './calls.ts';
import type { KiteClient } from './client.ts';
import {
  readHolding,
  readPosition,
  readWholeHolding,
  readWholePosition,
  restOfHolding,
  restOfPosition,
  toAccountFunds,
  toProfile,
} from './mapping-portfolio.ts';
import { createAltCharges } from './charges.ts';
import { createAltMargins } from './margins.ts';
import type { RateLimitQueues } from './rate-limits.ts';
import { anyRows, parseAs } from './schemas.ts';
import { dayPositionsReply, positionsReply, profile } from './schemas-portfolio.ts';

export interface AccountParts {
  readonly client: KiteClient;
  readonly guardedCalls: GuardedCalls;
  readonly queues: RateLimitQueues;
}

export interface AltAccount extends Account {
  readonly margins: NonNullable<Account['margins']>;
  readonly charges: NonNullable<Account['charges']>;
}

/** Portfolio and funds at the alternative broker (docs/spec/alt-operations.md). */
export function createAltAccount(parts: AccountParts): AltAccount {
  const { client, guardedCalls, queues } = parts;
  const queueOf = (reader: Reader = 'watch') =>
    reader === 'caller' ? queues.asked : queues.account;
  const unreadRows = createUnreadRows<UnreadPortfolioRow>();
  return {
    broker: 'alt',
    positions: (reader) =>
      guardedCalls.read(queueOf(reader), client.positions, (data) => {
        const { net } = parseAs(positionsReply, data);
        const read = reader === 'caller' ? readWholePosition : readPosition;
        const { rows, unread } = readEach(net, read, restOfPosition);
        return unreadRows.note(rows, unread);
      }),
    dayPositions: () =>
      guardedCalls.read(queues.asked, client.positions, (data) => {
        const { day } = parseAs(dayPositionsReply, data);
        const { rows, unread } = readEach(day, readWholePosition, restOfPosition);
        return unreadRows.note(rows, unread);
      }),
    holdings: (reader) =>
      guardedCalls.read(queueOf(reader), client.holdings, (data) => {
        const read = reader === 'caller' ? readWholeHolding : readHolding;
        const { rows, unread } = readEach(parseAs(anyRows, data), read, restOfHolding);
        return unreadRows.note(rows, unread);
      }),
    unread: unreadRows.of,
    funds: () => guardedCalls.read(queues.asked, client.allMargins, toAccountFunds),
    profile: () =>
      guardedCalls.read(queues.asked, client.profile, (data) => toProfile(parseAs(profile, data))),
    ...createAltMargins(parts),
    charges: createAltCharges(parts),
  };
}
