import { describe, expect, it } from 'vitest';
import type { Instrument } from '../../src/domain/instrument.ts';
import { contract, future, joined, primaryContract, share } from './support/lists.ts';

/** As the alternative broker lists it: with a token of its own. */
const ofAlt = (parts: Partial<Instrument> = {}) => share('INFY', '1594', parts);
/** As the primary brokerage lists it: without. */
const ofPrimary = (parts: Partial<Instrument> = {}) =>
  share('INFY', '1594', { instrumentToken: null, tickSize: null, ...parts });

const altOption = contract('NIFTY26NOV24450CE', '56980');
const primaryOption = primaryContract('NIFTY-NOV2026-24450-CE', '56980');

const join = (...lists: Instrument[][]): Instrument[] => [...joined(lists).instruments];

/** Which list comes first must not matter. */
const bothWays = (one: Instrument, other: Instrument): Instrument[] => {
  const result = join([one], [other]);
  expect(join([other], [one])).toEqual(result);
  return result;
};

describe('an instrument of both lists', () => {
  it('is one, under the name of the alternative broker', () => {
    expect(bothWays(ofAlt(), ofPrimary({ tradingSymbol: 'INFOSYS', name: 'NSE:INFOSYS' }))).toEqual(
      [ofAlt()],
    );
  });

  it('is found under the other’s name too, where nothing else is so named', () => {
    const { aliases } = joined([
      [ofAlt({ tradingSymbol: 'INFY-BE', name: 'NSE:INFY-BE' })],
      [ofPrimary()],
    ]);
    expect([...aliases].map(([alias, { name }]) => [alias, name])).toEqual([
      ['NSE:INFY', 'NSE:INFY-BE'],
    ]);
  });

  it('lends its other name to nobody when a second would have it too', () => {
    const { aliases } = joined([
      [share('A', '1'), share('B', '2')],
      [ofPrimary({ securityId: '1' }), ofPrimary({ securityId: '2' })],
    ]);
    expect([...aliases]).toEqual([]);
  });

  it('has the tick of the list that gave the name, else the other’s', () => {
    const [named] = bothWays(ofAlt({ tickSize: 0.05 }), ofPrimary({ tickSize: 0.01 }));
    expect(named?.tickSize).toBe(0.05);
    const [other] = bothWays(ofAlt({ tickSize: null }), ofPrimary({ tickSize: 0.01 }));
    expect(other?.tickSize).toBe(0.01);
  });

  it('has the tick of the list of a later day', () => {
    const lists = [[ofAlt({ tickSize: 0.05 })], [ofPrimary({ tickSize: 0.01 })]];
    expect(joined(lists, [1, 2]).instruments[0]?.tickSize).toBe(0.01);
    expect(joined(lists, [2, 1]).instruments[0]?.tickSize).toBe(0.05);
  });

  it('has what either list knows', () => {
    const [one] = bothWays(ofAlt(), ofPrimary({ isin: 'INE009A01021', freezeQuantity: 900 }));
    expect(one).toMatchObject({
      isin: 'INE009A01021',
      freezeQuantity: 900,
      instrumentToken: 408065,
    });
  });
});

describe('lots that do not agree', () => {
  const lots = (alt: number, primary: number, editions: number[], parts = {}): number[] => {
    const lists = [
      [{ ...altOption, ...parts, lotSize: alt }],
      [{ ...primaryOption, ...parts, lotSize: primary }],
    ];
    return joined(lists, editions).instruments.map(({ lotSize }) => lotSize);
  };

  it('let only pass what is whole lots by both', () => {
    expect(lots(65, 75, [1, 1])).toEqual([975]);
    expect(lots(1, 75, [1, 1])).toEqual([75]);
    expect(lots(75, 75, [1, 1])).toEqual([75]);
  });

  it('of two days: the later one is believed', () => {
    expect(lots(65, 75, [1, 2])).toEqual([75]);
    expect(lots(65, 75, [2, 1])).toEqual([65]);
  });

  it('of two days: but a later 1 may mean that nothing is said', () => {
    expect(lots(65, 1, [1, 2])).toEqual([65]);
  });

  it('outside shares and their derivatives: the named list alone is believed', () => {
    const currency = { exchange: 'CDS', name: 'CDS:USDINR26NOVFUT', ...future };
    expect(lots(1, 1_000, [1, 2], currency)).toEqual([1]);
    expect(lots(1, 1_000, [1, 1], currency)).toEqual([1]);
  });

  it('are told, with how many and one of them', () => {
    const { clashes } = joined([
      [altOption, ofAlt()],
      [{ ...primaryOption, lotSize: 75 }, ofPrimary()],
    ]);
    expect(clashes.lot).toEqual({ count: 1, example: 'NFO:NIFTY26NOV24450CE' });
  });
});

describe('two instruments', () => {
  it.each<[string, Partial<Instrument>]>([
    ['at two exchanges', { exchange: 'BSE', name: 'BSE:INFY' }],
    ['in two segments', { ...altOption, securityId: '1594', instrumentToken: null }],
    ['of two numbers', { securityId: '1595', name: 'NSE:TCS', tradingSymbol: 'TCS' }],
  ])('stay two: %s', (_how, parts) => {
    expect(join([ofAlt()], [ofPrimary(parts)])).toHaveLength(2);
  });

  it.each(['CDS', 'BCD', 'MCX', 'NCO'])(
    'stay two: a future of %s of the number of a share’s option',
    (exchange) => {
      const other = contract('USDINR26NOVFUT', '56980', { exchange, ...future });
      expect(join([altOption, other], [primaryOption]).map(({ name }) => name)).toEqual([
        'NFO:NIFTY26NOV24450CE',
        `${exchange}:USDINR26NOVFUT`,
      ]);
    },
  );

  it('of one number, when contracts differ: the number is of the list of the later day', () => {
    const reused = primaryContract('NIFTY-DEC2026-24450-CE', '56980', { expiry: '2026-12-29' });
    const { instruments, clashes } = joined([[altOption], [reused]], [1, 2]);
    expect(instruments.map(({ name, securityId }) => [name, securityId])).toEqual([
      ['NFO:NIFTY26DEC24450CE', '56980'],
    ]);
    expect(clashes.contract.count).toBe(1);
  });

  it.each<[string, Partial<Instrument>, string]>([
    ['expiry', { expiry: '2026-12-29' }, 'NIFTY-DEC2026-24450-CE'],
    ['strike', { strike: 24_500 }, 'NIFTY-NOV2026-24500-CE'],
    ['type', { optionType: 'PE' }, 'NIFTY-NOV2026-24450-PE'],
  ])(
    'of one number in lists of one day, of another %s: the named one loses the number',
    (_what, parts, symbol) => {
      const found = bothWays(altOption, primaryContract(symbol, '56980', parts));
      expect(found.map((each) => [each.instrumentToken !== null, each.securityId])).toEqual(
        expect.arrayContaining([
          [true, null],
          [false, '56980'],
        ]),
      );
    },
  );

  it('of one number in one list: the first is taken', () => {
    expect(join([ofAlt(), ofAlt({ name: 'NSE:TWIN', tradingSymbol: 'TWIN' })])).toEqual([ofAlt()]);
  });
});

describe('contracts that only the primary brokerage lists', () => {
  it('have the names that the alternative broker would give them', () => {
    const weekly = primaryContract('NIFTY-NOV2026-24450-CE', '56981', { expiry: '2026-11-10' });
    const futures = primaryContract('NIFTY-NOV2026-FUT', '56982', future);
    expect(join([primaryOption, weekly, futures]).map(({ name }) => name)).toEqual([
      'NFO:NIFTY26NOV24450CE',
      'NFO:NIFTY26N1024450CE',
      'NFO:NIFTY26NOVFUT',
    ]);
  });

  it('are the same by name as once the alternative broker’s list is there', () => {
    expect(join([primaryOption])[0]?.name).toBe(bothWays(altOption, primaryOption)[0]?.name);
  });

  it('are known by that name also where it was guessed wrong', () => {
    const { instruments, aliases } = joined([
      [contract('NIFTY26N2424450CE', '56980')],
      [primaryOption],
    ]);
    expect(aliases.get('NFO:NIFTY26NOV24450CE')).toBe(instruments[0]);
  });

  it('are left out once they have expired', () => {
    const old = primaryContract('NIFTY-NOV2026-24400-CE', '1', {
      expiry: '2026-11-05',
      strike: 24_400,
    });
    const last = primaryContract('NIFTY-NOV2026-24400-CE', '2', {
      expiry: '2026-11-06',
      strike: 24_400,
    });
    expect(join([old, last]).map(({ securityId }) => securityId)).toEqual(['2']);
  });
});

describe('a name that two have', () => {
  const twins = [ofPrimary(), ofPrimary({ securityId: '9' })];

  it('is neither’s: both are named by their scrip codes', () => {
    expect(join(twins).map(({ name }) => name)).toEqual(['NSE_1594', 'NSE_9']);
  });

  it('is that one’s which the alternative broker so names', () => {
    expect(join(twins, [ofAlt()]).map(({ name }) => name)).toEqual(['NSE:INFY', 'NSE_9']);
  });

  it('tells derivatives’ and indices’ numbers from those of shares', () => {
    const odd = (id: string) => primaryContract('ODD', id);
    const indices = [
      share('ODD', '5', { segment: 'INDEX', instrumentToken: null }),
      share('ODD', '6', { instrumentToken: null }),
    ];
    expect(join([odd('1'), odd('2')]).map(({ name }) => name)).toEqual(['NFO_1', 'NFO_2']);
    expect(join(indices).map(({ name }) => name)).toEqual(['NIDX_5', 'NSE_6']);
  });

  it('of one without a number leaves that one out', () => {
    const found = join([
      share('A', '1', { securityId: null, instrumentToken: null }),
      share('A', '1', { instrumentToken: null }),
    ]);
    expect(found.map(({ name }) => name)).toEqual(['NSE_1']);
  });

  it('does not come back as the other name of a third', () => {
    const renamed = share('OTHER', '7', { name: 'NSE:OTHER' });
    const third = ofPrimary({ securityId: '7' });
    const { aliases, clashes } = joined([[...twins, third], [renamed]]);
    expect([aliases.size, clashes.name.count]).toEqual([0, 2]);
  });
});

describe('an index', () => {
  const index = (name: string, parts: Partial<Instrument>) =>
    share(name, '0', { segment: 'INDEX', ...parts });
  const ofAltNamed = (name: string) => index(name, { securityId: null, instrumentToken: 256_265 });
  const ofPrimaryNamed = (name: string) =>
    index(name, { securityId: '40000001', instrumentToken: null });

  it.each([
    ['NIFTY 50', 'NIFTY 50'],
    ['NIFTY 50', 'Nifty50'],
    ['NIFTY 50', 'NIFTY'],
    ['NIFTY BANK', 'BANKNIFTY'],
    ['NIFTY BANK', 'Bank Nifty'],
    ['NIFTY FIN SERVICE', 'FINNIFTY'],
    ['NIFTY MID SELECT', 'NIFTY MIDCAP SELECT'],
    ['SENSEX', 'S&P BSE SENSEX'],
    ['NIFTY 100 EQL WGT', 'NIFTY100 EQL-WGT'],
  ])('%s is joined with %s, and has the number of scrip codes', (alt, primary) => {
    expect(bothWays(ofAltNamed(alt), ofPrimaryNamed(primary))).toMatchObject([
      { name: `NSE:${alt}`, securityId: '40000001', instrumentToken: 256_265 },
    ]);
  });

  it.each([
    ['NIFTY 50', 'NIFTY 500'],
    ['NIFTY BANK', 'NIFTY PSU BANK'],
    ['NIFTY 50', 'NIFTY NEXT 50'],
  ])('%s is not %s', (alt, primary) => {
    expect(join([ofAltNamed(alt)], [ofPrimaryNamed(primary)])).toHaveLength(2);
  });

  it('is not the share that has its number', () => {
    const found = join([ofAlt({ securityId: '40000001' })], [ofPrimaryNamed('NIFTY 50')]);
    expect(found).toHaveLength(2);
  });

  it('of two spellings within one list stays two', () => {
    expect(join([ofAltNamed('NIFTY 50'), ofAltNamed('NIFTY50')])).toHaveLength(2);
  });
});

describe('one list alone', () => {
  it('is taken as it is', () => {
    expect(join([altOption, ofAlt()], [])).toEqual([altOption, ofAlt()]);
    expect(join()).toEqual([]);
  });
});
