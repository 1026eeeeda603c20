import { describe, expect, it } from 'vitest';
import type { Signal } from '../../src/domain/signal.ts';
import type { ExitRecord } from '../../src/execution/exits/exit.ts';
import { overviewOf } from '../../src/router/overview.ts';
import { plus } from '../../src/units/branded.ts';
import { given, NOW } from './support/overview.ts';

const over = (end: 'flat' | 'stopped', at = NOW) => ({
  ...{ end, why: end === 'flat' ? null : ('leg_uncertain' as const), detail: 'it is not known' },
  ...{ held: end === 'flat' ? 0 : 7, at },
});
const exit = (changes: Partial<ExitRecord> = {}): ExitRecord =>
  ({
    ...{ id: 'exit_1', broker: 'one', mode: 'live', instrument: 'NSE:INFY', product: 'INTRADAY' },
    ...{ side: 'SELL', day: given.today, over: over('stopped'), ...changes },
  }) as ExitRecord;
const portfolio = (quantity: number, readAt = plus(NOW, 1)) =>
  new Map([
    [
      'one',
      {
        ...{ broker: 'one', mode: 'live' as const, readAt, holdings: [] },
        positions: [{ instrument: 'NSE:INFY', product: 'INTRADAY', quantity }],
      },
    ],
  ]) as never;
const needs = (changes: object) => overviewOf({ ...given, ...changes }).needs;

describe('what needs a person', () => {
  it('names an exit of today that has stopped, with what is held and what to do', () => {
    const [need] = needs({ exits: [exit()] });
    expect(need).toMatchObject({ what: 'exit', broker: 'one', id: 'exit_1', orderId: null });
    expect(need?.detail).toMatch(/7 still held: look at the position .* begin a new exit$/);
    const [read] = needs({ exits: [exit()], portfolios: portfolio(5) });
    expect(read?.detail).toContain('5 still held');
    expect(needs({ exits: [exit({ day: '2026-11-20' as never })] })).toEqual([]);
    expect(needs({ exits: [exit({ over: { ...over('stopped'), why: 'cancelled' } })] })).toEqual(
      [],
    );
  });

  it('forgets it once a later exit of the position is flat, or the account holds nothing', () => {
    const later = exit({ id: 'exit_2' as never, over: over('flat', plus(NOW, 5)) });
    expect(needs({ exits: [exit(), later] })).toEqual([]);
    const other = { ...later, product: 'CNC' as const };
    expect(needs({ exits: [exit(), other] })).toHaveLength(1);
    expect(needs({ exits: [exit()], portfolios: portfolio(0) })).toEqual([]);
    // A read of before tells nothing.
    expect(needs({ exits: [exit()], portfolios: portfolio(0, NOW) })).toHaveLength(1);
  });

  it('names a closing that has stopped, until nothing of it is held', () => {
    const position = { broker: 'one', instrument: 'NSE:INFY', product: 'INTRADAY', net: 5 };
    const closing = {
      ...{ id: 'closing_1', day: given.today, isCancelWanted: false, over: over('stopped') },
      positions: [{ ...position, status: 'stopped' }],
    };
    const [need] = needs({ closings: [closing] });
    expect(need).toMatchObject({ what: 'closing', id: 'closing_1' });
    expect(need?.detail).toContain('NSE:INFY (INTRADAY) at one');
    expect(needs({ closings: [closing], portfolios: portfolio(0) })).toEqual([]);
  });

  it('names a trigger whose outcome is not known, and a webhook that is parked', () => {
    const leg = { side: 'SELL', quantity: 5, triggerPrice: 1_400 };
    const state = { kind: 'uncertain', reason: 'no reply', candidates: [] };
    const trigger = {
      ...{ id: 'trg_1', broker: 'one', createdAt: NOW, state },
      terms: { instrument: 'NSE:INFY', legs: [leg] },
    };
    const webhooks = [{ id: 'wh_1', parkedAt: NOW, reason: 'HTTP 410' }];
    const found = needs({ triggers: [trigger], webhooks });
    expect(found.map(({ what, id }) => [what, id])).toEqual([
      ['trigger', 'trg_1'],
      ['webhook', 'wh_1'],
    ]);
    expect(found[0]?.detail).toMatch(/SELL 5 at 1400.*do not place it again$/);
    expect(found[1]?.detail).toMatch(/HTTP 410.*\/wh_1\/revive$/);
  });

  it('names ten refused signals and how many more there are, and says that they cannot be read', () => {
    const problem = { code: 'forbidden', detail: 'the alert is too old.' };
    const signals = Array.from({ length: 13 }, (_, index) => ({
      ...{ id: `sig_${index}`, hookName: 'tv', receivedAt: NOW, orders: [], problem },
    })) as unknown as Signal[];
    const found = needs({ signals: { signals, hasMore: false, unread: null } });
    expect(found).toHaveLength(11);
    expect(found[0]?.detail).toMatch(/hook tv was refused.*too old; look at the orders/);
    expect(found[10]?.detail).toMatch(/^and 3 more: /);
    const [unread] = needs({ signals: { signals: [], hasMore: false, unread: 'disk I/O error' } });
    expect(unread?.detail).toContain('cannot be read (disk I/O error)');
  });
});
