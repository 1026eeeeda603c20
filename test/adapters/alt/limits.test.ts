import { describe, expect, it } from 'vitest';
import { altBench, attempt, failureOf, instrument } from './support/alt-broker.ts';
import { html, refusal, refusedConnection, reset, success } from './support/scripted-transport.ts';

const cancellation = {
  attemptId: 'c',
  brokerOrderId: '1',
  instrument: attempt().instrument,
  brokerOrderType: null,
};

describe('permits for orders', () => {
  it('are eight a second, and two more for ways out', async () => {
    const { broker } = altBench(success({}));
    const { permit } = broker.trading;
    for (let count = 0; count < 8; count += 1) expect(await permit(0)).toBeNull();
    expect(await permit(0)).toMatchObject({ kind: 'not_sent', cause: 'no_permit' });
    for (let count = 0; count < 2; count += 1) expect(await permit(0, 'way_out')).toBeNull();
    expect(await permit(0, 'way_out')).toMatchObject({ cause: 'no_permit' });
  });

  it('for ways out go before those that wait', async () => {
    const { broker, time } = altBench(success({}));
    const { permit } = broker.trading;
    const order: string[] = [];
    for (let count = 0; count < 10; count += 1) await permit(0, 'way_out');
    const entries = Array.from({ length: 20 }, () => permit(5_000).then(() => order.push('entry')));
    const exits = Array.from({ length: 5 }, () =>
      permit(5_000, 'way_out').then(() => order.push('exit')),
    );
    await time.settle(Promise.all([...entries, ...exits]));
    expect(order.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => 'exit'));
  });

  it('open the connection of each order', async () => {
    const { broker, transport } = altBench(success({}));
    await broker.trading.permit(0);
    expect(transport.ahead).toEqual([{ url: 'https://kite.test', ipv4: true }]);
    for (let count = 0; count < 20; count += 1) await broker.trading.permit(0);
    expect(transport.ahead).toHaveLength(8);
  });

  it('are 400 a minute, of which 80 are for ways out', async () => {
    const { broker, time } = altBench(success({}));
    const { permit } = broker.trading;
    for (let count = 0; count < 320; count += 1) {
      expect(await time.settle(permit(2_000))).toBeNull();
    }
    expect(await time.settle(permit(2_000))).toMatchObject({ cause: 'no_permit' });
    for (let count = 0; count < 80; count += 1) {
      expect(await time.settle(permit(2_000, 'way_out'))).toBeNull();
    }
    expect(await time.settle(permit(2_000, 'way_out'))).toMatchObject({ cause: 'no_permit' });
  });

  it('are 5000 a day, of which 1000 are for ways out', async () => {
    const { broker, time } = altBench(success({}));
    const granted = async (purpose?: 'way_out') => {
      let count = 0;
      while ((await time.settle(broker.trading.permit(120_000, purpose))) === null) count += 1;
      return count;
    };
    expect(await granted()).toBe(4_000);
    expect(await granted('way_out')).toBe(1_000);
  });

  it('pause for as long as a 429 asks', async () => {
    const limited = refusal(429, 'NetworkException', 'Too many', { 'retry-after': '7' });
    const { broker, time } = altBench(limited);
    await broker.trading.place(attempt());
    await time.advance(6_900);
    expect(await broker.trading.permit(0)).toMatchObject({ cause: 'no_permit' });
    expect(await time.settle(broker.trading.permit(200))).toBeNull();
  });

  it('pause for a second when a 429 has no Retry-After', async () => {
    const { broker, time } = altBench(html(429));
    await broker.trading.place(attempt());
    await time.advance(900);
    expect(await broker.trading.permit(0)).toMatchObject({ cause: 'no_permit' });
    expect(await time.settle(broker.trading.permit(200))).toBeNull();
  });

  it('do not pause for the day because of an absurd Retry-After', async () => {
    const limited = refusal(429, 'NetworkException', 'Too many', { 'retry-after': '99999999' });
    const { broker, time } = altBench(limited);
    await broker.trading.place(attempt());
    expect(await time.settle(broker.trading.permit(301_000))).toBeNull();
  });
});

describe('reads', () => {
  it('of quotes are sent once a second', async () => {
    const { broker, transport, time } = altBench(success({}));
    const ask = () => broker.marketData.quotes([instrument('NSE:INFY')]);
    const both = Promise.all([ask(), ask()]);
    await time.advance(999);
    expect(transport.requests).toHaveLength(1);
    await time.settle(both);
    expect(transport.requests).toHaveLength(2);
  });

  it('fail with no_permit when their deadline passes first', async () => {
    const { broker, transport, time } = altBench(success({}));
    const asks = Array.from({ length: 6 }, () =>
      broker.marketData.quotes([instrument('NSE:INFY')]).then(() => null, failed),
    );
    const ends = await time.settle(Promise.all(asks));
    expect(ends.filter((end) => end === null)).toHaveLength(transport.requests.length);
    expect(ends.at(-1)).toMatchObject({ kind: 'not_sent', reason: 'no_permit' });
  });

  it('of the account and the book are ten a second together', async () => {
    const { broker, transport, time } = altBench(success([]));
    const reads = Array.from({ length: 6 }, () => [
      broker.account.holdings(),
      broker.trading.orderBook(),
    ]).flat();
    await time.advance(0);
    expect(transport.requests).toHaveLength(10);
    await time.settle(Promise.all(reads));
  });
});

async function failed(error: unknown): Promise<unknown> {
  return failureOf(Promise.reject(error));
}

describe('the breaker', () => {
  it('opens after five failures in a row, and then nothing is sent', async () => {
    const { broker, transport } = altBench(reset());
    for (let count = 0; count < 5; count += 1) await failureOf(broker.account.holdings());
    const failure = await failureOf(broker.account.holdings());
    expect(failure).toMatchObject({ kind: 'not_sent', reason: 'breaker' });
    expect(transport.requests).toHaveLength(5);
  });

  it('lets one call through after ten seconds', async () => {
    const { broker, transport, time } = altBench(reset());
    for (let count = 0; count < 5; count += 1) await failureOf(broker.account.holdings());
    await time.advance(10_000);
    transport.script(success([]));
    expect(await broker.account.holdings()).toEqual([]);
    expect(await broker.account.holdings()).toEqual([]);
  });

  it('is not opened by refusals', async () => {
    const { broker, transport, time } = altBench(refusal(400, 'InputException', 'no'));
    for (let count = 0; count < 8; count += 1) {
      await time.settle(failureOf(broker.account.holdings()));
    }
    expect(transport.requests).toHaveLength(8);
  });

  it('is not opened, nor closed, by a missing token', async () => {
    const bench = altBench(reset());
    for (let count = 0; count < 4; count += 1) await failureOf(bench.broker.account.holdings());
    bench.token = null;
    await failureOf(bench.broker.account.holdings());
    bench.token = 'token-1';
    await failureOf(bench.broker.account.holdings());
    expect(await failureOf(bench.broker.account.holdings())).toMatchObject({ reason: 'breaker' });
  });

  it('is separate for each part of the broker', async () => {
    const { broker, transport } = altBench(reset());
    for (let count = 0; count < 5; count += 1) await failureOf(broker.account.holdings());
    transport.script(success({}));
    expect((await broker.marketData.quotes([instrument('NSE:INFY')])).size).toBe(0);
    expect(broker.trading.blocked()).toBeNull();
  });

  it('blocks orders after calls that could not be sent', async () => {
    const { broker, transport } = altBench(refusedConnection);
    for (let count = 0; count < 5; count += 1) await broker.trading.place(attempt());
    expect(broker.trading.blocked()).toMatchObject({ cause: 'breaker' });
    expect(await broker.trading.place(attempt())).toMatchObject({ cause: 'breaker' });
    expect(transport.requests).toHaveLength(5);
  });

  it('blocks new orders, but no cancel, when the book cannot be read', async () => {
    const { broker, transport } = altBench(success({ not: 'a list' }));
    for (let count = 0; count < 5; count += 1) await failureOf(broker.trading.orderBook());
    transport.script(success({ order_id: '1' }));
    expect(await broker.trading.place(attempt())).toMatchObject({ cause: 'breaker' });
    expect((await broker.trading.cancel(cancellation)).kind).toBe('acknowledged');
  });
});
