import { describe, expect, it } from 'vitest';
import { rowAt } from '../support/lying-broker.ts';
import { exitBench, quoteAt, refusedAs } from './support/exit-bench.ts';

describe('an exit', () => {
  it('sells all that is held as a LIMIT below the last price, and ends flat', async () => {
    const { begin, after, legs } = await exitBench();
    const { id } = await begin();
    const exit = await after(id, 20_000);
    expect(legs()).toEqual([['LIMIT', 100, 1_495.5]]);
    expect(exit.over).toMatchObject({ end: 'flat', why: null, held: 0 });
  });

  it('buys back a short position, above the last price', async () => {
    const { begin, after, legs, broker } = await exitBench({ held: -40 });
    const { id } = await begin();
    const exit = await after(id, 2_000);
    expect([exit.side, legs()]).toEqual(['BUY', [['LIMIT', 40, 1_504.5]]]);
    expect(broker.placed.map(({ terms: { side } }) => side)).toEqual(['BUY']);
  });

  it('of nothing ends flat without an order', async () => {
    const { begin, after, legs } = await exitBench({ held: 0 });
    const exit = await after((await begin()).id, 5_000);
    expect([legs(), exit.over?.end]).toEqual([[], 'flat']);
  });

  it('of a part ends when that has filled, and says what is still held', async () => {
    const { begin, after, legs } = await exitBench();
    const exit = await after((await begin({ quantity: 30 })).id, 20_000);
    expect(legs()).toEqual([['LIMIT', 30, 1_495.5]]);
    expect(exit.over).toMatchObject({ end: 'partly_flat', why: 'as_asked', held: 70 });
  });

  it('replaces a leg that does not fill, each time further from the market, and stops', async () => {
    const { begin, after, legs, fates, broker, trading } = await exitBench();
    fates.push(
      { kind: 'fills', quantity: 10 },
      { kind: 'fills', quantity: 0 },
      { kind: 'fills', quantity: 0 },
    );
    const exit = await after((await begin()).id, 60_000);
    expect(legs()).toEqual([
      ['LIMIT', 100, 1_495.5],
      ['LIMIT', 90, 1_491],
      ['LIMIT', 90, 1_486.5],
    ]);
    expect(broker.cancels).toEqual(['leg-1', 'leg-2', 'leg-3']);
    expect(exit.over).toMatchObject({ end: 'stopped', why: 'not_filled', held: 90 });
    expect(trading.alerts().map(({ level }) => level)).toEqual(['critical']);
  });

  it('leaves a leg that stands at the circuit where it is', async () => {
    const { begin, after, legs, fates, bench, broker, fill } = await exitBench();
    bench.quote = quoteAt(1_350, { lowerCircuit: 1_350 });
    fates.push({ kind: 'fills', quantity: 0 });
    const { id } = await begin();
    expect((await after(id, 600_000)).over).toBeNull();
    expect([legs(), broker.cancels]).toEqual([[['LIMIT', 100, 1_350]], []]);
    fill('leg-1', 100);
    expect((await after(id, 10_000)).over).toMatchObject({ end: 'flat' });
  });

  it('counts what was sold elsewhere meanwhile, and sells no more than is held', async () => {
    const { begin, after, legs, fates, setHeld, broker, time } = await exitBench();
    fates.push({ kind: 'fills', quantity: 0 });
    const { id } = await begin();
    await time.advance(5_000);
    setHeld(25);
    broker.rows = [
      ...broker.rows,
      rowAt(time, {
        ...{ brokerOrderId: 'hand', side: 'SELL', quantity: 75, filledQuantity: 75 },
        ...{ product: 'INTRADAY', status: 'filled', rawStatus: 'COMPLETE' },
      }),
    ];
    const exit = await after(id, 30_000);
    expect(legs().map(([, quantity]) => quantity)).toEqual([100, 25]);
    expect(exit.over?.end).toBe('flat');
  });

  it('leaves what orders placed elsewhere would sell, and says so', async () => {
    const { begin, after, legs, broker, time } = await exitBench();
    broker.rows = [
      rowAt(time, { brokerOrderId: 'hand', side: 'SELL', quantity: 60, product: 'INTRADAY' }),
    ];
    const exit = await after((await begin()).id, 20_000);
    expect(legs().map(([, quantity]) => quantity)).toEqual([40]);
    expect(exit.over).toMatchObject({ end: 'partly_flat', why: 'reserved_elsewhere', held: 60 });
    expect(broker.cancels).toEqual([]);
  });

  it('cancels what rests for the position, and reads the book again before it sells', async () => {
    const { begin, after, legs, trading, fates, broker, time } = await exitBench();
    fates.push({ kind: 'fills', quantity: 0 });
    await trading.place({ side: 'SELL', quantity: 60, product: 'INTRADAY', price: 1_600 });
    await time.advance(2_000);
    // It fills in part while its cancel is on its way.
    const honest = broker.cancel;
    broker.cancel = (id) => {
      broker.rows = broker.rows.map((row) => ({ ...row, filledQuantity: 20 }));
      broker.positions = broker.positions.map((row) => ({
        ...row,
        quantity: 80,
        sellQuantity: 20,
        day: { buyQuantity: 0, buyValue: 0, sellQuantity: 20, sellValue: 0 },
      }));
      return honest(id);
    };
    const exit = await after((await begin()).id, 20_000);
    expect(broker.cancels[0]).toBe('leg-1');
    expect(legs().map(([, quantity]) => quantity)).toEqual([60, 80]);
    expect(exit.over?.end).toBe('flat');
  });

  it('takes the place of a resting order, for what is left of it', async () => {
    const { begin, after, legs, trading, fates, time } = await exitBench();
    fates.push({ kind: 'fills', quantity: 15 });
    const order = await trading.place({
      ...{ side: 'SELL', quantity: 60, product: 'INTRADAY', price: 1_600 },
    });
    await time.advance(2_000);
    const exit = await after((await begin({ orderId: order.id })).id, 20_000);
    expect(legs().slice(1)).toEqual([['LIMIT', 45, 1_495.5]]);
    expect(exit.over).toMatchObject({ end: 'partly_flat', why: 'as_asked', held: 40 });
  });

  it('of a resting order leaves another one in the book, which protects the rest', async () => {
    const { begin, after, legs, trading, fates, time, broker } = await exitBench();
    fates.push({ kind: 'fills', quantity: 0 }, { kind: 'fills', quantity: 0 });
    const resting = { side: 'SELL', product: 'INTRADAY', price: 1_600 } as const;
    await trading.place({ ...resting, quantity: 40 });
    const order = await trading.place({ ...resting, quantity: 60 });
    await time.advance(2_000);
    await after((await begin({ orderId: order.id })).id, 20_000);
    expect(new Set(broker.cancels)).toEqual(new Set(['leg-2']));
    expect(legs().slice(2)).toEqual([['LIMIT', 60, 1_495.5]]);
  });
});

describe('a refused leg', () => {
  it('for its price goes out as MARKET in the same attempt', async () => {
    const { begin, after, legs, fates } = await exitBench();
    fates.push(refusedAs('price'));
    const exit = await after((await begin()).id, 20_000);
    expect(legs().map(([type]) => type)).toEqual(['LIMIT', 'MARKET']);
    expect([exit.over?.end, exit.plan.attempt]).toEqual(['flat', 1]);
  });

  it('as MARKET makes the next attempt a LIMIT', async () => {
    const { begin, after, legs, fates } = await exitBench();
    fates.push(refusedAs('price'), refusedAs('market_blocked'), refusedAs('price'));
    const exit = await after((await begin()).id, 20_000);
    expect(legs()).toEqual([
      ['LIMIT', 100, 1_495.5],
      ['MARKET', 100, null],
      ['LIMIT', 100, 1_491],
      ['LIMIT', 100, 1_486.5],
    ]);
    expect(exit.over?.end).toBe('flat');
  });

  it.each(['rate_limited', 'not_sent'] as const)('as %s waits 1, 2, 4 and 8 s', async (cause) => {
    const { begin, after, fates, broker, time } = await exitBench();
    const fate = () =>
      cause === 'not_sent'
        ? ({ kind: 'not_sent', cause: 'connect', reason: 'no connection' } as const)
        : refusedAs(cause);
    fates.push(fate(), fate(), fate(), fate(), fate());
    const times: number[] = [];
    const script = broker.place;
    broker.place = (attempt) => {
      times.push(Math.round((time.elapsed() - begun) / 1_000));
      return script(attempt);
    };
    const begun = time.elapsed();
    const exit = await after((await begin()).id, 60_000);
    const pauses = times.map((at, place) => at - (times[place - 1] ?? 0));
    expect(pauses.slice(1)).toEqual([1, 2, 4, 8]);
    expect(exit.over).toMatchObject({ end: 'stopped', why: 'waited_too_long', held: 100 });
    expect(exit.plan.attempt).toBe(1);
  });

  it.each(['auth', 'authorise_holdings', 'address'] as const)(
    'as %s stops the exit',
    async (why) => {
      const { begin, after, fates, legs, trading } = await exitBench();
      fates.push(refusedAs(why));
      const exit = await after((await begin()).id, 20_000);
      expect([legs().length, exit.over?.end, exit.over?.why]).toEqual([1, 'stopped', why]);
      expect(trading.alerts().at(-1)?.level).toBe('critical');
    },
  );

  it('for another reason stops the exit, and for its quantity halves it', async () => {
    const { begin, after, fates, legs } = await exitBench();
    const freeze = { ...refusedAs('other'), reason: 'Quantity exceeds the freeze quantity' };
    fates.push(freeze, { kind: 'fills' }, { kind: 'fills' }, { kind: 'fills' });
    const halved = await after((await begin()).id, 30_000);
    expect(legs().map(([, quantity]) => quantity)).toEqual([100, 50, 50]);
    expect(halved.over?.end).toBe('flat');
    const other = await exitBench();
    other.fates.push(refusedAs('other'));
    const stopped = await other.after((await other.begin()).id, 20_000);
    expect(stopped.over).toMatchObject({ end: 'stopped', why: 'refused', held: 100 });
  });
});

describe('what is not known', () => {
  it('of a leg stops the exit, and a second one counts the leg as sold', async () => {
    const { begin, after, fates, legs } = await exitBench();
    const failure = { kind: 'transport', message: 'no answer' } as const;
    fates.push({ kind: 'uncertain', failure, reason: 'no answer' });
    const first = await after((await begin({ quantity: 60 })).id, 5_000);
    expect(first.over).toMatchObject({ end: 'stopped', why: 'leg_uncertain' });
    const second = await after((await begin()).id, 20_000);
    expect(legs().map(([, quantity]) => quantity)).toEqual([60, 40]);
    expect(second.over).toMatchObject({ end: 'partly_flat', why: 'reserved_elsewhere', held: 60 });
  });

  it('of the book or the account ends it without a sale', async () => {
    for (const [part, why] of [
      ['isReadable', 'book_unreadable'],
      ['isAccountReadable', 'account_unreadable'],
    ] as const) {
      const { begin, after, legs, broker } = await exitBench();
      await after((await begin({ quantity: 1 })).id, 20_000);
      broker.placed.length = 0;
      broker[part] = false;
      const exit = await after((await begin()).id, 120_000);
      expect([legs(), exit.over?.end, exit.over?.why]).toEqual([[], 'stopped', why]);
    }
  });

  it('of an account that was never read: nothing is begun', async () => {
    const { begin, broker, exits } = await exitBench();
    broker.isAccountReadable = false;
    await expect(begin()).rejects.toMatchObject({
      fields: { code: 'broker_unavailable', mayHaveExecuted: false },
    });
    expect(await exits.exitsOn('2026-11-06')).toEqual([]);
  });

  it('of the positions after a fill is waited for before it says flat', async () => {
    const { begin, after, bench, setHeld, legs } = await exitBench();
    bench.showsFills = false;
    const { id } = await begin();
    expect((await after(id, 10_000)).over).toBeNull();
    setHeld(0);
    expect((await after(id, 10_000)).over).toMatchObject({ end: 'flat' });
    expect(legs()).toHaveLength(1);
  });
});

describe('one position', () => {
  it('has one exit at a time, and a key begins one', async () => {
    const { begin, after, commandOf, trading, time, fates, legs } = await exitBench();
    fates.push({ kind: 'fills', quantity: 0 });
    const command = commandOf();
    const { exits } = trading.execution;
    const first = await time.settle(exits.begin(command));
    const again = await time.settle(exits.begin(command));
    expect([again.repeated, again.exit.id]).toEqual([true, first.exit.id]);
    await expect(time.settle(exits.begin({ ...command, quantity: 5 }))).rejects.toMatchObject({
      fields: { code: 'idempotency_conflict' },
    });
    await expect(begin()).rejects.toMatchObject({ fields: { code: 'exit_running' } });
    await after(first.exit.id, 60_000);
    expect(legs()).toHaveLength(2);
  });

  it('is left alone once a caller cancels the exit', async () => {
    const { begin, after, fates, exits, time, broker, legs } = await exitBench();
    fates.push({ kind: 'fills', quantity: 0 });
    const { id } = await begin();
    await time.advance(3_000);
    await time.settle(exits.cancel(id));
    const exit = await after(id, 20_000);
    expect([broker.cancels, legs().length]).toEqual([['leg-1'], 1]);
    expect(exit.over).toMatchObject({ end: 'stopped', why: 'cancelled', held: 100 });
  });
});

describe('a gateway that starts again', () => {
  it('goes on with the exit, and sells what is left once', async () => {
    const { begin, after, fates, trading, time, legs } = await exitBench();
    fates.push({ kind: 'fills', quantity: 30 });
    const { id } = await begin();
    await time.advance(3_000);
    await trading.restart();
    const exit = await after(id, 40_000);
    expect(legs().map(([, quantity]) => quantity)).toEqual([100, 70]);
    expect(exit.over?.end).toBe('flat');
  });
});
