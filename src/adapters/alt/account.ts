import type { Account } from '../../domain/ports.ts';
import type { Capability } from './capability.ts';
import type { KiteClient } from './client.ts';
import { toFunds, toHolding, toPosition, toProfile } from './mapping-portfolio.ts';
import { createAltMargins } from './margins.ts';
import type { Lanes } from './pace.ts';
import { holdingRows, margins, parseAs, positionsReply, profile } from './schemas.ts';

export interface AccountParts {
  readonly client: KiteClient;
  readonly capability: Capability;
  readonly lanes: Lanes;
}

export interface AltAccount extends Account {
  readonly margins: NonNullable<Account['margins']>;
}

/** Portfolio and funds at the alternative broker (docs/spec/alt-operations.md). */
export function createAltAccount(parts: AccountParts): AltAccount {
  const { client, capability, lanes } = parts;
  const lane = lanes.account;
  return {
    broker: 'alt',
    positions: () =>
      capability.read(lane, client.positions, (data) =>
        parseAs(positionsReply, data).net.map(toPosition),
      ),
    holdings: () =>
      capability.read(lane, client.holdings, (data) => parseAs(holdingRows, data).map(toHolding)),
    funds: () =>
      capability.read(lane, client.equityMargins, (data) => toFunds(parseAs(margins, data))),
    profile: () =>
      capability.read(lane, client.profile, (data) => toProfile(parseAs(profile, data))),
    ...createAltMargins(parts),
  };
}
