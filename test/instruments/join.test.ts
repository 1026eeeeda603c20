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

/** The order of the lists must not change the result. */
const bothWays = (one: Instrument, other: Instrument): Instrument[] => {
  const result = join([one], [other]);
  expect(join([other], [one])).toEqual(result);
  return result;
};

describe('an instrument of both lists', () => {
  it('becomes one, under the name of the alternative broker', () => {
    const isin = 'INE009A01021';
    const other = ofPrimary({ tradingSymbol: 'INFOSYS', name: 'NSE:INFOSYS', isin });
    expect(bothWays(ofAlt({ isin }), other)).toEqual([ofAlt({ isin })]);
  });

  it('is found under the other list’s name too, when no other instrument has it', () => {
    const { aliases, instruments } = joined([
      [ofAlt()],
      [ofPrimary({ tradingSymbol: 'INFY-EQ', name: 'NSE:INFY-EQ' })],
    ]);
    expect([...aliases].map(([alias, row]) => [alias, instruments.nameAt(row)])).toEqual([
      ['NSE:INFY-EQ', 'NSE:INFY'],
    ]);
  });

  it('has no second name when another instrument would have the same one', () => {
    const { aliases } = joined([
      [share('A', '1', { isin: 'I1' }), share('B', '2', { isin: 'I2' })],
      [ofPrimary({ securityId: '1', isin: 'I1' }), ofPrimary({ securityId: '2', isin: 'I2' })],
    ]);
    expect([...aliases]).toEqual([]);
  });

  it('has the tick size of the list that gave the name, or else the other’s', () => {
    const [named] = bothWays(ofAlt({ tickSize: 0.05 }), ofPrimary({ tickSize: 0.01 }));
    expect(named?.tickSize).toBe(0.05);
    const [other] = bothWays(ofAlt({ tickSize: null }), ofPrimary({ tickSize: 0.01 }));
    expect(other?.tickSize).toBe(0.01);
  });

  it('has the tick size of the newer list', () => {
    const lists = [[ofAlt({ tickSize: 0.05 })], [ofPrimary({ tickSize: 0.01 })]];
    expect(joined(lists, [1, 2]).instruments.at(0).tickSize).toBe(0.01);
    expect(joined(lists, [2, 1]).instruments.at(0).tickSize).toBe(0.05);
  });

  it('has every field that either list has', () => {
    const [one] = bothWays(ofAlt(), ofPrimary({ isin: 'INE009A01021', freezeQuantity: 900 }));
    expect(one).toMatchObject({
      isin: 'INE009A01021',
      freezeQuantity: 900,
      instrumentToken: 408065,
    });
  });
});

describe('lot sizes that differ', () => {
  const lots = (alt: number, primary: number, editions: number[], parts = {}): number[] => {
    const lists = [
      [{ ...altOption, ...parts, lotSize: alt }],
      [{ ...primaryOption, ...parts, lotSize: primary }],
    ];
    return [...joined(lists, editions).instruments].map(({ lotSize }) => lotSize);
  };

  it('accept only quantities that are whole lots in both lists', () => {
    expect(lots(65, 75, [1, 1])).toEqual([975]);
    expect(lots(1, 75, [1, 1])).toEqual([75]);
    expect(lots(75, 75, [1, 1])).toEqual([75]);
  });

  it('follow the newer list when the lists are of two days', () => {
    expect(lots(65, 75, [1, 2])).toEqual([75]);
    expect(lots(65, 75, [2, 1])).toEqual([65]);
  });

  it('ignore a newer lot size of 1, which may be a default', () => {
    expect(lots(65, 1, [1, 2])).toEqual([65]);
  });

  it('follow one list only, outside shares and their derivatives', () => {
    const currency = { exchange: 'CDS', name: 'CDS:USDINR26NOVFUT', ...future };
    expect(lots(1, 1_000, [1, 2], currency)).toEqual([1]);
    expect(lots(1, 1_000, [1, 1], currency)).toEqual([1]);
  });

  it('are logged, with their number and one example', () => {
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

  it('share a security id but differ as contracts: the id and the token are the newer list’s', () => {
    const reused = primaryContract('NIFTY-DEC2026-24450-CE', '56980', { expiry: '2026-12-29' });
    const { instruments, clashes } = joined([[altOption], [reused]], [1, 2]);
    expect(
      [...instruments].map(({ name, securityId, instrumentToken }) => [
        name,
        securityId,
        instrumentToken,
      ]),
    ).toEqual([
      ['NFO:NIFTY26DEC24450CE', '56980', null],
      ['NFO:NIFTY26NOV24450CE', null, null],
    ]);
    expect(clashes.contract.count).toBe(1);
  });

  it.each<[string, Partial<Instrument>, string]>([
    ['expiry', { expiry: '2026-12-29' }, 'NIFTY-DEC2026-24450-CE'],
    ['strike', { strike: 24_500 }, 'NIFTY-NOV2026-24500-CE'],
    ['type', { optionType: 'PE' }, 'NIFTY-NOV2026-24450-PE'],
    ['underlying', {}, 'FINNIFTY-NOV2026-24450-CE'],
  ])(
    'share a security id on one day but differ in %s: the named one loses the id',
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

  it('share a security id in one list: the first one has it', () => {
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

  it('keep their names when the alternative broker’s list arrives', () => {
    expect(join([primaryOption])[0]?.name).toBe(bothWays(altOption, primaryOption)[0]?.name);
  });

  it('are found by the computed name even when it was wrong', () => {
    const { aliases } = joined([[contract('NIFTY26N2424450CE', '56980')], [primaryOption]]);
    expect(aliases.get('NFO:NIFTY26NOV24450CE')).toBe(0);
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

describe('a name that two instruments have', () => {
  const twins = [ofPrimary(), ofPrimary({ securityId: '9' })];

  it('belongs to neither: both are named by their security ids', () => {
    expect(join(twins).map(({ name }) => name)).toEqual(['NSE_1594', 'NSE_9']);
  });

  it('belongs to the instrument that the alternative broker gives it', () => {
    expect(join(twins, [ofAlt()]).map(({ name }) => name)).toEqual(['NSE:INFY', 'NSE_9']);
  });

  it('distinguishes the security ids of derivatives and indices from those of shares', () => {
    const odd = (id: string) => primaryContract('ODD', id);
    const indices = [
      share('ODD', '5', { segment: 'INDEX', instrumentToken: null }),
      share('ODD', '6', { instrumentToken: null }),
    ];
    expect(join([odd('1'), odd('2')]).map(({ name }) => name)).toEqual(['NFO_1', 'NFO_2']);
    expect(join(indices).map(({ name }) => name)).toEqual(['NIDX_5', 'NSE_6']);
  });

  it('leaves out the instrument that has no security id', () => {
    const found = join([
      share('A', '1', { securityId: null, instrumentToken: null }),
      share('A', '1', { instrumentToken: null }),
    ]);
    expect(found.map(({ name }) => name)).toEqual(['NSE_1']);
  });

  it('is not reused as the second name of a third instrument', () => {
    const renamed = share('OTHER', '7', { isin: 'INE009A01021' });
    const third = ofPrimary({ securityId: '7', isin: 'INE009A01021' });
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
  ])('%s is joined with %s, and has its security id', (alt, primary) => {
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

  it('is not joined with the share that has its security id', () => {
    const found = join([ofAlt({ securityId: '40000001' })], [ofPrimaryNamed('NIFTY 50')]);
    expect(found).toHaveLength(2);
  });

  it('stays two when one list has it in two spellings', () => {
    expect(join([ofAltNamed('NIFTY 50'), ofAltNamed('NIFTY50')])).toHaveLength(2);
    const thrice = ['NIFTY 50', 'NIFTY50', 'NIFTY50'].map((name) => ofAltNamed(name));
    expect(join(thrice).map(({ name }) => name)).toEqual(['NSE:NIFTY 50', 'NSE:NIFTY50']);
  });
});

describe('one list alone', () => {
  it('is used unchanged', () => {
    expect(join([altOption, ofAlt()], [])).toEqual([altOption, ofAlt()]);
    expect(join()).toEqual([]);
  });
});
