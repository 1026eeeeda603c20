import { describe, expect, it } from 'vitest';
import { altBench } from '../adapters/alt/support/alt-broker.ts';
import { answered } from '../adapters/alt/support/scripted-transport.ts';
import { setUp } from '../adapters/primary/support.ts';
import { allInstruments } from '../support/all-instruments.ts';
import { fieldName, isListed, unansweredFields } from './field-paths.ts';

// The lists of instruments are tables: each column is answered, or the broker's page says why not.

interface List {
  readonly broker: string;
  readonly page: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Another value for a column of which one made up would be malformed. */
  readonly another: Readonly<Record<string, string>>;
  readonly read: (text: string) => Promise<unknown>;
}

const ALT: List = {
  broker: 'alternative broker',
  page: 'docs/alt-broker.md',
  columns: [
    ...['instrument_token', 'exchange_token', 'tradingsymbol', 'name', 'last_price', 'expiry'],
    ...['strike', 'tick_size', 'lot_size', 'instrument_type', 'segment', 'exchange'],
  ],
  rows: [
    ['408065', '1594', 'INFY', 'INFOSYS', '0', '', '0', '0.05', '1', 'EQ', 'NSE', 'NSE'],
    [
      ...['9604354', '37517', 'NIFTY26NOV24450CE', 'NIFTY', '12.5', '2026-11-24', '24450'],
      ...['0.05', '65', 'CE', 'NFO-OPT', 'NFO'],
    ],
  ],
  another: { expiry: '2026-12-29', instrument_type: 'PE', segment: 'INDICES', exchange: 'BSE' },
  read: (text) => {
    const { broker } = altBench(answered(200, text, { 'content-type': 'text/csv' }));
    return allInstruments(broker.instruments);
  },
};

const PRIMARY: List = {
  broker: 'primary brokerage',
  page: 'docs/primary-brokerage.md',
  columns: [
    ...['EXCH', 'SEGMENT', 'SECURITY_ID', 'INSTRUMENT_NAME', 'EXPIRY_CODE', 'TRADING_SYMBOL'],
    ...['LOT_UNITS', 'CUSTOM_SYMBOL', 'EXPIRY_DATE', 'STRIKE_PRICE', 'OPTION_TYPE', 'TICK_SIZE'],
    ...['EXPIRY_FLAG', 'SEM_EXCH_INSTRUMENT_TYPE', 'SERIES', 'SYMBOL_NAME'],
  ],
  rows: [
    [
      ...['NSE', 'D', '56998', 'OPTIDX', '0', 'NIFTY-Jul2025-25700-CE', '75', 'NIFTY 25700 CALL'],
      ...['2025-07-03 14:30:00', '25700.0', 'CE', '5.0', 'W', 'OP', '', 'NIFTY'],
    ],
    [
      'NSE',
      'E',
      '1594',
      'EQUITY',
      '0',
      'INFY',
      '1',
      'Infosys',
      ...['', '', '', '0.05'],
      '',
      'ES',
    ].concat(['EQ', 'Infosys Ltd']),
  ],
  another: {
    ...{ EXCH: 'BSE', EXPIRY_DATE: '2025-07-10 14:30:00', OPTION_TYPE: 'PE', SERIES: 'BE' },
    ...{ SEGMENT: 'I', INSTRUMENT_NAME: 'FUTIDX' },
  },
  read: (text) => {
    const [head = '', derivative = '', share = ''] = text.split('\n');
    const files: Readonly<Record<string, string>> = {
      equity: `${head}\n${share}`,
      fno: `${head}\n${derivative}`,
      index: 'EXCH,SEGMENT,SECURITY_ID\nNSE,NIFTY 50,40000001\n',
    };
    const respond = (_: unknown, url: URL) =>
      answered(200, files[url.searchParams.get('source') ?? ''] ?? '');
    return allInstruments(setUp({ respond }).source);
  },
};

const textOf = ({ columns }: List, rows: List['rows']): string =>
  [columns, ...rows].map((row) => row.join(',')).join('\n');

const otherOf = (value: string): string =>
  /^[\d.]+$/.test(value) ? String(Number(value) + 5) : 'OTHER';

describe.each([ALT, PRIMARY])('a column of the list of instruments of the $broker', (list) => {
  it.each(list.columns.map((column, place) => ({ column, place })))(
    'is answered, or its page says why not: $column',
    async ({ column, place }) => {
      const told = async (rows: List['rows']): Promise<string> => {
        try {
          return JSON.stringify(await list.read(textOf(list, rows)));
        } catch (error) {
          return String(error);
        }
      };
      const usual = await told(list.rows);
      expect(usual).toContain('NSE:INFY');
      const answers = await Promise.all(
        list.rows.map((row, at) => {
          const next = row.with(place, list.another[column] ?? otherOf(row[place] ?? ''));
          return told(list.rows.with(at, next));
        }),
      );
      const isAnswered = answers.some((answer) => answer !== usual);
      const name = fieldName('instruments', `[].${column}`);
      expect(isAnswered).not.toBe(isListed(name, unansweredFields(list.page)));
    },
  );
});
