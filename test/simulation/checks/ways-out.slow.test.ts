import { beforeAll, describe, expect, it } from 'vitest';
import type { BrokerInspector } from '../../../sandbox/kernel/inspector.ts';
import { planRichDay } from '../plan-rich.ts';
import { dayOf, playSeed } from '../run-seed.ts';
import { changedOrderId, isCancel } from '../traffic.ts';
import type { World } from '../world.ts';
import { cancelsLeaveSoon } from './ways-out.ts';

/** A day on which only placing fails is played, and then told with a cancel that did not leave. */
describe('a cancel that does not leave within a minute', () => {
  const found = { played: [''], sent: [''], kept: [''], unconnected: [''] };

  /** Nothing ends: in the played day the cancel ended its order. */
  const allRest = <T extends BrokerInspector>(inspector: T): T => ({
    ...inspector,
    order(id: string) {
      const order = inspector.order(id);
      return order && { ...order, final: false };
    },
  });

  beforeAll(async () => {
    const plan = planRichDay('700');
    expect(plan.directed).toBe('placing_fails');
    await playSeed(plan, (played) => {
      const day = dayOf(played)!;
      const { sandbox, taken, sent, asked } = day.world;
      const rested = (id: string | null, at: number): boolean =>
        taken.some(
          ({ brokerOrderId, order }) => brokerOrderId === id && order.createdAt + 60_000 <= at,
        );
      const cancel = sent.find(
        ({ wanted, request, at }) =>
          wanted !== null && isCancel(request) && rested(changedOrderId(request), at),
      )!;
      const look = (changes: Partial<World>): string[] =>
        cancelsLeaveSoon({ ...day, world: { ...day.world, ...changes } }).map(({ text }) => text);
      const told = {
        sandbox: { ...sandbox, kite: allRest(sandbox.kite), primary: allRest(sandbox.primary) },
        asked: { ...asked, tried: [{ at: cancel.at, wanted: cancel.wanted! }] },
        unconnected: [],
      };
      found.played = look({});
      found.sent = look({ ...told, sent: [cancel] });
      found.kept = look({ ...told, sent: [] });
      found.unconnected = look({ ...told, sent: [], unconnected: [cancel] });
      return Promise.resolve();
    });
  });

  it('is a violation', () => {
    expect(found.played).toEqual([]);
    expect(found.sent).toEqual([]);
    expect(found.kept).toHaveLength(1);
  });
  it('but not where no connection opened for it', () => {
    expect(found.unconnected).toEqual([]);
  });
});
