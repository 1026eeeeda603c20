import { describe, expect, it } from 'vitest';
import { inProcessTransport } from '../../../sandbox/transport/in-process.ts';
import { seededRandom } from '../../../sandbox/kernel/ports.ts';
import { createSandbox } from '../../../sandbox/kernel/sandbox.ts';
import { createPrimaryBroker } from '../../../src/adapters/primary/index.ts';
import type { BrokerError } from '../../../src/domain/outcome.ts';
import { silentLog } from '../../../src/platform/log.ts';
import { createSandboxTransport } from '../../support/sandbox-transport.ts';
import { VirtualTime } from '../../support/virtual-time.ts';
import { answered, failureOf, infosys, lookupOf, placing, setUp, success } from './support.ts';
import { allInstruments } from '../../support/all-instruments.ts';
import { epochMs } from '../../../src/units/branded.ts';

/** The adapter alone, without the layers above that share one answer among callers. */
function bench(seed: string) {
  const time = new VirtualTime('2026-11-20T10:00:00+05:30');
  const random = seededRandom(seed);
  const { primary: sandbox, ...rest } = createSandbox({
    market: 'exchange',
    clock: time,
    random,
    latencyMs: [5, 400],
    kite: {
      ...{ apiKey: 'k', apiSecret: 's', userId: 'u', origin: 'http://kite.test' },
      ...{ redirectUrl: 'http://gateway.test', postbackUrl: null },
    },
    primary: { accessToken: 'raw-token', clientId: '1', origin: 'http://primary.test' },
    post: () => undefined,
  });
  const broker = createPrimaryBroker({
    knownDerivative: () => Promise.resolve(null),
    transport: createSandboxTransport(
      inProcessTransport({ primary: sandbox, ...rest }, time),
      time,
    ),
    clock: time,
    scheduler: time,
    log: silentLog,
    instruments: lookupOf([infosys]),
    accessToken: () => 'raw-token',
    settings: { baseUrl: 'http://primary.test', remarks: false, extraTerminalStatuses: [] },
  });
  const trading = broker.trading!;
  const account = broker.account!;
  const order = async (): Promise<string> => {
    const permit = await trading.permit(5_000);
    const outcome = permit ?? (await trading.place(placing({ quantity: 1, price: 1_400 })));
    return outcome.kind === 'not_sent' ? outcome.cause : outcome.kind;
  };
  const read = (ask: () => Promise<unknown>) => async (): Promise<string> => {
    try {
      await ask();
      return 'read';
    } catch (error) {
      const { failure } = error as BrokerError;
      return failure.kind === 'not_sent' ? failure.reason : JSON.stringify(failure);
    }
  };
  const calls = [
    order,
    read(() => trading.orderBook()),
    read(() => trading.trades()),
    read(() => account.positions()),
    read(() => account.holdings()),
    read(() => account.funds()),
    read(() => account.profile()),
    read(() => broker.marketData!.quotes([infosys])),
    read(() => broker.marketData!.lastPrices([infosys])),
    read(() => allInstruments(broker.instruments!)),
    read(() => {
      const to = time.now();
      const day = { interval: '5minute', from: epochMs(to - 86_400_000), to } as const;
      return broker.marketData!.candles!({ instrument: infosys, ...day });
    }),
  ];
  const draw = (): (() => Promise<string>) => calls[Math.floor(random.next() * calls.length)]!;
  return { time, sandbox, broker, random, draw };
}

/** The number of calls by their result. */
function tally(ends: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const end of ends) counts[end] = (counts[end] ?? 0) + 1;
  return counts;
}

describe('a thousand calls of every kind', () => {
  it('at once exceed no limit of the broker, and each is answered or not_sent', async () => {
    const { time, sandbox, draw } = bench('at once');
    const calls = Array.from({ length: 1_000 }, () => draw()());
    const ends = await time.settle(Promise.all(calls));
    expect(sandbox.limitBreaks()).toEqual([]);
    const counts = tally(ends);
    expect(Object.keys(counts).sort()).toEqual(['acknowledged', 'no_permit', 'read']);
    // Eight a second for the five seconds that an order waits for its permit, the first moment included.
    expect(counts.acknowledged).toBe(40);
    expect(sandbox.orders()).toHaveLength(40);
    expect(sandbox.requests().every(({ status }) => status === 200)).toBe(true);
  });

  it('over a minute exceed no limit either', async () => {
    const { time, sandbox, random, draw } = bench('a minute');
    const calls: Promise<string>[] = [];
    for (let call = 0; call < 1_000; call += 1) {
      calls.push(draw()());
      if (random.next() < 0.5) await time.advance(Math.floor(random.next() * 240));
    }
    const ends = await time.settle(Promise.all(calls));
    expect(sandbox.limitBreaks()).toEqual([]);
    const counts = tally(ends);
    expect(Object.keys(counts).sort()).toEqual(['acknowledged', 'no_permit', 'read']);
    expect(counts.read).toBeGreaterThan(300);
    expect(sandbox.orders()).toHaveLength(counts.acknowledged!);
  });
});

describe('what is left of the limits', () => {
  const left = (broker: { limits(): readonly { name: string; windows: unknown }[] }) =>
    Object.fromEntries(broker.limits().map(({ name, windows }) => [name, windows]));
  const day = (count: number, reserved = 0) => ({
    ...{ perMs: 86_400_000, limit: 100_000, left: 100_000 - count },
    reserved,
  });

  it('is reported for each bucket, by the second and by the day', async () => {
    const { broker, trading, account, marketData } = setUp({ respond: () => success([]) });
    await trading.permit(0);
    await Promise.all([trading.orderBook(), account.holdings()]);
    await failureOf(marketData.quotes([infosys])).catch(() => undefined);
    expect(left(broker)).toEqual({
      orders: [{ perMs: 1_000, limit: 10, left: 9, reserved: 2 }],
      non_trading: [{ perMs: 1_000, limit: 12, left: 10, reserved: 4 }, day(2, 4)],
      quotes: [{ perMs: 1_000, limit: 5, left: 4, reserved: 0 }, day(1)],
      data: [{ perMs: 1_000, limit: 5, left: 5, reserved: 0 }, day(0)],
      token: [
        { perMs: 60_000, limit: 1, left: 1, reserved: 0 },
        { perMs: 900_000, limit: 4, left: 4, reserved: 0 },
      ],
      everything: [{ perMs: 1_000, limit: 100, left: 96, reserved: 0 }],
    });
  });

  it('reports until when a bucket pauses, and how many calls wait', async () => {
    const { broker, trading, transport, time } = setUp({
      respond: () => answered(429, {}, { 'retry-after': '3' }),
    });
    await failureOf(trading.orderBook());
    transport.respond = () => success([]);
    const waiting = trading.orderBook();
    const of = (name: string) => broker.limits().find((bucket) => bucket.name === name);
    expect(of('non_trading')).toMatchObject({ pausedUntil: time.now() + 3_000, waiting: 1 });
    expect(of('orders')).toMatchObject({ pausedUntil: null, waiting: 0 });
    await time.settle(waiting);
  });
});

describe('the day’s budget of reads', () => {
  it('that is used up lets orders through, and answers reads at once as not_sent', async () => {
    const { broker, trading, account, time } = setUp({ respond: () => success([]) });
    const of = () => broker.limits().find(({ name }) => name === 'non_trading')!.windows[1]!;
    while (of().left > 0) {
      await Promise.all(Array.from({ length: Math.min(12, of().left) }, () => account.holdings()));
      await time.advance(1_050);
    }
    const before = time.elapsed();
    expect(await failureOf(trading.orderBook())).toMatchObject({ reason: 'no_permit' });
    expect(time.elapsed()).toBe(before);
    expect(await trading.permit(0)).toBeNull();
    await time.advance(86_400_000);
    expect(await trading.orderBook()).toEqual([]);
  });
});
