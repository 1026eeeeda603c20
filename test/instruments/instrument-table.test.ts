import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Instrument } from '../../src/domain/instrument.ts';
import { createInstrumentTable, selectRows } from '../../src/instruments/instrument-table.ts';
import { createRowIndex } from '../../src/instruments/row-index.ts';
import { contract, share } from './support/lists.ts';

const INFY = share('INFY', '1594', { isin: 'INE009A01021', displayName: 'Infosys' });
const CALL = contract('NIFTY26NOV24450CE', '56980', { strike: 92.5, freezeQuantity: 1_800 });
const INDEX = share('NIFTY 50', '9', { segment: 'INDEX', securityId: null, tickSize: null });
const NAMED = share('X', '7', { name: 'NFO_7', instrumentToken: null, displayName: '₹ ñ 𝛼' });

const anyInstrument: fc.Arbitrary<Instrument> = fc
  .record({
    base: fc.constantFrom(INFY, CALL, INDEX, NAMED),
    displayName: fc.string({ unit: 'grapheme', maxLength: 80 }),
    securityId: fc.option(fc.stringMatching(/^\d{1,18}$/)),
    instrumentToken: fc.option(fc.integer({ min: 1 })),
    lotSize: fc.integer({ min: 1, max: 5_000 }),
    strike: fc.option(fc.double({ min: 0.05, max: 100_000, noNaN: true })),
  })
  .map(({ base, ...parts }) => ({ ...base, ...parts }));

describe('a table of instruments', () => {
  it('gives back each row as it was added or replaced last', () => {
    const changes = fc.array(fc.tuple(anyInstrument, fc.option(fc.nat({ max: 200 }))), {
      minLength: 1,
      maxLength: 200,
    });
    fc.assert(
      fc.property(changes, fc.nat({ max: 100 }), (steps, expected) => {
        const table = createInstrumentTable(expected);
        const model: Instrument[] = [];
        for (const [instrument, at] of steps) {
          if (at !== null && at < model.length) {
            model[at] = instrument;
            table.replace(at, instrument);
          } else {
            model.push(instrument);
            expect(table.add(instrument)).toBe(model.length - 1);
          }
        }
        expect([...table]).toEqual(model);
      }),
    );
  });

  it('tells each column as the instrument has it', () => {
    const table = createInstrumentTable();
    for (const each of [INFY, CALL, INDEX, NAMED]) table.add(each);
    const columns = [0, 1, 2, 3].map((row) => [
      ...[table.nameAt(row), table.exchangeAt(row), table.tradingSymbolAt(row)],
      ...[table.segmentAt(row), table.securityIdAt(row), table.displayNameAt(row)],
      ...[table.expiryAt(row), table.strikeAt(row), table.optionTypeAt(row)],
    ]);
    expect(columns).toEqual(
      [INFY, CALL, INDEX, NAMED].map((each) => [
        ...[each.name, each.exchange, each.tradingSymbol, each.segment, each.securityId],
        ...[each.displayName, each.expiry, each.strike, each.optionType],
      ]),
    );
  });

  it('has no row beyond its last', () => {
    const table = createInstrumentTable();
    table.add(INFY);
    expect(() => table.at(1)).toThrow('the table has 1 rows, and no 1');
    expect(() => selectRows(table, Uint32Array.of(0)).at(1)).toThrow('the table has 1 rows');
  });

  it('shows selected rows in the order of the selection', () => {
    const table = createInstrumentTable();
    for (const each of [INFY, CALL, INDEX]) table.add(each);
    const selected = selectRows(table, Uint32Array.of(2, 0));
    expect([...selected]).toEqual([INDEX, INFY]);
    expect([selected.length, selected.at(1), selected.nameAt(0)]).toEqual([2, INFY, INDEX.name]);
  });
});

describe('an index of rows', () => {
  it('finds each row by its key, and the last one that was set with a key', () => {
    const keys = fc.array(fc.string({ maxLength: 3 }), { maxLength: 300 });
    fc.assert(
      fc.property(keys, (texts) => {
        const index = createRowIndex(texts.length);
        const model = new Map<string, number>();
        for (const [row, key] of texts.entries()) {
          index.set(key, row, (other) => texts[other] === key);
          model.set(key, row);
        }
        const found = [...model.keys()].map((key) => [
          key,
          index.find(key, (row) => texts[row] === key),
        ]);
        expect(found).toEqual([...model]);
        expect(index.find('absent', (row) => texts[row] === 'absent')).toBe(null);
      }),
    );
  });
});
