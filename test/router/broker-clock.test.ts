import { describe, expect, it } from 'vitest';
import type { Broker, BrokerTime } from '../../src/domain/ports.ts';
import { statusOf } from '../../src/router/broker-status.ts';
import { elapsedMs, epochMs } from '../../src/units/branded.ts';

const TOLD = Date.parse('2026-11-23T09:00:00+05:30');

/** `brokerTime` is absent at a broker that has no trading. */
function clockOf(told: BrokerTime | null, isLocal = false) {
  const trading = { brokerTime: () => told, blocked: () => null, ...(isLocal ? { isLocal } : {}) };
  const broker = { id: 'alt', mode: 'live', trading } as unknown as Broker;
  const view = () => ({ blocked: null }) as never;
  const known = { routes: { marketData: [], trading: ['alt'] }, brokers: [broker], view };
  return statusOf(broker, null, null, null, known).clock;
}

describe('the clock of this computer', () => {
  it('is compared with what the last answer of a broker told, in whole seconds', () => {
    const localAt = epochMs(TOLD + 90_500);
    const told = { at: epochMs(TOLD), localAt, receivedAt: elapsedMs(0) };
    expect(clockOf(told)).toEqual({ aheadMs: 90_000, toldAt: localAt });
    const exact = { ...told, localAt: epochMs(TOLD + 500) };
    expect(clockOf(exact)?.aheadMs).toBe(0);
  });

  it('is not compared before a broker has told its time, nor with its own', () => {
    const told = { at: epochMs(TOLD), localAt: epochMs(TOLD), receivedAt: elapsedMs(0) };
    expect(clockOf(null)).toBeNull();
    expect(clockOf(told, true)).toBeNull();
  });
});
