import { describe, expect, it } from 'vitest';
import {
  instrumentName,
  parentExchange,
  parseInstrumentReference,
  qualifiedSecurityId,
} from '../../src/domain/instrument.ts';
import { instrument } from '../execution/support/makers.ts';

describe('a reference to an instrument', () => {
  it.each([
    ['NSE:INFY', 'NSE', 'INFY'],
    ['nse:infy', 'NSE', 'INFY'],
    ['NSE:NIFTY 50', 'NSE', 'NIFTY 50'],
    ['NSE:M&M', 'NSE', 'M&M'],
    ['NSE:BAJAJ-AUTO', 'NSE', 'BAJAJ-AUTO'],
    ['BSE:20MICRONS', 'BSE', '20MICRONS'],
    ['NFO:NIFTY26AUG24450CE', 'NFO', 'NIFTY26AUG24450CE'],
  ])('%s is a name', (text, exchange, tradingSymbol) => {
    expect(parseInstrumentReference(text)).toEqual({ kind: 'name', exchange, tradingSymbol });
  });

  it.each([
    ['NSE_1594', 'NSE', '1594'],
    ['nfo_51011', 'NFO', '51011'],
    ['NIDX_40000001', 'NIDX', '40000001'],
    // An id is text: leading zeros stay.
    ['BSE_0500325', 'BSE', '0500325'],
  ])('%s is an exchange with a security id', (text, exchange, securityId) => {
    expect(parseInstrumentReference(text)).toEqual({ kind: 'securityId', exchange, securityId });
  });

  it.each([
    '',
    'INFY',
    'NSE:',
    ':INFY',
    'N:INFY',
    'NSE: INFY',
    'NSE:INFY\n',
    'NSE:INFY,NSE:TCS',
    'NSE_INFY',
    'NSE_',
    'NSE_15.94',
    'NSE_-1',
    ' NSE:INFY',
    'TOOLONGEX:INFY',
    `NSE:${'A'.repeat(51)}`,
    `NSE_${'1'.repeat(19)}`,
    'NSE:../../x',
  ])('%j is neither', (text) => {
    expect(parseInstrumentReference(text)).toBeNull();
  });

  it('reads what it writes', () => {
    expect(parseInstrumentReference(instrumentName('NSE', 'NIFTY 50'))).toMatchObject({
      exchange: 'NSE',
      tradingSymbol: 'NIFTY 50',
    });
  });
});

describe('the exchange that takes the orders of a segment', () => {
  it.each([
    ['NFO', 'NSE'],
    ['BFO', 'BSE'],
    ['NSE', 'NSE'],
    ['BSE', 'BSE'],
    ['MCX', 'MCX'],
  ])('of %s is %s', (segment, exchange) => {
    expect(parentExchange(segment)).toBe(exchange);
  });

  it.each(['CDS', 'BCD'])(
    'of %s is the segment itself: its ids are not those of shares',
    (segment) => {
      expect(parentExchange(segment)).toBe(segment);
    },
  );
});

describe('an exchange with a security id', () => {
  it('names a share by its exchange and id', () => {
    expect(qualifiedSecurityId(instrument({ securityId: '1594' }))).toBe('NSE_1594');
  });

  it('names a derivative by the exchange that takes its orders', () => {
    expect(qualifiedSecurityId(instrument({ exchange: 'NFO', securityId: '51011' }))).toBe(
      'NSE_51011',
    );
  });

  it('is absent where the id is not known', () => {
    expect(qualifiedSecurityId(instrument({ securityId: null }))).toBeNull();
  });
});
