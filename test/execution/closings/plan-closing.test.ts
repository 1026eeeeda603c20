import { describe, expect, it } from 'vitest';
import type { Instrument } from '../../../src/domain/instrument.ts';
import type { Holding } from '../../../src/domain/portfolio.ts';
import type { ClosingFilter } from '../../../src/execution/closings/closing-filter.ts';
import {
  type NetOfKey,
  type OwnNet,
  planClosing,
} from '../../../src/execution/closings/plan-closing.ts';
import { instrument, portfolio, position } from '../support/makers.ts';

const option = (strike: number, optionType: 'CE' | 'PE'): Instrument => {
  const tradingSymbol = `NIFTY26NOV${strike}${optionType}`;
  return instrument({
    ...{ name: `NFO:${tradingSymbol}`, exchange: 'NFO', tradingSymbol, segment: 'DERIVATIVE' },
    ...{ lotSize: 65, optionType, strike, isin: null },
  });
};
const SHORT = option(24_000, 'CE');
const LONG = option(24_500, 'CE');
const PUT = option(24_000, 'PE');
const FUTURE = instrument({
  ...{ name: 'NFO:NIFTY26NOVFUT', exchange: 'NFO', tradingSymbol: 'NIFTY26NOVFUT' },
  ...{ segment: 'DERIVATIVE', lotSize: 65, optionType: null, strike: null, isin: null },
});
const OF_SHARES: Instrument = {
  ...FUTURE,
  name: 'NFO:INFY26NOVFUT',
  tradingSymbol: 'INFY26NOVFUT',
};
const LISTED = [instrument(), SHORT, LONG, PUT, FUTURE, OF_SHARES];
const byName = (name: string) => LISTED.find((each) => each.name === name) ?? null;

const ALL: ClosingFilter = {
  ...{ instrument: null, product: null, side: null, holdings: [], includeUndelivered: false },
};

const holding = (parts: Partial<Holding> = {}): Holding => ({
  ...{ instrument: 'NSE:INFY', isin: null, quantity: 100, usedQuantity: 0, t1Quantity: 0 },
  ...{ averagePrice: null, lastPrice: null },
  ...parts,
});

const plan = (
  parts: Parameters<typeof portfolio>[0],
  filter: Partial<ClosingFilter> = {},
  netOfKey: NetOfKey = null,
) => planClosing(portfolio(parts), { ...ALL, ...filter }, { byName, netOfKey });

const SPREAD = [
  position({ instrument: LONG.name, product: 'MARGIN', quantity: 65 }),
  position({ instrument: SHORT.name, product: 'MARGIN', quantity: -65 }),
];

/** What a key has where every fill of its orders is known. */
const known = (net: number): OwnNet => ({ least: net, most: net, unknown: [] });

describe('the positions that a closing ends', () => {
  it('are short ones first, and long ones of the same underlying after them', () => {
    const planned = plan({ positions: SPREAD });
    expect(planned.map(({ net, underlying, phase }) => [net, underlying, phase])).toEqual([
      [65, 'NIFTY', 2],
      [-65, 'NIFTY', 1],
    ]);
  });

  it('leave out what the filters leave out, and closed ones', () => {
    const positions = [...SPREAD, position({ product: 'INTRADAY', quantity: 0 })];
    const names = (filter: Partial<ClosingFilter>) =>
      plan({ positions }, filter).map(({ net }) => net);
    expect(names({ side: 'BUY', instrument: LONG.name })).toEqual([65]);
    expect(names({ side: 'SELL' })).toEqual([-65]);
    expect(names({ instrument: LONG.name })).toEqual([65]);
    expect(names({ product: 'INTRADAY' })).toEqual([]);
  });

  it('have no delivery shares but those that are named, and of them only what is delivered', () => {
    const account = {
      positions: [position({ product: 'CNC', quantity: 10 })],
      holdings: [holding({ t1Quantity: 30 })],
    };
    const quantities = (filter: Partial<ClosingFilter>) =>
      plan(account, filter).map(({ quantity }) => quantity);
    expect(quantities({})).toEqual([]);
    expect(quantities({ holdings: ['NSE:INFY'] })).toEqual([70]);
    expect(quantities({ holdings: ['NSE:INFY'], includeUndelivered: true })).toEqual([110]);
  });

  it('do not count shares that were sold today', () => {
    const account = {
      positions: [position({ product: 'CNC', quantity: -40 })],
      holdings: [holding()],
    };
    const [first] = plan(account, { holdings: ['NSE:INFY'] });
    expect(first?.quantity).toBe(60);
  });

  it('of one key are what it has traded, and never more than the account has', () => {
    const positions = [position({ product: 'INTRADAY', quantity: 50 })];
    const closed = (net: number) =>
      plan({ positions }, {}, () => known(net)).map(({ quantity }) => quantity);
    expect(closed(20)).toEqual([20]);
    expect(closed(80)).toEqual([50]);
    expect(closed(-20)).toEqual([]);
    expect(closed(0)).toEqual([]);
  });

  it('of one key are what certainly is its own: of what may be, it says so', () => {
    const closed = (held: number, least: number, most: number) =>
      plan({ positions: [position({ product: 'INTRADAY', quantity: held })] }, {}, () => ({
        ...{ least, most, unknown: ['ord_1'] },
      })).map(({ quantity, status, reason }) => [quantity, status, reason]);
    const unsure = (open: number) => [
      null,
      'kept',
      `how much of ord_1 has filled is not known: ${open} of these may be the key's`,
    ];
    expect(closed(50, 0, 40)).toEqual([unsure(40)]);
    expect(closed(50, 20, 60)).toEqual([[20, 'waiting', null], unsure(30)]);
    expect(closed(50, -10, 0)).toEqual([]);
    expect(closed(-50, -60, -20)).toEqual([[20, 'waiting', null], unsure(30)]);
  });

  it('that no order can have are kept, and said', () => {
    const positions = [
      position({ product: 'MTF', quantity: 5 }),
      position({ instrument: 'NSE:GONE', product: 'INTRADAY', quantity: 5 }),
    ];
    const planned = plan({ positions });
    expect(planned.map(({ status, reason }) => [status, reason])).toEqual([
      ['kept', "no order of NSE:INFY can have MTF: use the broker's app"],
      ['kept', 'no instrument list has it now'],
    ]);
  });

  it('keep what may cover a short contract that no list has, of any underlying where its symbol does not tell', () => {
    const long = position({ instrument: LONG.name, product: 'MARGIN', quantity: 65 });
    const beside = (instrument: string) =>
      plan({ positions: [long, position({ instrument, product: 'MARGIN', quantity: -65 })] }).find(
        ({ net }) => net > 0,
      )?.status;
    expect(beside('NFO:NIFTY26NOV23950CE')).toBe('kept');
    expect(beside('NFO:BANKNIFTY26NOV51000CE')).toBe('waiting');
    expect(beside('NFO:NIFTY2026WEEKLY')).toBe('kept');
  });

  it('keep a long future where short shares stay, and none for holdings that were sold', () => {
    const future = position({ instrument: OF_SHARES.name, product: 'MARGIN', quantity: 65 });
    const beside = (product: string) =>
      plan(
        { positions: [future, position({ product, quantity: -10 })] },
        { product: 'MARGIN' },
      ).map(({ status }) => status);
    expect([beside('INTRADAY'), beside('CNC')]).toEqual([['kept'], ['waiting']]);
  });

  it('keep long contracts where a short one of the underlying stays, unless they are named', () => {
    const told = (filter: Partial<ClosingFilter>, netOfKey: NetOfKey = null) =>
      plan({ positions: SPREAD }, filter, netOfKey).map(({ net, status }) => [net, status]);
    expect(told({ side: 'BUY' })).toEqual([[65, 'kept']]);
    expect(told({ side: 'BUY', instrument: LONG.name })).toEqual([[65, 'waiting']]);
    expect(told({}, (name) => known(name === LONG.name ? 65 : 0))).toEqual([[65, 'kept']]);
    const carried = [
      position({ instrument: LONG.name, product: 'INTRADAY', quantity: 65 }),
      position({ instrument: SHORT.name, product: 'MARGIN', quantity: -65 }),
    ];
    const intraday = plan({ positions: carried }, { product: 'INTRADAY' });
    expect(intraday.map(({ status }) => status)).toEqual(['kept']);
  });

  const carriedAnd = (carried: Instrument, other: Instrument, quantity: number) => {
    const positions = [
      position({ instrument: carried.name, product: 'MARGIN', quantity: -65 }),
      position({ instrument: other.name, product: 'INTRADAY', quantity }),
    ];
    const [planned] = plan({ positions }, { product: 'INTRADAY' });
    return [planned?.status, planned?.reason];
  };
  const KEPT_FOR_PUT = 'it may cover -65 NFO:NIFTY26NOV24000PE (MARGIN), which is not closed';

  it('keep a short future for a short put that stays, and no short option for one', () => {
    expect(carriedAnd(PUT, FUTURE, -65)).toEqual(['kept', KEPT_FOR_PUT]);
    expect(carriedAnd(PUT, FUTURE, 65)).toEqual(['kept', KEPT_FOR_PUT]);
    expect(carriedAnd(PUT, SHORT, -65)).toEqual(['waiting', null]);
    expect(carriedAnd(SHORT, FUTURE, -65)).toEqual(['waiting', null]);
    expect(carriedAnd(FUTURE, SHORT, -65)).toEqual(['waiting', null]);
  });

  it('have an intraday short one beside a carried one of the same instrument', () => {
    expect(carriedAnd(SHORT, SHORT, -65)).toEqual(['waiting', null]);
    expect(carriedAnd(PUT, PUT, -65)).toEqual(['waiting', null]);
    // The carried one stays short, and keeps its cover.
    const positions = [
      position({ instrument: SHORT.name, product: 'INTRADAY', quantity: -65 }),
      position({ instrument: SHORT.name, product: 'MARGIN', quantity: -65 }),
      position({ instrument: LONG.name, product: 'INTRADAY', quantity: 65 }),
    ];
    const planned = plan({ positions }, { product: 'INTRADAY' });
    expect(planned.map(({ net, status }) => [net, status])).toEqual([
      [-65, 'waiting'],
      [65, 'kept'],
    ]);
  });

  it('have a short future where the short put is closed beside it', () => {
    const positions = [PUT, FUTURE].map(({ name }) =>
      position({ instrument: name, product: 'INTRADAY', quantity: -65 }),
    );
    expect(plan({ positions }).map(({ status }) => status)).toEqual(['waiting', 'waiting']);
  });
});

describe('a holding that is named and held under the name of another exchange', () => {
  const named = { holdings: ['BSE:INFY'] };

  it('is kept, and says where it is held', () => {
    const [kept, ...more] = plan({ holdings: [holding()] }, named);
    expect(more).toEqual([]);
    expect(kept).toMatchObject({ instrument: 'BSE:INFY', product: 'CNC', status: 'kept', net: 0 });
    expect(kept?.reason).toContain('100 as NSE:INFY: exit those');
  });

  it('is nothing once it is sold, and nothing for a closing of another product', () => {
    const sold = position({ instrument: 'BSE:INFY', product: 'CNC', quantity: -100 });
    expect(plan({ holdings: [holding()], positions: [sold] }, named)).toEqual([]);
    expect(plan({ holdings: [holding()] }, { ...named, product: 'INTRADAY' })).toEqual([]);
  });
});

describe('a position of which more may be held', () => {
  it('keeps its cover, as far as a key would leave a part of it short', () => {
    const [long, short] = SPREAD.map((row) => ({ ...row, quantity: row.quantity * 2 }));
    const behind = { ...short, quantity: -65, otherQuantities: [-130] } as typeof short;
    const own: NetOfKey = (name) => known(name === LONG.name ? 65 : -65);
    const statuses = (row: typeof short) =>
      plan({ positions: [long, row].flatMap((each) => each ?? []) }, {}, own).map((each) => [
        each.instrument === LONG.name ? 'long' : 'short',
        each.status,
      ]);
    expect(statuses(behind)).toEqual([
      ['long', 'kept'],
      ['short', 'waiting'],
    ]);
  });

  it('is said of delivery shares that are named, also where none is certain', () => {
    const planned = (quantity: number, other: number) =>
      plan(
        {
          positions: [position({ product: 'CNC', quantity, otherQuantities: [other] })],
          holdings: [holding()],
        },
        { holdings: ['NSE:INFY'] },
      ).map((each) => [each.status, each.quantity]);
    expect(planned(-40, -60)).toEqual([
      ['waiting', 40],
      ['kept', null],
    ]);
    expect(planned(-40, -100)).toEqual([['kept', null]]);
  });
});
