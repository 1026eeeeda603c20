import type { Instrument } from '../domain/instrument.ts';

/**
 * Names of derivatives. The primary brokerage writes `NIFTY-Nov2026-24450-CE` for every expiry of a
 * month; the alternative broker `NIFTY26NOV24450CE` for the month's last and `NIFTY26N2424450CE`
 * for the others. Where only the primary's list is available, its contracts get the alternative
 * broker's names (docs/spec/instruments.md, "Contracts that only the primary brokerage lists").
 */

const MONTHS = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ');
/** The months as written in the name of a weekly contract. */
const MONTH_LETTERS = '123456789OND';

const CONTRACT = /^(.+)-([A-Z]{3})(\d{4})-(?:FUT|(\d+(?:\.\d+)?)-(CE|PE))$/;
const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

interface Contract {
  readonly underlying: string;
  readonly year: string;
  /** The month, counted from 0. */
  readonly month: number;
  readonly monthName: string;
  readonly day: string;
  /** The same, `YYYY-MM-DD`. */
  readonly expiry: string;
  readonly isFuture: boolean;
}

/** The last expiry of each underlying in each month, by `lastExpiryKey`. */
export type LastExpiries = Map<string, string>;

/** Call with every instrument of one list before naming any of them. */
export function noteExpiry(lastExpiries: LastExpiries, instrument: Instrument): void {
  const contract = readContract(instrument);
  if (!contract) return;
  const key = lastExpiryKey(instrument, contract);
  const last = lastExpiries.get(key);
  if (last === undefined || last < contract.expiry) lastExpiries.set(key, contract.expiry);
}

/**
 * The trading symbol that the alternative broker would use. Null where the symbol does not have the
 * primary brokerage's form, or contradicts expiry, strike or type.
 */
export function contractSymbol(instrument: Instrument, lastExpiries: LastExpiries): string | null {
  const contract = readContract(instrument);
  if (!contract) return null;
  const { underlying, year, month, monthName, day, isFuture } = contract;
  const isLast = lastExpiries.get(lastExpiryKey(instrument, contract)) === contract.expiry;
  const expiry = isLast ? monthName : `${MONTH_LETTERS.charAt(month)}${day}`;
  // A future that expires before the month's last expiry has no known name.
  if (isFuture) return isLast ? `${underlying}${year.slice(2)}${expiry}FUT` : null;
  return `${underlying}${year.slice(2)}${expiry}${instrument.strike}${instrument.optionType}`;
}

/** The underlying that a contract's symbol names, in either broker's form; null in any other form. */
export function underlyingOf(instrument: Instrument): string | null {
  const { tradingSymbol, expiry, strike, optionType } = instrument;
  const [, ofPrimary] = CONTRACT.exec(tradingSymbol) ?? [];
  if (ofPrimary !== undefined) return ofPrimary;
  const [, year = '', month = '', day = ''] = DAY.exec(expiry ?? '') ?? [];
  if (year === '') return null;
  const right = optionType === null ? 'FUT' : `${strike}${optionType}`;
  const expiries = [MONTHS[Number(month) - 1], `${MONTH_LETTERS.charAt(Number(month) - 1)}${day}`];
  for (const each of expiries) {
    const end = `${year.slice(2)}${each}${right}`;
    if (tradingSymbol.endsWith(end)) return tradingSymbol.slice(0, -end.length) || null;
  }
  return null;
}

function readContract(instrument: Instrument): Contract | null {
  const { segment, instrumentToken, tradingSymbol, expiry, strike, optionType } = instrument;
  if (segment !== 'DERIVATIVE' || instrumentToken !== null || expiry === null) return null;
  const name = CONTRACT.exec(tradingSymbol);
  const date = DAY.exec(expiry);
  if (!name || !date) return null;
  const [, underlying = '', monthName = '', year = '', strikeText, right] = name;
  const [, expiryYear, expiryMonth, day = ''] = date;
  const month = Number(expiryMonth) - 1;
  if (MONTHS[month] !== monthName || expiryYear !== year) return null;
  const isFuture = strikeText === undefined;
  if (isFuture !== (optionType === null)) return null;
  if (!isFuture && (Number(strikeText) !== strike || right !== optionType)) return null;
  return { underlying, year, month, monthName, day, expiry, isFuture };
}

function lastExpiryKey({ exchange }: Instrument, { underlying, year, month }: Contract): string {
  return `${exchange}|${underlying}|${year}|${month}`;
}

/** `24 NOV 2026`, as people write an expiry in a search; null when the text is not a day. */
export function expiryWords(expiry: string): string | null {
  const day = DAY.exec(expiry);
  return day ? `${day[3]} ${MONTHS[Number(day[2]) - 1]} ${day[1]}` : null;
}

/**
 * Each broker has its own ids for indices, so they are joined by name, ignoring case, spaces and
 * signs. The spellings below are common ones for one index; they are partly a guess, because no
 * broker documents its spellings (docs/spec/instruments.md, "Indices").
 */
const SPELLINGS: readonly (readonly [canonical: string, ...others: string[]])[] = [
  ['NIFTY50', 'NIFTY', 'CNXNIFTY'],
  ['NIFTYBANK', 'BANKNIFTY', 'CNXBANK'],
  ['NIFTYFINSERVICE', 'FINNIFTY', 'NIFTYFINANCIALSERVICES', 'NIFTYFINSERVICES', 'NIFTYFIN'],
  ['NIFTYMIDSELECT', 'MIDCPNIFTY', 'NIFTYMIDCAPSELECT', 'NIFTYMIDCPSELECT'],
  ['NIFTYNEXT50', 'NIFTYNXT50', 'NIFTYJR', 'NIFTYJUNIOR'],
  ['INDIAVIX', 'VIX', 'NIFTYVIX'],
  ['SENSEX', 'BSESENSEX', 'SPBSESENSEX', 'BSE30'],
  ['BANKEX', 'BSEBANKEX', 'SPBSEBANKEX'],
];

const CANONICAL = new Map(
  SPELLINGS.flatMap(([canonical, ...others]) => others.map((other) => [other, canonical] as const)),
);
const ALL = new Map(SPELLINGS.map((spellings) => [spellings[0], spellings.join(' ')]));

/** A key that is equal for two spellings of one index of an exchange. */
export function indexKey(name: string): string {
  const plain = name.toUpperCase().replace(/[^A-Z0-9]/g, '');
  return CANONICAL.get(plain) ?? plain;
}

/** Every known spelling, for the search. */
export function indexSpellings(name: string): string {
  const key = indexKey(name);
  return ALL.get(key) ?? key;
}
