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
