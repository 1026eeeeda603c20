import { describe, expect, it } from 'vitest';
import { createLog, createPino } from '../../../src/platform/log.ts';
import { altBench, altBenchWith, failureOf } from './support/alt-broker.ts';
import { answered } from './support/scripted-transport.ts';
import { allInstruments } from '../../support/all-instruments.ts';

const HEADER =
  'instrument_token,exchange_token,tradingsymbol,name,last_price,expiry,strike,tick_size,' +
  'lot_size,instrument_type,segment,exchange';
const INFY = '408065,1594,INFY,INFOSYS,0,,0,0.05,1,EQ,NSE,NSE';
const NIFTY = '256265,1001,NIFTY 50,NIFTY 50,0,,0,0,0,EQ,INDICES,NSE';
const CALL = '9604354,37517,NIFTY26NOV24450CE,"NIFTY",0,2026-11-24,24450,0.05,65,CE,NFO-OPT,NFO';
const FUTURE = '9604355,37518,NIFTY26NOVFUT,"NIFTY",0,2026-11-24,0,0.1,65,FUT,NFO-FUT,NFO';

function read(lines: readonly string[], type = 'text/csv', end = '\n') {
  const text = lines.map((line) => line + end).join('');
  const { broker } = altBench(answered(200, text, { 'content-type': type }));
  return allInstruments(broker.instruments);
}

describe('the list of instruments', () => {
  it('is read, with the id of the exchange to join by', async () => {
    expect(await read([HEADER, INFY])).toEqual([
      {
        name: 'NSE:INFY',
        exchange: 'NSE',
        tradingSymbol: 'INFY',
        segment: 'EQUITY',
        securityId: '1594',
        instrumentToken: 408065,
        lotSize: 1,
        tickSize: 0.05,
        freezeQuantity: null,
        isin: null,
        displayName: 'INFOSYS',
        expiry: null,
        strike: null,
        optionType: null,
      },
    ]);
  });

  it('has no more rows than the file', async () => {
    expect(await read([HEADER, INFY, NIFTY, CALL])).toHaveLength(3);
  });

  it.each(['text/csv', 'text/csv; charset=utf-8'])('is taken as %s', async (type) => {
    expect(await read([HEADER, INFY], type)).toHaveLength(1);
  });

  it('is read with carriage returns', async () => {
    expect((await read([HEADER, INFY], 'text/csv', '\r\n'))[0]?.exchange).toBe('NSE');
  });

  it('knows options and futures', async () => {
    const [call, future] = await read([HEADER, CALL, FUTURE]);
    expect(call).toMatchObject({
      name: 'NFO:NIFTY26NOV24450CE',
      segment: 'DERIVATIVE',
      expiry: '2026-11-24',
      strike: 24450,
      optionType: 'CE',
      lotSize: 65,
      displayName: 'NIFTY 2026-11-24 24450 CE',
    });
    expect(future).toMatchObject({ segment: 'DERIVATIVE', strike: null, optionType: null });
  });

  it('gives an index no id of the exchange, and no tick', async () => {
    const [index] = await read([HEADER, NIFTY]);
    expect(index).toMatchObject({ segment: 'INDEX', securityId: null, tickSize: null, lotSize: 1 });
  });

  it('keeps commas, quotes and line feeds inside quotes', async () => {
    const [odd] = await read([HEADER, INFY.replace('INFOSYS', '"A, ""B""\nC"')]);
    expect(odd?.displayName).toBe('A, "B"\nC');
  });

  it('is read with a byte order mark, and with blank lines', async () => {
    expect(await read([`\ufeff${HEADER}`, '', INFY, ''])).toHaveLength(1);
  });

  it('notices a quote in any later row', async () => {
    const odd = CALL.replace('"NIFTY"', '"NIF,TY"');
    const names = (await read([HEADER, INFY, odd, INFY, odd])).map((each) => each.displayName);
    expect(names).toEqual([
      'INFOSYS',
      'NIF,TY 2026-11-24 24450 CE',
      'INFOSYS',
      'NIF,TY 2026-11-24 24450 CE',
    ]);
  });

  it('leaves out a row of another width, logs one line, and keeps the rest', async () => {
    const lines: string[] = [];
    const log = createLog(createPino('warn', { write: (line) => void lines.push(line) }));
    const text = [HEADER, INFY, CALL.replace('"NIFTY"', 'NIF,TY'), FUTURE].join('\n');
    const { broker } = altBenchWith({ log }, answered(200, text, { 'content-type': 'text/csv' }));
    const names = (await allInstruments(broker.instruments)).map(({ name }) => name);
    expect(names).toEqual(['NSE:INFY', 'NFO:NIFTY26NOVFUT']);
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({ broker: 'alt', count: 1 }),
    ]);
  });

  it.each(['0', '', 'x', '0.5', '-65'])('leaves out a contract of the lot %j', async (lot) => {
    expect(await read([HEADER, INFY, CALL.replace(',65,', `,${lot},`)])).toHaveLength(1);
  });

  it.each(['0', '', 'x'])('takes a share of the lot %j for one of single shares', async (lot) => {
    const row = INFY.replace('0.05,1,EQ', `0.05,${lot},EQ`);
    expect((await read([HEADER, row]))[0]?.lotSize).toBe(1);
  });

  it('reads no exchange id from a field that is not a number', async () => {
    const [odd] = await read([HEADER, INFY.replace(',1594,', ',N1594,')]);
    expect(odd).toMatchObject({ name: 'NSE:INFY', securityId: null });
  });

  it('keeps currencies and commodities apart by their exchange', async () => {
    const row = (exchange: string) =>
      `1,2,X26NOVFUT,"X",0,2026-11-24,0,0.05,1,FUT,${exchange}-FUT,${exchange}`;
    const list = await read([HEADER, ...['CDS', 'BCD', 'MCX', 'NCO'].map(row)]);
    expect(list.map(({ name }) => name.split(':')[0])).toEqual(['CDS', 'BCD', 'MCX', 'NCO']);
  });

  it('of many rows is read completely, in chunks', async () => {
    const rows = Array.from({ length: 2_500 }, (_, at) => INFY.replace('INFY', `S${at}`));
    const bench = altBench(
      answered(200, [HEADER, ...rows].join('\n'), { 'content-type': 'text/csv' }),
    );
    const list = await bench.time.settle(allInstruments(bench.broker.instruments));
    expect([list.length, list[2_499]?.name]).toEqual([2_500, 'NSE:S2499']);
  });

  it('leaves out kinds that it does not know', async () => {
    expect(await read([HEADER, INFY, INFY.replace(',EQ,', ',NEW,')])).toHaveLength(1);
  });

  it.each([
    ['a file that was truncated', [HEADER, INFY, '408066,15']],
    ['many rows of another width', [HEADER, INFY, '1', '2', INFY]],
    ['a header alone', [HEADER]],
    ['nothing', []],
    ['a missing column', [HEADER.replace('tick_size', 'tick'), INFY]],
    ['a quote that is not closed', [HEADER, INFY.replace('INFOSYS', '"INFOSYS')]],
  ])('fails on %s', async (_what, lines) => {
    expect((await failureOf(read(lines))).kind).toBe('bad_payload');
  });

  it('fails on a file that is not CSV', async () => {
    expect((await failureOf(read([HEADER, INFY], 'text/html'))).kind).toBe('bad_payload');
  });
});
