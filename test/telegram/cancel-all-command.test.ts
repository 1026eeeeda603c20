import { describe, expect, it } from 'vitest';
import { GatewayProblem } from '../../src/domain/problem.ts';
import { CANCEL_ALL, META, order } from '../routes/support/samples.ts';
import { ALT, chatWith, PAPER, unreadable } from './asking-chat.ts';

const LEFT = {
  ...{ id: null, triggerId: '77', broker: ALT, instrument: 'NSE:INFY' },
  ...({ status: 'waiting', result: 'refused', reason: 'no' } as const),
};

describe('/cancelall', () => {
  const orders = [
    order({ status: 'working' }),
    order({ status: 'uncertain', external: true }),
    order({ status: 'filled' }),
  ];

  it('counts open orders at each broker, page by page, and cancels those placed elsewhere too', async () => {
    const { ask, asked, gateway } = await chatWith({ [ALT]: [], [PAPER]: [] });
    gateway.set({
      getOrders: async ({ broker, cursor } = {}) => ({
        data: broker === ALT ? orders : [],
        meta: META,
        nextCursor: broker === ALT && cursor === undefined ? 'page 2' : null,
        books: [],
      }),
    });
    const question = await ask('/cancelall');
    expect(question).toContain('\nalt: 4, 2 of them placed elsewhere\npaper (paper): none\n');
    expect(await ask('/cancelall confirm', 300)).toBe('Orders: 1 cancelled.');
    expect(asked('cancelAll')).toEqual([
      [
        'cancelAll',
        { broker: null, instrument: null, product: null, side: null, scope: 'account' },
        { caller: 'telegram', idempotencyKey: 'telegram 2026-11-06 300' },
      ],
    ]);
  });

  it('says that a book lacks rows that cannot be read, beside the orders that it has', async () => {
    const { ask, gateway } = await chatWith({ [ALT]: [], [PAPER]: [] });
    const reason = 'rows of the order book of alt cannot be read: x2 (quantity)';
    const lacking = { broker: ALT, mode: 'live', read: false, reason, unreadRows: 1 } as const;
    gateway.set({
      getOrders: async ({ broker } = {}) => ({
        ...{ data: [], meta: META, nextCursor: null },
        books: broker === ALT ? [lacking] : [],
      }),
    });
    const question = await ask('/cancelall');
    expect(question).toContain(reason);
    expect(question).not.toContain('No open orders');
  });

  it('deletes triggers where that is asked for, and counts them', async () => {
    const { ask, asked, gateway } = await chatWith({ [ALT]: [], [PAPER]: [] });
    const { data } = await gateway.gateway.getTriggers();
    const ended = data.map((row) => ({ ...row, status: 'ended' as const }));
    gateway.set({
      getOrders: async () => ({ data: [], meta: META, nextCursor: null, books: [] }),
      async getTriggers({ broker } = {}) {
        if (broker === PAPER) {
          throw new GatewayProblem({ code: 'not_supported', detail: 'no triggers' });
        }
        return { data: [...data, ...ended], meta: META };
      },
      cancelAll: async () => ({ ...CANCEL_ALL, triggers: [LEFT] }),
    });
    expect(await ask('/cancelall')).toMatch(/^No open orders at/);
    const question = await ask('/cancelall alt triggers');
    expect(question).toContain('delete all triggers, those placed elsewhere included?');
    expect(question).toContain('\nalt: 1 triggers\n');
    expect(await ask('/cancelall confirm')).toContain(
      'Triggers: 1 refused by the broker.\ntrigger 77 of NSE:INFY at alt: refused by the broker (no)',
    );
    expect(asked('cancelAll')).toMatchObject([
      ['cancelAll', { broker: 'alt', scope: 'account', triggers: true }, { caller: 'telegram' }],
    ]);
  });

  it('never says that there are no triggers where the list cannot be read', async () => {
    const { ask, gateway } = await chatWith({ [ALT]: [] });
    gateway.set({
      getOrders: async () => ({ data: [], meta: META, nextCursor: null, books: [] }),
      async getTriggers() {
        throw unreadable();
      },
    });
    expect(await ask('/cancelall triggers')).toContain(
      'The list of triggers of alt could not be read: HTTP 500. That does not mean that there is none.',
    );
  });

  it('says which book cannot be read, and asks all the same: known orders can be cancelled', async () => {
    const { ask, gateway } = await chatWith({ [ALT]: [], [PAPER]: [] });
    gateway.set({
      async getOrders({ broker } = {}) {
        if (broker === ALT) throw unreadable();
        return { data: [], meta: META, nextCursor: null, books: [] };
      },
      cancelAll: async () => ({
        ...CANCEL_ALL,
        orders: [
          { order: order({ status: 'working' }), result: 'refused', reason: 'it is filled' },
        ],
        errors: [{ broker: 'alt', reason: 'HTTP 500' }],
        settled: false,
      }),
    });
    const question = await ask('/cancelall');
    expect(question).toContain('The order book of alt could not be read: HTTP 500. That does not');
    expect(question).toContain('/cancelall confirm');
    expect(await ask('/cancelall confirm')).toBe(
      [
        'Orders: 1 refused by the broker.',
        'BUY 10 NSE:INFY LIMIT ₹1,500.00 at alt: refused by the broker (it is filled)',
        'The order book of alt could not be read: HTTP 500. Orders may be open there.',
        'It goes on. /orders shows how each of them stands.',
      ].join('\n'),
    );
  });

  it('says that there are none only where every book was read', async () => {
    const { ask, gateway } = await chatWith({ [ALT]: [], [PAPER]: [] });
    gateway.set({ getOrders: async () => ({ data: [], meta: META, nextCursor: null, books: [] }) });
    expect(await ask('/cancelall')).toBe('No open orders at alt, paper (paper).');
    expect(await ask('/cancelall elsewhere')).toMatch(/^Not understood\. .*\(alt, paper\)/);
  });
});
