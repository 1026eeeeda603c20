import { parentExchange, type Instrument } from '../domain/instrument.ts';

/**
 * What two lists say of one instrument, as one (docs/spec/instruments.md, "Of a joined instrument").
 * `isNewer`: the second is of a later day than the first.
 */
export function merge(first: Instrument, second: Instrument, isNewer: boolean): Instrument {
  // The name follows the instrument token: it is the one that people and the other broker use.
  const named = first.instrumentToken === null && second.instrumentToken !== null ? second : first;
  const other = named === first ? second : first;
  const leading = isNewer ? second : named;
  return {
    name: named.name,
    exchange: named.exchange,
    tradingSymbol: named.tradingSymbol,
    segment: first.segment,
    // Scrip codes are made of the id of who has no tokens; of an index each broker has its own.
    securityId:
      named.segment === 'INDEX'
        ? (other.securityId ?? named.securityId)
        : (named.securityId ?? other.securityId),
    instrumentToken: named.instrumentToken ?? other.instrumentToken,
    lotSize: lotOf(first, second, named, isNewer),
    tickSize: leading.tickSize ?? named.tickSize ?? other.tickSize,
    freezeQuantity: leading.freezeQuantity ?? named.freezeQuantity ?? other.freezeQuantity,
    isin: named.isin ?? other.isin,
    displayName: named.displayName || other.displayName,
    expiry: named.expiry ?? other.expiry,
    strike: named.strike ?? other.strike,
    optionType: named.optionType ?? other.optionType,
  };
}

/**
 * Lists of one day that disagree: only what is whole lots by both may pass, so the least common
 * multiple. A list of a later day is believed, but for a 1, which also stands for "not said".
 */
function lotOf(first: Instrument, second: Instrument, named: Instrument, isNewer: boolean): number {
  // Outside shares and their derivatives, one broker may count lots where the other counts units.
  if (!isShared(first.exchange)) return named.lotSize;
  if (isNewer && second.lotSize > 1) return second.lotSize;
  return leastCommonMultiple(first.lotSize, second.lotSize);
}

const isShared = (exchange: string): boolean => ['NSE', 'BSE'].includes(parentExchange(exchange));

function leastCommonMultiple(left: number, right: number): number {
  let [a, b] = [left, right];
  while (b > 0) [a, b] = [b, a % b];
  return (left / a) * right;
}

/**
 * False when one number stands for two contracts, as when a list is of a day before the exchange
 * gave the number anew.
 */
export function isSameContract(left: Instrument, right: Instrument): boolean {
  if (left.segment !== 'DERIVATIVE') return true;
  const differ = <T>(one: T | null, other: T | null): boolean =>
    one !== null && other !== null && one !== other;
  return !(
    differ(left.expiry, right.expiry) ||
    differ(left.strike, right.strike) ||
    left.optionType !== right.optionType
  );
}
