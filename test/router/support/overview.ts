import type { BrokerStatus } from '../../../src/router/broker-status.ts';
import type { SwitchNow } from '../../../src/router/overview-needs.ts';
import { type EpochMs, epochMs, type TradingDay } from '../../../src/units/branded.ts';

/** A Monday, in the session. */
export const NOW = epochMs(Date.parse('2026-11-23T10:00:00+05:30'));
export const OFF: SwitchNow = {
  ...{ engaged: false, reason: null, changedAt: null },
};

export function broker(name: string, mode: 'live' | 'paper', reason: string | null): BrokerStatus {
  const available = reason === null;
  const part = (what: 'market_data' | 'trading') => ({
    ...{ part: what, chosenBy: 'route' as const, available, reason },
  });
  return {
    ...{ broker: name, mode, serves: ['trading'], hasSession: available, available, reason },
    ...{
      parts: [part('market_data'), part('trading')],
      instruments: null,
      addressRefusal: null,
      deadToken: null,
    },
    ...{ isStreaming: null, postbacks: null, clock: null },
  };
}

/** The login at `one`. */
export const valid = (expiresAt: EpochMs) => ({
  broker: 'one',
  state: {
    ...{ state: 'valid' as const, accessToken: 't', userId: 'AB', obtainedAt: NOW, expiresAt },
    ...{ source: 'memory' as const, verifiedAt: NOW },
  },
});
/** Both brokers take orders, and nothing is wrong. */
export const given = {
  ...{
    brokers: [broker('one', 'live', null), broker('sim', 'paper', null)],
    route: ['one', 'sim'],
  },
  ...{
    hasPrices: true,
    paperOnOutage: false,
    killSwitch: OFF,
    session: valid(epochMs(NOW + 3_600_000)),
    open: [],
    unread: [],
  },
  ...{ key: { mayTrade: true, mode: null, stopped: null }, named: null, isDiskLow: false },
  ...{ exits: [], closings: [], triggers: [], portfolios: new Map(), isinOf: () => null },
  ...{ webhooks: [], signals: { signals: [], hasMore: false, unread: null } },
  ...{ today: '2026-11-23' as TradingDay, marketHours: 'exchange' as const, now: NOW },
};
