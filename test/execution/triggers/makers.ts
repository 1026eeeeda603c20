import type { BrokerTrigger, OwnTriggerStatus } from '../../../src/domain/trigger.ts';
import type { TriggerRecord, TriggerState } from '../../../src/execution/triggers/trigger.ts';
import { epochMs } from '../../../src/units/branded.ts';

/** Friday 6 November 2026, 11:00 IST. */
export const AT = epochMs(Date.parse('2026-11-06T05:30:00Z'));

export const brokerTrigger = (changes: Partial<BrokerTrigger> = {}): BrokerTrigger => ({
  ...{ triggerId: '1', instrument: 'NSE:INFY', status: 'waiting', rawStatus: 'active' },
  legs: [
    {
      ...{ triggerPrice: 1_450, side: 'SELL', quantity: 10, product: 'CNC', orderType: 'LIMIT' },
      ...{ price: 1_449.5, brokerOrderId: null, reason: null },
    },
  ],
  ...{ createdAt: AT, updatedAt: AT, expiresAt: null },
  ...changes,
});

export const triggerRecord = (changes: Partial<TriggerRecord> = {}): TriggerRecord => ({
  ...{ id: 'trg_1', caller: 'admin', idempotencyKey: 'key', requestHash: 'hash' },
  ...{ broker: 'alt', mode: 'live', day: '2026-11-06', lastPrice: 1_500, baseline: ['7'] },
  terms: {
    instrument: 'NSE:INFY',
    legs: [{ triggerPrice: 1_450, side: 'SELL', quantity: 10, product: 'CNC', price: 1_449.5 }],
  },
  ...{ brokerAt: AT, isDeleteWanted: false, state: { kind: 'sending' } },
  ...{ createdAt: AT, updatedAt: AT },
  ...changes,
});

/** A trigger in a state, as it is in the journal. */
export function triggerState(kind: OwnTriggerStatus): TriggerState {
  const binding = { triggerId: '1', by: 'id' } as const;
  const reason = 'a reason';
  switch (kind) {
    case 'sending':
      return { kind };
    case 'refused':
    case 'not_sent':
      return { kind, reason };
    case 'uncertain':
      return { kind, reason, absentSince: null, candidates: [] };
    case 'absent':
      return { kind, reason, by: 'reads' };
    case 'waiting':
      return { kind, binding, row: brokerTrigger(), missingSince: null };
    case 'triggered':
      return { kind, binding, row: brokerTrigger({ status: 'triggered' }) };
    case 'ended':
      return { kind, binding, row: null, reason };
  }
}
