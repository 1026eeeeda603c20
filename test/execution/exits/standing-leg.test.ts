import { describe, expect, it } from 'vitest';
import { exitBench, quoteAt } from './support/exit-bench.ts';

const MINUTE_MS = 60_000;
const CIRCUITS = { lowerCircuit: 1_350, upperCircuit: 1_650 };
/** So far down that an exit's price is that of the lower circuit. */
const LOCKED = quoteAt(1_351, CIRCUITS);

/** A sale of 100 that stands at the lower circuit, and does not fill. */
async function standing(settings: { attempts?: number } = {}) {
  const bench = await exitBench({ settings });
  bench.fates.push({ kind: 'fills', quantity: 0 });
  bench.bench.quote = LOCKED;
  const { id } = await bench.begin();
  await bench.after(id, 3_000);
  expect(bench.legs().map(([, , price]) => price)).toEqual([1_350]);
  return { ...bench, id };
}

describe('a leg that stands at the circuit', () => {
  it('keeps its place for as long as no other price would fill sooner', async () => {
    const { bench, after, id, legs } = await standing();
    await after(id, 30 * MINUTE_MS);
    // Higher prices fill later.
    bench.quote = quoteAt(1_400, CIRCUITS);
    const { over } = await after(id, 30 * MINUTE_MS);
    expect([legs().length, over]).toEqual([1, null]);
  });

  it.each([
    ['the circuit is widened', quoteAt(1_290, { lowerCircuit: 1_275, upperCircuit: 1_650 })],
    ['the quote had a wrong one', quoteAt(1_340, { lowerCircuit: 1_200, upperCircuit: 1_650 })],
  ])('is placed again where %s, and uses up no attempt', async (_what, quote) => {
    const { bench, after, id, legs } = await standing({ attempts: 1 });
    await after(id, 45 * MINUTE_MS);
    bench.quote = quote;
    const { over } = await after(id, MINUTE_MS);
    expect([legs().length, over?.end]).toEqual([2, 'flat']);
  });

  it('keeps its place where one quote alone says that another price would fill sooner', async () => {
    const { bench, after, id, legs } = await standing();
    await after(id, 18_500);
    bench.quote = quoteAt(1_290, { lowerCircuit: 1_275, upperCircuit: 1_650 });
    await after(id, 2_500);
    bench.quote = LOCKED;
    await after(id, 10 * MINUTE_MS);
    expect(legs()).toHaveLength(1);
  });

  it('is told to a person after three minutes, once', async () => {
    const { after, id, trading } = await standing();
    await after(id, 2 * MINUTE_MS);
    expect(trading.alerts()).toEqual([]);
    await after(id, 60 * MINUTE_MS);
    expect(trading.alerts()).toMatchObject([
      { level: 'warning', message: expect.stringContaining('stands at the circuit (₹1,350.00)') },
    ]);
  });

  it('ends with its exit where a caller ends that', async () => {
    const { after, id, trading, time } = await standing();
    await after(id, 10 * MINUTE_MS);
    await time.settle(trading.execution.exits.cancel(id));
    const { over } = await after(id, MINUTE_MS);
    expect(over).toMatchObject({ end: 'stopped', why: 'cancelled', held: 100 });
  });
});

describe('an exit', () => {
  it('does not end as one that took too long where the clock is set forward', async () => {
    const { fates, begin, after, time } = await exitBench();
    fates.push({ kind: 'fills', quantity: 40 });
    const { id } = await begin();
    await after(id, 3_000);
    time.stepWall(4 * MINUTE_MS);
    const { over } = await after(id, MINUTE_MS);
    expect(over?.end).toBe('flat');
  });
});
