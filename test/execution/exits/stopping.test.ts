import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../../src/domain/outcome.ts';
import { ALL } from '../closings/support/all.ts';
import { exitBench, refusedAs } from './support/exit-bench.ts';

/** A broker that answers a placing only once it is told to. */
async function silentBench() {
  const bench = await exitBench();
  const { place } = bench.broker;
  let answer: () => void = () => undefined;
  bench.broker.place = (attempt) =>
    new Promise<Outcome>((resolve) => {
      answer = () => resolve(place(attempt));
    });
  return { ...bench, answer: () => answer() };
}

describe('a leg without an outcome', () => {
  it('ends the exit after a minute and a half with a critical alert, and no other leg leaves', async () => {
    const { begin, after, broker, trading } = await silentBench();
    const { id } = await begin();
    expect((await after(id, 85_000)).over).toBeNull();
    const exit = await after(id, 10_000);
    expect(exit.over).toMatchObject({ end: 'stopped', why: 'leg_uncertain' });
    expect(exit.over?.detail).toMatch(
      /^leg 1 has had no outcome for 90 s: .*order ord_\S+, sending/,
    );
    expect(trading.alerts().map(({ level }) => level)).toEqual(['critical']);
    await after(id, 60_000);
    expect(broker.placed).toHaveLength(1);
  });

  it('is found out all the same, and a second exit sells nothing twice', async () => {
    const { begin, after, answer, broker, time } = await silentBench();
    const first = await begin();
    await time.advance(100_000);
    const second = await after((await begin()).id, 30_000);
    expect(second.over).toMatchObject({ end: 'stopped', why: 'resting_not_cancelled' });
    answer();
    await time.advance(5_000);
    expect((await after(first.id, 0)).over?.why).toBe('leg_uncertain');
    expect((await after((await begin()).id, 20_000)).over?.end).toBe('flat');
    expect(broker.placed).toHaveLength(1);
  });

  it('has one where its order is not even written down after that time', async () => {
    const { begin, after, broker } = await exitBench();
    let permit: (blocked: null) => void = () => undefined;
    broker.trading.permit = () => new Promise((resolve) => (permit = resolve));
    const { id } = await begin();
    expect((await after(id, 80_000)).over).toBeNull();
    expect((await after(id, 15_000)).over).toMatchObject({ why: 'leg_uncertain' });
    permit(null);
    await after(id, 10_000);
    expect(broker.placed.length).toBeLessThanOrEqual(1);
  });
});

describe('a leg whose placing fails by a mistake of the gateway', () => {
  it('ends the exit at once, and says so', async () => {
    const { begin, after, broker, legs } = await exitBench();
    broker.trading.permit = () => Promise.reject(new TypeError('of a programmer'));
    const exit = await after((await begin()).id, 5_000);
    expect(exit.over).toMatchObject({ end: 'stopped', why: 'mistake' });
    expect(legs()).toEqual([]);
  });
});

describe('a gateway that stops', () => {
  it('does not wait for the pause of an exit, which the next process goes on with', async () => {
    const { begin, after, fates, time, trading, legs } = await exitBench();
    fates.push(...Array.from({ length: 4 }, () => refusedAs('rate_limited')));
    const { id } = await begin();
    const paused = await after(id, 8_000);
    expect([paused.plan.waits, legs().length]).toEqual([4, 4]);
    const begun = time.elapsed();
    await trading.restart();
    expect(time.elapsed() - begun).toBeLessThan(1_000);
    await time.advance(20_000);
    expect((await trading.execution.exits.exit(id))?.over).toMatchObject({ end: 'flat' });
    expect(legs()).toHaveLength(5);
  });

  it('answers a used key with what it has begun, and begins nothing new', async () => {
    const { exits, begin, after, commandOf, trading, broker, time } = await exitBench();
    const { closings } = trading.execution;
    const keyed = { ...ALL, idempotencyKey: 'all' };
    const { id } = await begin({ idempotencyKey: 'one' });
    await after(id, 20_000);
    const all = await time.settle(closings.begin(keyed));
    await time.advance(20_000);
    const sent = broker.placed.length;
    const stopped = trading.execution[Symbol.asyncDispose]();
    const again = await exits.begin(commandOf({ idempotencyKey: 'one' }));
    expect([again.repeated, again.exit.id]).toEqual([true, id]);
    const closing = await closings.begin(keyed);
    expect([closing.repeated, closing.closing.id]).toEqual([true, all.closing.id]);
    await expect(exits.begin(commandOf())).rejects.toThrow('the gateway is stopping');
    await expect(closings.begin(ALL)).rejects.toThrow('the gateway is stopping');
    await time.settle(Promise.resolve(stopped));
    expect(broker.placed).toHaveLength(sent);
  });
});
