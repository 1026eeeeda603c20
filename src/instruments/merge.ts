import { parentExchange, type Instrument } from '../domain/instrument.ts';

/**
 * Merges what two lists say about one instrument (docs/spec/instruments.md, "Of a joined
 * instrument").
 * `isNewer`: the second list is of a later day than the first.
 */
export function merge(first: Instrument, second: Instrument, isNewer: boolean): Instrument {
  // The name comes from the list with the instrument token: people and the other broker use it.
  const named = first.instrumentToken === null && second.instrumentToken !== null ? second : first;
  const other = named === first ? second : first;
  const leading = isNewer ? second : named;
  return {
    name: named.name,
    exchange: named.exchange,
    tradingSymbol: named.tradingSymbol,
    segment: first.segment,
    // The security id comes from the broker without tokens; for an index, each broker has its own.
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
 * For lists of one day that disagree: the least common multiple, so that every order is a whole
 * number of lots in both. Otherwise the later list counts, except for a 1, which also means
 * "unknown".
 */
function lotOf(first: Instrument, second: Instrument, named: Instrument, isNewer: boolean): number {
  // Outside shares and their derivatives, one broker may count lots and the other units.
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
 * False when one id means two contracts, as when one list is older than the exchange's reuse of the
 * id.
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
