import { describe, expect, it } from 'vitest';
import type { OrderResponse } from '../../src/domain/order.ts';
import { overviewOf } from '../../src/router/overview.ts';
import { broker, given, NOW, OFF } from './support/overview.ts';

const order = (changes: Partial<OrderResponse>): OrderResponse =>
  ({
    ...{ id: 'ord_1', status: 'working', side: 'BUY', quantity: 5, instrument: 'NSE:INFY' },
    ...{ broker: 'one', reason: null, createdAt: NOW, ...changes },
  }) as OrderResponse;

describe('the overview', () => {
  it('says that orders are live, where, and until when the login lasts', () => {
    expect(overviewOf(given)).toMatchObject({
      ...{ trading: 'live', account: { broker: 'one', mode: 'live' }, needs: [], openOrders: 0 },
      sentence: 'Yes, with real money at one, until Mon 23 Nov, 11:00 IST.',
    });
  });

  it('goes by the order of the route', () => {
    const { trading, account } = overviewOf({ ...given, route: ['sim', 'one'] });
    expect([trading, account?.broker]).toEqual(['paper', 'sim']);
    expect(overviewOf({ ...given, route: [] }).trading).toBe('none');
  });

  it('says why orders are on paper alone, and that a login is missing', () => {
    const brokers = [broker('one', 'live', 'there is no token'), broker('sim', 'paper', null)];
    const session = { broker: 'one', state: { state: 'absent' as const } };
    const overview = overviewOf({ ...given, brokers, session });
    expect(overview.sentence).toBe('Only on paper: one takes no orders now (there is no token).');
    expect(overview.needs).toMatchObject([{ what: 'session', broker: 'one' }]);
  });

  it('goes by the rule of orders in an outage: paper is left out while a live broker has a session', () => {
    const brokers = [
      { ...broker('one', 'live', 'it is down'), hasSession: true },
      broker('sim', 'paper', null),
    ];
    const closed = overviewOf({ ...given, brokers });
    expect(closed).toMatchObject({ trading: 'none', account: null });
    expect(closed.sentence).toBe(
      'No: one takes no orders now (it is down). An outage sends no order to paper: only one that names sim goes there.',
    );
    expect(overviewOf({ ...given, brokers, paperOnOutage: true }).trading).toBe('paper');
    expect(overviewOf({ ...given, brokers, route: ['sim', 'one'] }).trading).toBe('paper');
  });

  it('says no where nobody takes orders, and that there are no prices', () => {
    const brokers = [broker('one', 'live', 'it is down')];
    const overview = overviewOf({ ...given, brokers, hasPrices: false });
    expect(overview).toMatchObject({ trading: 'none', account: null });
    expect(overview.sentence).toBe('No: one takes no orders now (it is down).');
    expect(overview.needs.map(({ what }) => what)).toEqual(['prices']);
  });

  it('says that only ways out pass while the kill switch is engaged', () => {
    const killSwitch = { ...OFF, engaged: true, reason: 'the strategy misbehaves' };
    const overview = overviewOf({ ...given, killSwitch });
    expect(overview.trading).toBe('ways_out');
    expect(overview.sentence).toMatch(
      /^No: .* exits and orders that only reduce a position pass\.$/,
    );
    expect(overview.needs).toMatchObject([{ what: 'kill_switch' }]);
    expect(overview.needs[0]?.detail).toContain('the strategy misbehaves');
  });

  it('names orders that are uncertain or disputed, and no others, and books that cannot be read', () => {
    const open = [
      order({ id: 'a' as never }),
      order({ id: 'b' as never, status: 'uncertain', reason: 'no reply' }),
      order({ id: 'c' as never, status: 'disputed', brokerOrderId: null }),
      order({ id: 'd' as never, status: 'disputed', brokerOrderId: '251123000000001' as never }),
    ];
    const unread = [{ broker: 'one', since: NOW, openOrders: 3 }];
    const { needs, openOrders } = overviewOf({ ...given, open, unread });
    expect(openOrders).toBe(4);
    expect(needs.map(({ what, orderId }) => [what, orderId])).toEqual([
      ['order', 'b'],
      ['order', 'c'],
      ['order', 'd'],
      ['book', null],
    ]);
    expect(needs[0]?.detail).toContain('do not place it again');
    expect(needs[1]?.detail).toContain('resolve it');
    // Nobody can resolve one that is bound to an order at the broker.
    expect(needs[2]?.detail).toMatch(/then cancel it/);
    expect(needs[2]?.detail).not.toContain('resolve');
  });

  it('passes on that an address is not registered', () => {
    const refused = { at: NOW, reason: 'register 1.2.3.4 there' };
    const brokers = [{ ...broker('one', 'live', null), addressRefusal: refused }];
    expect(overviewOf({ ...given, brokers }).needs).toMatchObject([
      { what: 'address', detail: refused.reason, broker: 'one' },
    ]);
  });
});
