import { describe, expect, it } from 'vitest';
import type { HttpReply } from '../../../src/platform/http.ts';
import { answered, failureOf, setUp } from './support.ts';

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
  (await withFiles({ equity: file(...rows) }).source.instruments()).filter(
    ({ segment }) => segment === 'EQUITY',
  );

describe('the instrument list', () => {
  it('holds shares, indices and derivatives', async () => {
    expect(await withFiles({}).source.instruments()).toEqual([
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

  it('is given 30 s for each file', async () => {
    const { transport, source } = withFiles({});
    await source.instruments();
    expect(transport.requests.map(({ deadlineMs }) => deadlineMs)).toEqual([
      30_000, 30_000, 30_000,
    ]);
  });

  it('tells the series of a company apart', async () => {
    const bond = INFY.replace('1594', '9').replace(',EQ,', ',N1,');
    const names = (await equity(INFY, bond)).map(({ name }) => name);
    expect(names).toEqual(['NSE:INFY', 'NSE:INFY-N1']);
  });

  it('has no suffix for the groups of the other exchange', async () => {
    const [share] = await equity(INFY.replace('NSE', 'BSE').replace(',EQ,', ',XT,'));
    expect(share).toMatchObject({ name: 'BSE:INFY' });
  });

  it.each(['1', '5', '', 'x', '0'])('believes no tick of %j', async (tick) => {
    const [share] = await equity(INFY.replace('0.05', tick));
    expect(share).toMatchObject({ tickSize: null });
  });

  it('leaves out rows that name no instrument', async () => {
    const rows = await equity(
      INFY,
      INFY.replace('1594', ''),
      INFY.replace(',INFY,', ',,'),
      'NSE,E',
    );
    expect(rows).toHaveLength(1);
  });

  it('does without a list that the broker does not serve', async () => {
    const no = answered(400, { message: 'Invalid source' });
    expect(await withFiles({ index: no, fno: no }).source.instruments()).toHaveLength(1);
  });

  it.each([
    ['the shares are refused', { equity: answered(400, {}) }, 'http'],
    ['a list is down', { fno: answered(503, '') }, 'http'],
    ['a list is not CSV', { index: answered(200, '<html>') }, 'bad_payload'],
    ['a list has another header', { equity: answered(200, 'a,b\n1,2\n') }, 'bad_payload'],
    ['a list is empty', { equity: file() }, 'bad_payload'],
    ['a quote is not closed', { equity: file(INFY, 'NSE,"E') }, 'bad_payload'],
    ['a failure comes as 2xx', { equity: answered(200, { success: false }) }, 'error_body'],
  ])('fails when %s', async (_, files, kind) => {
    expect(await failureOf(withFiles(files).source.instruments())).toMatchObject({ kind });
  });
});
