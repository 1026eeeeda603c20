import { describe, expect, it } from 'vitest';
import { mapInstruments } from '../../../src/adapters/primary/instrument-mapping.ts';
import { createInstruments } from '../../../src/adapters/primary/instruments.ts';
import type { HttpReply } from '../../../src/platform/http.ts';
import type { PrimaryClient } from '../../../src/adapters/primary/client.ts';
import { createLog, createPino } from '../../../src/platform/log.ts';
import { answered, failureOf, setUp } from './support.ts';
import { allInstruments } from '../../support/all-instruments.ts';

const HEADER =
  'EXCH,SEGMENT,SECURITY_ID,INSTRUMENT_NAME,EXPIRY_CODE,TRADING_SYMBOL,LOT_UNITS,CUSTOM_SYMBOL,' +
  'EXPIRY_DATE,STRIKE_PRICE,OPTION_TYPE,TICK_SIZE,EXPIRY_FLAG,SEM_EXCH_INSTRUMENT_TYPE,SERIES,SYMBOL_NAME';
const INFY = 'NSE,E,1594,EQUITY,0,INFY,1,Infosys,,,,0.05,,ES,EQ,"Infosys, Ltd"';
const INDEX = 'EXCH,SEGMENT,SECURITY_ID\nNSE,NIFTY 50,40000001\n';
const OPTION =
  'NSE,D,56998,OPTIDX,0,NIFTY-Jul2025-25700-CE,75,NIFTY 03 JUL 25700 CALL,2025-07-03 14:30:00,25700.0,CE,5.0,W,OP,,NIFTY';

const file = (...rows: readonly string[]): HttpReply => answered(200, [HEADER, ...rows].join('\n'));

function withFiles(files: Readonly<Record<string, HttpReply>>) {
  const all: Record<string, HttpReply> = {
    equity: file(INFY),
    index: answered(200, INDEX),
    fno: file(OPTION),
    ...files,
  };
  return setUp({ respond: (_, url) => all[url.searchParams.get('source')!]! });
}

const equity = async (...rows: readonly string[]) =>
  (await allInstruments(withFiles({ equity: file(...rows) }).source)).filter(
    ({ segment }) => segment === 'EQUITY',
  );

describe('the instrument list', () => {
  it('holds shares, indices and derivatives', async () => {
    expect(await allInstruments(withFiles({}).source)).toEqual([
      {
        name: 'NSE:INFY',
        exchange: 'NSE',
        tradingSymbol: 'INFY',
        segment: 'EQUITY',
        securityId: '1594',
        instrumentToken: null,
        lotSize: 1,
        tickSize: 0.05,
        freezeQuantity: null,
        isin: null,
        displayName: 'Infosys, Ltd',
        expiry: null,
        strike: null,
        optionType: null,
      },
      {
        name: 'NSE:NIFTY 50',
        exchange: 'NSE',
        tradingSymbol: 'NIFTY 50',
        segment: 'INDEX',
        securityId: '40000001',
        instrumentToken: null,
        lotSize: 1,
        tickSize: null,
        freezeQuantity: null,
        isin: null,
        displayName: 'NIFTY 50',
        expiry: null,
        strike: null,
        optionType: null,
      },
      {
        name: 'NFO:NIFTY-JUL2025-25700-CE',
        exchange: 'NFO',
        tradingSymbol: 'NIFTY-JUL2025-25700-CE',
        segment: 'DERIVATIVE',
        securityId: '56998',
        instrumentToken: null,
        lotSize: 75,
        tickSize: null,
        freezeQuantity: null,
        isin: null,
        displayName: 'NIFTY 03 JUL 25700 CALL',
        expiry: '2025-07-03',
        strike: 25700,
        optionType: 'CE',
      },
    ]);
  });

  it('has a deadline of 30 s for each file', async () => {
    const { transport, source } = withFiles({});
    await allInstruments(source);
    expect(transport.requests.map(({ deadlineMs }) => deadlineMs)).toEqual([
      30_000, 30_000, 30_000,
    ]);
  });

  it('gives each series of a company its own name', async () => {
    const bond = INFY.replace('1594', '9').replace(',EQ,', ',N1,');
    const names = (await equity(INFY, bond)).map(({ name }) => name);
    expect(names).toEqual(['NSE:INFY', 'NSE:INFY-N1']);
  });

  it('has no suffix for the groups of the other exchange', async () => {
    const [share] = await equity(INFY.replace('NSE', 'BSE').replace(',EQ,', ',XT,'));
    expect(share).toMatchObject({ name: 'BSE:INFY' });
  });

  it.each(['1', '5', '', 'x', '0'])('does not believe a tick of %j', async (tick) => {
    const [share] = await equity(INFY.replace('0.05', tick));
    expect(share).toMatchObject({ tickSize: null });
  });

  it('leaves out rows that do not name an instrument', async () => {
    const rows = await equity(INFY, INFY.replace('1594', ''), INFY.replace(',INFY,', ',,'));
    expect(rows).toHaveLength(1);
  });

  it('leaves out a row with an extra comma, whose columns would be shifted', async () => {
    const shifted = INFY.replace('1594', '77').replace('Infosys', 'Infosys, B');
    const rows = await equity(INFY, shifted, INFY.replace('1594', '9'));
    expect(rows.map(({ securityId }) => securityId)).toEqual(['1594', '9']);
  });

  it.each([
    ['2025-07-03', '2025-07-03'],
    ['07/03/2025 14:00', '2025-07-03'],
    ['', null],
    ['0001-00-00', null],
  ])('reads the expiry %j as %j', async (written, expiry) => {
    const files = { fno: file(OPTION.replace('2025-07-03 14:30:00', written)) };
    expect(await allInstruments(withFiles(files).source)).toContainEqual(
      expect.objectContaining({ segment: 'DERIVATIVE', expiry }),
    );
  });

  it('has futures without strike and side', async () => {
    const future = OPTION.replace('-25700-CE', '-FUT').replace('25700.0,CE', '0,XX');
    expect(await allInstruments(withFiles({ fno: file(future) }).source)).toContainEqual(
      expect.objectContaining({ name: 'NFO:NIFTY-JUL2025-FUT', strike: null, optionType: null }),
    );
  });

  it('has derivatives of the other exchange in its own segment', async () => {
    const files = { fno: file(OPTION.replace('NSE', 'BSE')) };
    expect(await allInstruments(withFiles(files).source)).toContainEqual(
      expect.objectContaining({ exchange: 'BFO', name: 'BFO:NIFTY-JUL2025-25700-CE' }),
    );
  });

  it('shows a contract without a name of its own by underlying, day, strike and side', async () => {
    const files = { fno: file(OPTION.replace('NIFTY 03 JUL 25700 CALL', '')) };
    expect(await allInstruments(withFiles(files).source)).toContainEqual(
      expect.objectContaining({ displayName: 'NIFTY 2025-07-03 25700 CE' }),
    );
  });

  it('reads columns in any order, and ignores unknown ones', async () => {
    const files = {
      equity: answered(200, 'NEWS,TRADING_SYMBOL,EXCH,SECURITY_ID\nx,INFY,NSE,1594\n'),
    };
    expect(await allInstruments(withFiles(files).source)).toContainEqual(
      expect.objectContaining({ name: 'NSE:INFY', displayName: 'INFY', tickSize: null }),
    );
  });

  it('has indices by name where the file has such a column', async () => {
    const files = {
      index: answered(200, 'EXCH,SEGMENT,SECURITY_ID,TRADING_SYMBOL\nBSE,I,40000051,Sensex\n'),
    };
    expect(await allInstruments(withFiles(files).source)).toContainEqual(
      expect.objectContaining({ name: 'BSE:SENSEX', displayName: 'Sensex', segment: 'INDEX' }),
    );
  });

  it('leaves out a contract without a lot, which cannot be ordered', async () => {
    const files = { fno: file(OPTION, OPTION.replace('56998', '7').replace(',75,', ',,')) };
    const all = await allInstruments(withFiles(files).source);
    expect(all.filter(({ segment }) => segment === 'DERIVATIVE')).toHaveLength(1);
  });

  it('does without a list that the broker does not serve', async () => {
    const no = answered(400, { message: 'Invalid source' });
    expect(await allInstruments(withFiles({ index: no, fno: no }).source)).toHaveLength(1);
  });

  it.each([
    ['the shares are refused', { equity: answered(400, {}) }, 'http'],
    ['a list is down', { fno: answered(503, '') }, 'http'],
    ['a list is not CSV', { index: answered(200, '<html>') }, 'bad_payload'],
    ['a list has another header', { equity: answered(200, 'a,b\n1,2\n') }, 'bad_payload'],
    ['a list is empty', { equity: file() }, 'bad_payload'],
    ['a quote is not closed', { equity: file(INFY, 'NSE,"E') }, 'bad_payload'],
    ['a list was truncated', { equity: file(INFY, INFY, 'NSE,E,1595') }, 'bad_payload'],
    ['many rows are malformed', { equity: file(INFY, 'NSE', 'NSE', INFY) }, 'bad_payload'],
    ['a failure comes as 2xx', { equity: answered(200, { success: false }) }, 'error_body'],
  ])('fails when %s', async (_, files, kind) => {
    expect(await failureOf(allInstruments(withFiles(files).source))).toMatchObject({ kind });
  });
});

describe('a long instrument list', () => {
  const rows = Array.from({ length: 9_000 }, (_, id) => INFY.replace('1594', String(id + 1)));
  const text = [HEADER, ...rows].join('\n');

  it('is read row by row, with null for what is no instrument', () => {
    const reading = mapInstruments('equity', `${text}\n${INFY.replace('1594', 'x')}`);
    let [instruments, nothing] = [0, 0];
    for (let step = reading.next(); ; step = reading.next()) {
      if (step.done) {
        expect([instruments, nothing, step.value.skipped]).toEqual([9_000, 1, 1]);
        break;
      }
      if (step.value === null) nothing += 1;
      else instruments += 1;
    }
  });

  it('logs one line for its malformed rows, and one for rows that do not name an instrument', async () => {
    const lines: string[] = [];
    const malformed = ['NSE,E', ',,', 'NSE,E,1594,EQUITY,0,INFY'];
    const nameless = INFY.replace('1594', 'x');
    const files: Record<string, string> = {
      equity: [HEADER, ...malformed, nameless, ...rows].join('\n'),
      index: INDEX,
      fno: [HEADER, OPTION].join('\n'),
    };
    const source = createInstruments({
      client: { instruments: async (name: string) => files[name]! } as PrimaryClient,
      log: createLog(createPino('info', { write: (line) => void lines.push(line) })),
    });
    expect(await allInstruments(source)).toHaveLength(9_002);
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({
        source: 'equity',
        count: 3,
        reason: expect.stringContaining('row 2'),
      }),
      expect.objectContaining({ source: 'equity', count: 1 }),
    ]);
  });
});
