import { describe, expect, it } from 'vitest';
import { attemptFor } from './orders.ts';
import type { Traits } from './under-test.ts';

export function describePlacingTroubles({ make, placingTroubles, remote }: Traits): void {
  describe('placing never rejects, and never says more than is known', () => {
    it.each(
      placingTroubles.map(
        (trouble) => [trouble.name, trouble.outcome.kind, trouble.orders, trouble] as const,
      ),
    )(
      '%s: %s, and the broker has %i',
      async (_name, _kind, orders, { strike, outcome: expected }) => {
        await using under = await make();
        await strike(under);
        const outcome = await under.time.settle(under.trading.place(attemptFor(under.infosys)));
        expect(outcome).toMatchObject(expected);
        await under.time.advance(60_000);
        expect(under.ordersTaken()).toBe(orders);
        // No retry, no redirect followed.
        if (remote) expect(under.sent).toHaveLength(1);
      },
    );
  });

  describe.skipIf(!remote)('a broker that cannot be reached five times in a row', () => {
    it('is held back for a while, with nothing sent', async () => {
      await using under = await make();
      const refusal = placingTroubles.find(({ outcome }) => outcome.kind === 'not_sent')!;
      for (let count = 0; count < 5; count += 1) {
        await refusal.strike(under);
        await under.time.settle(under.trading.place(attemptFor(under.infosys)));
      }
      expect(under.trading.blocked()).toMatchObject({ kind: 'not_sent', cause: 'breaker' });
      const held = await under.time.settle(under.trading.place(attemptFor(under.infosys)));
      expect(held).toMatchObject({ kind: 'not_sent', cause: 'breaker' });
      expect(under.sent).toHaveLength(5);
      await under.time.advance(10_001);
      expect(under.trading.blocked()).toBeNull();
    });
  });
}
