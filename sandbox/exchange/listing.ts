import { DAY_MS, istDate, istMidnight, istWeekday, parseIst } from '../kernel/ist.ts';
import { isTradingDay } from './calendar.ts';
import type { Instrument } from './instrument.ts';
import { shares } from './shares.ts';

export interface Listing {
  all: readonly Instrument[];
  byKey(key: string): Instrument | undefined;
  byKiteToken(token: number): Instrument | undefined;
  /** By the primary brokerage's scrip code; a derivative also has one with `NFO_`. */
  byScripCode(code: string): Instrument | undefined;
  /** By the fields of a primary brokerage order: exchange, segment, id. */
  bySecurity(exchange: string, segment: string, securityId: string): Instrument | undefined;
}

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** The last Tuesday of the month, moved to the trading day before when it is a holiday. */
function lastTuesday(year: number, month: number): number {
  const next = month === 11 ? [year + 1, 1] : [year, month + 2];
  let day = parseIst(`${next[0]}-${String(next[1]).padStart(2, '0')}-01`) - DAY_MS;
  while (istWeekday(day) !== 2) day -= DAY_MS;
  while (!isTradingDay(day)) day -= DAY_MS;
  return day;
}

/** The current monthly expiry at `at`: this month's until it has passed. */
export function monthlyExpiry(at: number): number {
  const [year = 0, month = 1] = istDate(at).split('-').map(Number);
  const own = lastTuesday(year, month - 1);
  if (istMidnight(at) <= own) return own;
  return month === 12 ? lastTuesday(year + 1, 0) : lastTuesday(year, month);
}

function shareOn(exchange: 'NSE' | 'BSE', token: number, row: (typeof shares)[number]): Instrument {
  const [symbol, name, , isin, rupees] = row;
  return {
    key: `${exchange}:${symbol}`,
    kind: 'share',
    exchange,
    symbol,
    name,
    isin,
    exchangeToken: token,
    kiteToken: token * 256 + (exchange === 'NSE' ? 1 : 4),
    basePaise: rupees * 100,
    lot: 1,
    freeze: 100_000,
    option: null,
    primary: {
      exchange,
      securityId: String(token),
      segment: 'EQUITY',
      tradingSymbol: symbol,
      scripCode: `${exchange}_${token}`,
    },
  };
}

/**
 * Kite uses the exchange token of an index (256265 is 1001 * 256 + 9), the primary brokerage an id
 * of its own.
 */
function index(name: string, token: number, ownId: number, rupees: number): Instrument {
  return {
    key: `NSE:${name}`,
    kind: 'index',
    exchange: 'NSE',
    symbol: name,
    name,
    isin: '',
    exchangeToken: token,
    kiteToken: token * 256 + 9,
    basePaise: rupees * 100,
    lot: 0,
    freeze: 0,
    option: null,
    primary: {
      exchange: 'NSE',
      securityId: String(ownId),
      segment: 'INDEX',
      tradingSymbol: name,
      scripCode: `NIDX_${ownId}`,
    },
  };
}

function chain(at: number): Instrument[] {
  const expiry = istDate(monthlyExpiry(at));
  const [year = '', month = ''] = expiry.split('-');
  const monthName = months[Number(month) - 1] ?? '';
  const options: Instrument[] = [];
  for (let step = -10; step <= 10; step += 1) {
    for (const right of ['CE', 'PE'] as const) {
      const strike = 24_450 + step * 50;
      const token = 56_980 + options.length;
      const symbol = `NIFTY${year.slice(2)}${monthName.toUpperCase()}${strike}${right}`;
      options.push({
        key: `NFO:${symbol}`,
        kind: 'option',
        exchange: 'NFO',
        symbol,
        name: 'NIFTY',
        isin: '',
        exchangeToken: token,
        kiteToken: token * 256 + 2,
        basePaise: 20_000,
        lot: 65,
        freeze: 1_800,
        option: { underlying: 'NSE:NIFTY 50', expiry, strike, right },
        primary: {
          exchange: 'NSE',
          securityId: String(token),
          segment: 'DERIVATIVE',
          tradingSymbol: `NIFTY-${monthName}${year}-${strike}-${right}`,
          scripCode: `NSE_${token}`,
        },
      });
    }
  }
  return options;
}

/** Shares for tests that need many; their ids are above those of all others. */
function furtherShares(count: number): Instrument[] {
  return Array.from({ length: count }, (_, index) => {
    const number = index + 1;
    const isin = `INE${String(number).padStart(6, '0')}X01`;
    const token = 100_000 + number;
    return shareOn('NSE', token, [`SHARE${number}`, `SHARE ${number}`, token, isin, 500, 0]);
  });
}

/** All instruments, with the option chain of the month of `at`, and so many shares more. */
export function createListing(at: number, moreShares = 0): Listing {
  const all: Instrument[] = [
    ...shares.map((row) => shareOn('NSE', row[2], row)),
    ...shares.filter((row) => row[5] > 0).map((row) => shareOn('BSE', row[5], row)),
    index('NIFTY 50', 1001, 40_000_001, 24_450),
    index('NIFTY BANK', 1016, 40_000_002, 52_600),
    ...chain(at),
    ...furtherShares(moreShares),
  ];
  const keys = new Map(all.map((one) => [one.key, one]));
  const tokens = new Map(all.map((one) => [one.kiteToken, one]));
  const codes = new Map<string, Instrument>();
  const securities = new Map<string, Instrument>();
  for (const one of all) {
    const { scripCode, exchange, segment, securityId } = one.primary;
    codes.set(scripCode, one);
    if (one.kind === 'index') codes.set(`NSE_${securityId}`, one);
    if (one.kind === 'option') codes.set(`NFO_${securityId}`, one);
    securities.set(`${exchange}/${segment}/${securityId}`, one);
  }
  return {
    all,
    byKey: (key) => keys.get(key),
    byKiteToken: (token) => tokens.get(token),
    byScripCode: (code) => codes.get(code),
    bySecurity: (exchange, segment, id) => securities.get(`${exchange}/${segment}/${id}`),
  };
}
