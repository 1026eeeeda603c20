import { parentExchange, type Instrument } from '../domain/instrument.ts';
import { underlyingOf } from './names.ts';

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
 * Whether two lists that give one number mean one instrument by it. Exchanges give numbers to other
 * instruments, and one of the lists may be older than that, so the name has to agree as well: the
 * ISIN of a share where both lists have it, else its symbol; of a contract the underlying, expiry,
 * strike and type.
 */
export function isSameInstrument(left: Instrument, right: Instrument): boolean {
  if (left.segment === 'INDEX') return true;
  if (left.segment === 'DERIVATIVE') {
    return isSameTerms(left, right) && isSameUnderlying(left, right);
  }
  if (left.isin !== null && right.isin !== null) return left.isin === right.isin;
  return left.tradingSymbol === right.tradingSymbol || plainSymbol(left) === plainSymbol(right);
}

/** Whether nothing that both lists say of expiry, strike, type and ISIN differs. */
export function isSameTerms(left: Instrument, right: Instrument): boolean {
  const differ = <T>(one: T | null, other: T | null): boolean =>
    one !== null && other !== null && one !== other;
  return !(
    differ(left.expiry, right.expiry) ||
    differ(left.strike, right.strike) ||
    differ(left.isin, right.isin) ||
    left.optionType !== right.optionType
  );
}

/** A symbol without case, spaces and signs, and without `-EQ`, which only some lists write. */
const plainSymbol = ({ tradingSymbol }: Instrument): string =>
  tradingSymbol
    .toUpperCase()
    .replace(/-EQ$/, '')
    .replace(/[^A-Z0-9]/g, '');

function isSameUnderlying(left: Instrument, right: Instrument): boolean {
  if (left.tradingSymbol === right.tradingSymbol) return true;
  const [one, other] = [underlyingOf(left), underlyingOf(right)];
  if (one !== null && other !== null) return one === other;
  if (one !== null) return beginsWith(right, one);
  return other !== null ? beginsWith(left, other) : plainSymbol(left) === plainSymbol(right);
}

/** Whether a symbol of unknown form names this underlying, and not one that is called longer. */
const beginsWith = ({ tradingSymbol }: Instrument, underlying: string): boolean =>
  tradingSymbol.startsWith(underlying) && /^[\d-]/.test(tradingSymbol.slice(underlying.length));
