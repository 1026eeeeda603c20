import { describe, expect, it, vi } from 'vitest';
import type { BrokerTrigger } from '../../../src/domain/trigger.ts';
import type { ExitParts } from '../../../src/execution/exits/exit-parts.ts';
import type { ExitRecord } from '../../../src/execution/exits/exit.ts';
import { createOtherTriggers } from '../../../src/execution/exits/other-triggers.ts';
import { brokerTrigger } from '../triggers/makers.ts';
import { stateOf } from '../support/makers.ts';

/** What an exit of CNC shares of INFY that is to end triggers placed elsewhere does with these. */
async function ended(...triggers: readonly BrokerTrigger[]): Promise<readonly string[]> {
  const deleteExternal = vi.fn<ExitParts['deleteExternal']>(() =>
    Promise.resolve({ kind: 'acknowledged', triggerId: '1' }),
  );
  const parts = {
    ...{ clock: { now: () => 0, elapsed: () => 0 }, log: { warn: vi.fn() }, deleteExternal },
    ...{ writer: { state: stateOf({}) }, commitRetry: { commit: vi.fn() } },
  } as unknown as ExitParts;
  const exit = {
    ...{ id: 'exit_1', caller: 'someone', broker: 'alt', instrument: 'NSE:INFY', product: 'CNC' },
    ...{ side: 'SELL', cancelExternal: true },
  } as ExitRecord;
  const list = { triggers, unread: [] };
  const read = { begun: 0, list, account: null } as never;
  const seen = { watch: {} as never, read, late: new Promise(() => undefined) };
  await createOtherTriggers(parts, () => null).seeTo(exit, seen);
  return deleteExternal.mock.calls.map(([, { wanted }]) => wanted.triggerId);
}

const ofProduct = (triggerId: string, product: string): BrokerTrigger => {
  const { legs, ...rest } = brokerTrigger({ triggerId });
  return { ...rest, legs: legs.map((leg) => ({ ...leg, product })) };
};

describe('triggers placed elsewhere that an exit is to end', () => {
  it.each(['CNC', 'MIS?', ''])(
    'include one of product "%s", which may be of what is held',
    async (product) => {
      expect(await ended(ofProduct('7', product))).toEqual(['7']);
    },
  );

  it.each(['INTRADAY', 'MARGIN', 'MTF'])(
    'leave out one of another product: %s',
    async (product) => {
      expect(await ended(ofProduct('7', product))).toEqual([]);
    },
  );
});
