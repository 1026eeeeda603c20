import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../sandbox/kernel/ports.ts';
import type { Outcome } from '../../src/domain/outcome.ts';
import { attemptFor } from '../contract/orders.ts';
import { createContractWorld } from '../contract/world.ts';
import { gttAttempt } from './alt/support/calls.ts';

/** A broker to which no connection opens for three seconds, and then all that were begun do, nearly together. */
async function bench(which: 'alt' | 'primary', seed: string) {
  const random = seededRandom(seed);
  const begun = { at: Infinity };
  const connectingMs = (): number =>
    Math.max(0, begun.at + 3_000 - world.time.elapsed()) + random.next() * 80;
  const world = await createContractWorld({ connectingMs });
  begun.at = world.time.elapsed();
  const inspector = which === 'alt' ? world.sandbox.kite : world.sandbox.primary;
  return { ...world, inspector, trading: world[which].trading! };
}

type Bench = Awaited<ReturnType<typeof bench>>;

const place = async (
  { trading, infosys }: Bench,
  purpose: 'place' | 'way_out' = 'place',
): Promise<Outcome> =>
  (await trading.permit(5_000, purpose)) ??
  trading.place({ ...attemptFor(infosys, { quantity: 1 }), wayOut: purpose === 'way_out' });

const endOf = (outcome: Outcome): string =>
  outcome.kind === 'not_sent' ? outcome.cause : outcome.kind;

describe.each(['alt', 'primary'] as const)('slow connections to %s', (which) => {
  it.each(['a', 'b', 'c'])('let no more orders arrive than its limit allows (%s)', async (seed) => {
    const under = await bench(which, seed);
    const ends = await under.time.settle(
      Promise.all(Array.from({ length: 60 }, () => place(under))),
    );
    expect(under.inspector.limitBreaks()).toEqual([]);
    const names = ends.map(endOf);
    expect([...new Set(names)].sort()).toEqual(['acknowledged', 'no_permit']);
    const taken = names.filter((name) => name === 'acknowledged');
    expect(under.inspector.orders()).toHaveLength(taken.length);
    // Eight a second for five seconds, with permits; some of them need a second place.
    expect(taken.length).toBeGreaterThanOrEqual(25);
  });

  it('hold no way out back behind the orders that wait for a second place', async () => {
    const under = await bench(which, 'ways out');
    const entries = Promise.all(Array.from({ length: 60 }, () => place(under)));
    await under.time.advance(2_000);
    const waysOut = Promise.all(Array.from({ length: 4 }, () => place(under, 'way_out')));
    expect((await under.time.settle(waysOut)).map(endOf)).toEqual(Array(4).fill('acknowledged'));
    await under.time.settle(entries);
    expect(under.inspector.limitBreaks()).toEqual([]);
  });

  it('ask again whether the order may leave when it has a place', async () => {
    const under = await bench(which, 'a');
    let isWanted = true;
    const mayLeave = (): boolean => isWanted;
    const attempt = { ...attemptFor(under.infosys, { quantity: 1 }), mayLeave };
    // None of them has a place: the first ones find one when their connections are open.
    const outcomes = Array.from({ length: 20 }, () => under.trading.place(attempt));
    await under.time.advance(3_500);
    isWanted = false;
    const names = (await under.time.settle(Promise.all(outcomes))).map(endOf);
    expect(names.filter((name) => name === 'acknowledged')).toHaveLength(8);
    expect(names.filter((name) => name === 'held_back')).toHaveLength(12);
    expect(under.inspector.orders()).toHaveLength(8);
  });
});

describe('a trigger whose connection to alt opens slowly', () => {
  it('does not leave in the place of a read, which shares its limit', async () => {
    const { alt, time, inspector } = await bench('alt', 'a trigger');
    const placed = alt.triggers.calls.place(gttAttempt());
    await time.advance(2_900);
    // They use the second's limit up, just before the connection opens.
    const reads = Promise.all(Array.from({ length: 10 }, () => alt.account.positions()));
    const outcome = await time.settle(placed);
    expect((await time.settle(reads)).length).toBe(10);
    expect([inspector.limitBreaks(), outcome.kind]).toEqual([[], 'acknowledged']);
  });
});
