import { describe, expect, it } from 'vitest';
import { overviewOf } from '../../src/router/overview.ts';
import { epochMs } from '../../src/units/branded.ts';
import { broker, given, NOW, OFF, valid } from './support/overview.ts';

const at = (time: string) => epochMs(Date.parse(`${time}:00+05:30`));

/** At an hour, with a login that lasts until the end of the year. */
const during = (time: string, changes: object = {}) =>
  overviewOf({ ...given, session: valid(at('2026-12-31T06:00')), now: at(time), ...changes });

describe('the overview while the exchange is closed', () => {
  it.each([
    ['2026-11-27T08:59', 'Fri 27 Nov, 2026'],
    ['2026-11-28T12:00', 'Mon 30 Nov, 2026'],
    // A holiday on a Tuesday, and the Monday before it.
    ['2026-11-24T11:00', 'Wed 25 Nov, 2026'],
  ])('says at %s from when on orders are taken again', (time, day) => {
    const { sentence, trading, accepts, ordersFrom } = during(time);
    expect(sentence).toMatch(
      new RegExp(
        `^Not now: NSE takes orders again from 09:00 on ${day}; with real money at one then\\. `,
      ),
    );
    expect([trading, accepts]).toEqual(['live', 'after_market']);
    expect(ordersFrom).toBe(at(`2026-11-${day.slice(4, 6)}T09:00`));
  });

  it('says that after-market orders alone pass where brokers take them', () => {
    const until = at('2026-11-27T06:00');
    expect(during('2026-11-23T23:58').sentence).toBe(
      'Only after-market orders, with real money at one: NSE takes other orders again from 09:00 on ' +
        'Wed 25 Nov, 2026.',
    );
    expect(during('2026-11-26T23:58', { session: valid(until) }).sentence).toBe(
      'Only after-market orders, with real money at one: NSE takes other orders again from 09:00 on ' +
        'Fri 27 Nov, 2026. The login at one ends before, on Fri 27 Nov, 06:00 IST: log in again.',
    );
  });

  it('names the exchanges that are open longer', () => {
    expect(during('2026-11-26T15:35').sentence).toBe(
      'Only orders at NFO and BFO until 15:40, CDS and BCD until 17:00 and MCX until 23:55, with real ' +
        'money at one: NSE takes orders again from 09:00 on Fri 27 Nov, 2026.',
    );
    expect(during('2026-11-26T18:00').sentence).toMatch(
      /^Only after-market orders, and orders at MCX until 23:55, with real money at one: /,
    );
  });

  it('says nothing of hours in the session, and where the setting switches the check off', () => {
    for (const now of ['2026-11-26T09:00', '2026-11-26T15:29']) {
      expect(during(now)).toMatchObject({ accepts: 'any', ordersFrom: null });
      expect(during(now).sentence).toMatch(/^Yes, with real money at one, until /);
    }
    const always = during('2026-11-28T12:00', { marketHours: 'always' });
    expect(always).toMatchObject({ trading: 'live', accepts: 'any', ordersFrom: null });
    expect(always.sentence).toMatch(/^Yes, with real money at one, until /);
  });

  it('promises no real money for an hour at which the login is over, or on paper', () => {
    const ending = { session: valid(at('2026-11-29T06:00')) };
    expect(during('2026-11-28T12:00', ending).sentence).toMatch(
      /2026\. The login at one ends before/,
    );
    const brokers = [broker('one', 'live', 'it is down'), broker('sim', 'paper', null)];
    const { sentence, trading } = during('2026-11-28T12:00', { brokers });
    expect(trading).toBe('paper');
    expect(sentence).toContain('2026; on paper then. Orders go to the paper account because one');
  });

  it('says that holidays of a year without a list are not known', () => {
    expect(during('2026-12-31T16:30').sentence).toContain(
      '09:00 on Fri 1 Jan, 2027, unless that is a holiday (those of 2027 are not known here)',
    );
  });
});

describe('the overview under a brake', () => {
  const ways = { trading: 'ways_out', accepts: 'ways_out' };

  it('says that a nearly full disk takes ways out alone', () => {
    const overview = overviewOf({ ...given, isDiskLow: true });
    expect(overview).toMatchObject(ways);
    expect(overview.sentence).toMatch(/^No: the disk .* only reduce a position pass\. Free some/);
  });

  it('says that the key which asks is stopped, and why', () => {
    const key = { ...given.key, stopped: 'it misbehaves' };
    const overview = overviewOf({ ...given, key });
    expect(overview).toMatchObject(ways);
    expect(overview.sentence).toMatch(/^No: this key is stopped \(it misbehaves\)\. Cancels,/);
  });

  it('names the kill switch first', () => {
    const killSwitch = { ...OFF, engaged: true };
    const { sentence } = overviewOf({ ...given, killSwitch, isDiskLow: true });
    expect(sentence).toMatch(/^No: the kill switch/);
  });

  it('says to a key that may only read that it cannot trade, and what others can', () => {
    const key = { ...given.key, mayTrade: false };
    const overview = overviewOf({ ...given, key });
    expect(overview).toMatchObject({ trading: 'live', accepts: 'none' });
    expect(overview.sentence).toBe(
      'Not with this key, which may only read. With a key that may trade: ' +
        'yes, with real money at one, until Mon 23 Nov, 11:00 IST.',
    );
  });
});

describe('the overview of a key whose orders never go to paper', () => {
  const key = { ...given.key, mode: 'live' as const };
  const brokers = [broker('one', 'live', 'there is no token'), broker('sim', 'paper', null)];

  it('says no while no live broker has a session, open or closed, and never "only on paper"', () => {
    for (const now of [NOW, at('2026-11-28T12:00')]) {
      const overview = overviewOf({ ...given, key, brokers, now });
      expect(overview).toMatchObject({ trading: 'none', accepts: 'none', account: null });
      expect(overview.sentence).toBe(
        'No: the orders of this key go to live brokers alone, and one takes no orders now (there is no token).',
      );
      expect(overviewOf({ ...given, brokers, now }).trading).toBe('paper');
    }
  });

  it('passes over a paper account that comes first on the route', () => {
    const overview = overviewOf({ ...given, key, route: ['sim', 'one'] });
    expect(overview).toMatchObject({ trading: 'live', account: { broker: 'one' } });
    expect(overview.sentence).toMatch(/^Yes, with real money at one, until /);
    expect(overviewOf({ ...given, key, route: ['sim'] }).sentence).toBe(
      'No: the orders of this key go to live brokers alone, and no live broker is set up on the route of orders.',
    );
  });
});

describe('the overview of one broker', () => {
  const of = (name: string, changes: object = {}) =>
    overviewOf({
      ...{ ...given, named: name, route: [name] },
      ...{ brokers: given.brokers.filter((each) => each.broker === name), ...changes },
    });

  it('says of the paper account that it is one, and not that no live broker is set up', () => {
    expect(of('sim').sentence).toBe('Only on paper: sim is a paper account.');
    expect(of('sim', { now: at('2026-11-28T12:00') }).sentence).toContain(
      'Orders go to the paper account because sim is a paper account.',
    );
    const down = of('sim', { brokers: [broker('sim', 'paper', 'it has no prices')] });
    expect(down.sentence).toBe('No: sim takes no orders now (it has no prices).');
    const live = of('one', { brokers: [broker('one', 'live', 'it is down')] });
    expect(live.sentence).toBe('No: one takes no orders now (it is down).');
  });
});
