import { describe, expect, it } from 'vitest';
import { GatewayProblem } from '../../src/domain/problem.ts';
import { META, order } from '../routes/support/samples.ts';
import { AWAY } from '../support/fake-messenger.ts';
import { commandsBench, LINK } from './commands-bench.ts';
import { epochMs } from '../../src/units/branded.ts';

describe('/status', () => {
  it('shows the time in IST, the login, the brokers and the kill switch', async () => {
    const bench = commandsBench();
    expect(await bench.ask('/status')).toBe(
      [
        'Fri 6 Nov, 11:00 IST',
        'Alternative broker: not logged in. /login',
        'alt (live): market data; can serve',
        'paper (paper): on no route; cannot serve now (not on a route)',
        'Kill switch: off',
      ].join('\n'),
    );
    bench.login.state = {
      state: 'valid',
      accessToken: 'CANARY-token',
      userId: 'AB1234',
      obtainedAt: null,
      expiresAt: epochMs(Date.parse('2026-11-07T06:00:00+05:30')),
      source: 'file',
      verifiedAt: null,
    };
    const engaged = {
      engaged: true,
      reason: 'odd fills',
      changedAt: epochMs(1),
      onDisk: true,
      changedBy: null,
    };
    bench.gateway.set({ getKillSwitch: () => engaged });
    const answer = await bench.ask('/status');
    expect(answer).toContain('logged in as AB1234 until Sat 7 Nov, 06:00 IST');
    expect(answer).toContain('Kill switch: ENGAGED: odd fills');
    expect(answer).not.toContain('CANARY');
  });
});

describe('/login', () => {
  it('sends the link', async () => {
    const bench = commandsBench();
    expect(await bench.ask('/login')).toContain(LINK);
  });
});

describe('/positions', () => {
  it('lists open positions, with amounts in Indian format', async () => {
    const bench = commandsBench();
    const [position] = (await bench.gateway.gateway.getPositions()).data;
    bench.gateway.set({
      getPositions: async () => ({
        data: [
          { ...position!, quantity: 1_000, averagePrice: 123_456.5, unrealisedPnl: -1_234_567.05 },
          { ...position!, instrument: 'NSE:TCS', quantity: -5, unrealisedPnl: 50.1 },
          { ...position!, quantity: 0 },
        ],
        meta: META,
      }),
    });
    expect(await bench.ask('/positions')).toBe(
      [
        'Positions (alt, live, as of 09:30:00)',
        'NSE:INFY +1000 INTRADAY at ₹1,23,456.50, now ₹1,490.00: -₹12,34,567.05',
        'NSE:TCS -5 INTRADAY at ₹1,500.00, now ₹1,490.00: +₹50.10',
        '1 closed today',
        'Unrealised in all: -₹12,34,516.95',
      ].join('\n'),
    );
  });

  it('shows no sum when a part is not known', async () => {
    const bench = commandsBench();
    const [position] = (await bench.gateway.gateway.getPositions()).data;
    const data = [position!, { ...position!, unrealisedPnl: null }];
    bench.gateway.set({ getPositions: async () => ({ data, meta: META, nextCursor: null }) });
    expect(await bench.ask('/positions')).toContain('Unrealised in all: ?');
  });

  it('says that there are none, and at which broker', async () => {
    const bench = commandsBench();
    bench.gateway.set({ getPositions: async () => ({ data: [], meta: META }) });
    expect(await bench.ask('/positions')).toBe('No open positions (alt, live, as of 09:30:00)');
  });

  it.each(['/positions', '/orders'])(
    '%s reports a failure, and never as an empty list',
    async (command) => {
      const bench = commandsBench();
      const fail = (): never => {
        const detail = 'the broker did not answer';
        throw new GatewayProblem({ code: 'broker_unavailable', detail });
      };
      bench.gateway.set({ getPositions: async () => fail(), getOrders: async () => fail() });
      const answer = await bench.ask(command);
      expect(answer).toContain('could not be read: the broker did not answer');
      expect(answer).toContain('does not mean that there are none');
      expect(answer).not.toMatch(/^No /m);
    },
  );

  it('logs an unexpected error', async () => {
    const bench = commandsBench();
    bench.gateway.set({
      getPositions: async () => {
        throw new TypeError('inner detail');
      },
    });
    expect(await bench.ask('/positions')).not.toContain('inner detail');
    expect(bench.lines.join()).toContain('inner detail');
  });
});

describe('/orders', () => {
  it('lists the orders, and marks what is not known', async () => {
    const bench = commandsBench();
    bench.gateway.set({
      getOrders: async () => ({
        data: [
          order({ status: 'uncertain', filledQuantity: null }),
          order({ status: 'filled', filledQuantity: 10, averagePrice: 1_499.5, external: true }),
        ],
        meta: META,
        nextCursor: null,
        books: [],
      }),
    });
    expect(await bench.ask('/orders')).toBe(
      [
        'Orders of today, newest first (alt, live, as of 09:30:00)',
        '09:30:00 BUY 10 NSE:INFY LIMIT ₹1,500.00 at alt: uncertain, filled: not known',
        '09:30:00 BUY 10 NSE:INFY LIMIT ₹1,500.00 at alt: filled, filled 10 at ₹1,499.50, placed elsewhere',
      ].join('\n'),
    );
  });

  it('lists a few, and says how many it leaves out', async () => {
    const bench = commandsBench();
    const data = Array.from({ length: 400 }, () => order());
    bench.gateway.set({
      getOrders: async () => ({ data, meta: META, nextCursor: null, books: [] }),
    });
    const answer = await bench.ask('/orders');
    expect(answer).toContain('and 385 more');
    expect(answer?.length).toBeLessThan(4_096);
  });

  it('says what it lacks where a row cannot be read', async () => {
    const bench = commandsBench();
    const reason = 'rows of the order book of alt cannot be read: x2 (quantity)';
    const book = { broker: 'alt', mode: 'live', read: false, reason, unreadRows: 1 } as const;
    const page = { data: [], meta: META, nextCursor: null, books: [book] };
    bench.gateway.set({ getOrders: async () => page });
    expect(await bench.ask('/orders')).toBe(`Not all orders are listed: ${reason}`);
    bench.gateway.set({ getOrders: async () => ({ ...page, data: [order()] }) });
    expect((await bench.ask('/orders'))?.split('\n').at(-1)).toContain('Not all orders are listed');
  });

  it('says that there are more than one page', async () => {
    const bench = commandsBench();
    const data = Array.from({ length: 400 }, () => order());
    bench.gateway.set({
      getOrders: async () => ({ data, meta: META, nextCursor: 'next', books: [] }),
    });
    expect(await bench.ask('/orders')).toContain('and at least 385 more');
  });
});

describe('/kill', () => {
  it('engages the switch after a confirmation, and not before', async () => {
    const bench = commandsBench();
    expect(await bench.ask('/kill')).toContain('/kill confirm');
    expect(bench.switched()).toEqual([]);
    expect(await bench.ask('/kill confirm')).toBe('The kill switch is engaged.');
    expect(bench.switched()).toEqual([
      ['setKillSwitch', true, 'engaged by Telegram', { caller: 'telegram', idempotencyKey: null }],
    ]);
  });

  it.each([
    ['without a question', async () => undefined],
    [
      'more than a minute later',
      async (bench: ReturnType<typeof commandsBench>) => {
        await bench.ask('/kill');
        await bench.time.advance(60_001);
      },
    ],
    [
      'a second time',
      async (bench: ReturnType<typeof commandsBench>) => {
        await bench.ask('/kill');
        await bench.ask('/kill confirm');
        bench.gateway.calls.length = 0;
      },
    ],
  ])('does nothing on a confirmation %s', async (_name, before) => {
    const bench = commandsBench();
    await before(bench);
    expect(await bench.ask('/kill confirm')).toContain('Nothing was done');
    expect(bench.switched()).toEqual([]);
  });

  it('does not accept a confirmation that was written before its question', async () => {
    const bench = commandsBench();
    // Both were written while the gateway was down, so the user has never seen the question.
    await bench.ask('/kill', 50);
    expect(await bench.ask('/kill confirm', 51)).toContain('Nothing was done');
    expect(bench.switched()).toEqual([]);
  });

  it('does not accept a confirmation when the question could not be sent', async () => {
    const bench = commandsBench();
    bench.messenger.script.push(AWAY);
    await bench.ask('/kill');
    expect(await bench.ask('/kill confirm')).toContain('Nothing was done');
  });

  it('says when the switch could not be engaged', async () => {
    const bench = commandsBench();
    bench.gateway.set({
      setKillSwitch: async () => {
        const detail = 'the journal takes nothing';
        throw new GatewayProblem({ code: 'journal_unavailable', detail });
      },
    });
    await bench.ask('/kill');
    expect(await bench.ask('/kill confirm')).toBe(
      'The kill switch was NOT engaged: the journal takes nothing',
    );
  });

  it('cannot release the switch', async () => {
    const bench = commandsBench();
    for (const text of ['/unkill', '/kill off', '/kill release']) await bench.ask(text);
    expect(bench.switched()).toEqual([]);
  });
});

describe('commands', () => {
  it('are listed in the answer to an unknown one; other texts get no answer', async () => {
    const bench = commandsBench();
    expect(await bench.ask('/buy NSE:INFY')).toContain('There is no such command');
    expect(await bench.ask('hello')).toBeUndefined();
    expect(await bench.ask('')).toBeUndefined();
  });

  it('are answered one after the other, and dropped when too many wait', async () => {
    const bench = commandsBench();
    bench.messenger.always = AWAY;
    for (let count = 0; count < 30; count += 1) bench.messenger.write('/login');
    await bench.time.advance(0);
    expect(bench.lines.join()).toContain('too many wait');
  });

  it('are answered when Telegram is back soon, and dropped when it is away for long', async () => {
    const bench = commandsBench();
    bench.messenger.always = AWAY;
    bench.messenger.write('/login');
    await bench.time.advance(10_000);
    bench.messenger.always = null;
    await bench.time.advance(20_000);
    expect(bench.messenger.texts).toHaveLength(1);
    bench.messenger.always = AWAY;
    bench.messenger.write('/login');
    await bench.time.advance(300_000);
    bench.messenger.always = null;
    await bench.time.advance(300_000);
    expect(bench.messenger.texts).toHaveLength(1);
  });

  it('stop at once, and leave no timer', async () => {
    const bench = commandsBench();
    bench.messenger.always = AWAY;
    bench.messenger.write('/login');
    await bench.time.advance(10);
    await bench.time.settle(Promise.resolve(bench.commands[Symbol.asyncDispose]()));
    await bench.time.advance(0);
    expect([bench.messenger.listening, bench.time.pending]).toEqual([false, 0]);
  });
});
