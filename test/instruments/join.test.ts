import { describe, expect, it } from 'vitest';
import type { Instrument } from '../../src/domain/instrument.ts';
import { joinMasters } from '../../src/instruments/join.ts';
import { instrument } from '../execution/support/makers.ts';

/** As the alternative broker lists it: with a token of its own. */
const ofAlt = (parts: Partial<Instrument> = {}) => instrument({ instrumentToken: 1, ...parts });
/** As the primary brokerage lists it: without. */
const ofPrimary = (parts: Partial<Instrument> = {}) =>
  instrument({ instrumentToken: null, tickSize: null, ...parts });

const option = {
  segment: 'DERIVATIVE',
  exchange: 'NFO',
  securityId: '51011',
  lotSize: 75,
  expiry: '2026-08-27',
  strike: 24_450,
  optionType: 'CE',
} as const;
const altOption = ofAlt({
  ...option,
  name: 'NFO:NIFTY26AUG24450CE',
  tradingSymbol: 'NIFTY26AUG24450CE',
});
const primaryOption = ofPrimary({
  ...option,
  name: 'NFO:NIFTY-AUG2026-24450-CE',
  tradingSymbol: 'NIFTY-AUG2026-24450-CE',
});

/** Which list comes first must not matter. */
const bothWays = (one: Instrument, other: Instrument): Instrument[] => {
  const joined = joinMasters([[one], [other]]);
  expect(joinMasters([[other], [one]])).toEqual(joined);
  return [...joined];
};

describe('an instrument of both lists', () => {
  it('is one, under the name of the alternative broker', () => {
    expect(bothWays(altOption, primaryOption)).toMatchObject([
      { name: 'NFO:NIFTY26AUG24450CE', tradingSymbol: 'NIFTY26AUG24450CE', instrumentToken: 1 },
    ]);
  });

  it('has the larger lot', () => {
    const joined = bothWays(ofAlt({ lotSize: 1 }), ofPrimary({ lotSize: 25 }));
    expect(joined.map(({ lotSize }) => lotSize)).toEqual([25]);
  });

  it('has the tick of the list that gave the name, else the other’s', () => {
    const [named] = bothWays(ofAlt({ tickSize: 0.05 }), ofPrimary({ tickSize: 0.01 }));
    expect(named?.tickSize).toBe(0.05);
    const [other] = bothWays(ofAlt({ tickSize: null }), ofPrimary({ tickSize: 0.01 }));
    expect(other?.tickSize).toBe(0.01);
  });

  it('has what either list knows', () => {
    const [joined] = bothWays(ofAlt(), ofPrimary({ isin: 'INE009A01021', freezeQuantity: 900 }));
    expect(joined).toMatchObject({ isin: 'INE009A01021', freezeQuantity: 900, instrumentToken: 1 });
  });
});

describe('two instruments', () => {
  it.each<[string, Partial<Instrument>]>([
    ['at two exchanges', { exchange: 'BSE', name: 'BSE:INFY' }],
    ['in two segments', { ...option, securityId: '1594', name: 'NFO:X', tradingSymbol: 'X' }],
    ['of two numbers', { securityId: '1595', name: 'NSE:TCS', tradingSymbol: 'TCS' }],
  ])('stay two: %s', (_how, parts) => {
    expect(joinMasters([[ofAlt()], [ofPrimary(parts)]])).toHaveLength(2);
  });

  it('stay two: a currency future of the number of a share’s option', () => {
    const future = { segment: 'DERIVATIVE', exchange: 'CDS', securityId: '51011' } as const;
    const currency = ofAlt({
      ...future,
      name: 'CDS:USDINR',
      tradingSymbol: 'USDINR',
      lotSize: 1_000,
    });
    const joined = joinMasters([[altOption, currency], [primaryOption]]);
    expect(joined.map(({ name, lotSize }) => [name, lotSize])).toEqual([
      ['NFO:NIFTY26AUG24450CE', 75],
      ['CDS:USDINR', 1_000],
    ]);
  });
});

describe('an index', () => {
  const index = { segment: 'INDEX', name: 'NSE:NIFTY 50', tradingSymbol: 'NIFTY 50' } as const;

  it('is joined by its name, and has the number that scrip codes are made of', () => {
    const joined = bothWays(
      ofAlt({ ...index, securityId: null, instrumentToken: 256_265 }),
      ofPrimary({ ...index, securityId: '40000001' }),
    );
    expect(joined).toMatchObject([{ securityId: '40000001', instrumentToken: 256_265 }]);
  });

  it('is not the share that has its number', () => {
    const share = ofAlt({ securityId: '40000001' });
    const joined = joinMasters([[share], [ofPrimary({ ...index, securityId: '40000001' })]]);
    expect(joined).toHaveLength(2);
  });
});

describe('one list alone', () => {
  it('is taken as it is', () => {
    expect(joinMasters([[altOption, ofAlt()], []])).toEqual([altOption, ofAlt()]);
    expect(joinMasters([])).toEqual([]);
  });
});
