import type { ClosingPosition } from '../../domain/closing.ts';
import type { Instrument, InstrumentLookup, InstrumentName } from '../../domain/instrument.ts';
import { segmentOf } from '../external/row-as-order.ts';
import type { PortfolioRecord } from '../journal/records.ts';
import { positionsOf } from '../reconcile/held.ts';
import { type NamedInstrument, underlyingOf } from '../submit/preflight.ts';
import { unreadShorts } from './unread-positions.ts';

export const KEPT = { quantity: null, phase: 1, status: 'kept', exitId: null } as const;

/**
 * Keeps what may cover a short position that is not closed whole: long positions of the same underlying, and of a short
 * put also short futures and shares, which gain where it loses. A row that cannot be read may be such a position.
 */
export function keepCover(
  portfolio: PortfolioRecord,
  planned: readonly ClosingPosition[],
  byName: InstrumentLookup['byName'],
): readonly ClosingPosition[] {
  const { short, shortPut, ofAny } = reasonsToKeep(portfolio, planned, byName);
  return planned.map((position) => {
    const isShortOption = position.net < 0 && isOption(byName(position.instrument));
    const reason = (position.net < 0 ? shortPut : short).get(position.underlying) ?? ofAny;
    if (position.status !== 'waiting' || reason === null || isShortOption) return position;
    return { ...position, ...KEPT, reason };
  });
}

/** Why cover has to be kept, by underlying. */
interface ReasonsToKeep {
  /** What is long. */
  readonly short: ReadonlyMap<string, string>;
  /** What is short and no option. */
  readonly shortPut: ReadonlyMap<string, string>;
  /** Of every underlying, where nobody can tell of which; null without such a row. */
  readonly ofAny: string | null;
}

function reasonsToKeep(
  portfolio: PortfolioRecord,
  planned: readonly ClosingPosition[],
  byName: InstrumentLookup['byName'],
): ReasonsToKeep {
  const short = new Map<string, string>();
  const shortPut = new Map<string, string>();
  let ofAny: string | null = null;
  const add = (instrument: NamedInstrument, reason: string): void => {
    short.set(underlyingOf(instrument), reason);
    if (isPut(instrument)) shortPut.set(underlyingOf(instrument), reason);
  };
  // All that may be short needs its cover.
  for (const { instrument: name, product, quantity } of positionsOf(portfolio, { most: true })) {
    const instrument = byName(name);
    const isClosed = planned.some(
      (each) =>
        each.instrument === name &&
        each.product === product &&
        each.status === 'waiting' &&
        (each.quantity ?? Infinity) >= -quantity,
    );
    // Of delivery shares, a negative row is what was sold of the holdings.
    if (quantity >= 0 || isClosed || product === 'CNC') continue;
    const reason = `it may cover ${quantity} ${name} (${product}), which is not closed`;
    const named = instrument ?? byItsName(name);
    if (underlyingOf(named) === '' && instrument === null) ofAny = reason;
    else add(named, reason);
  }
  for (const { instrument: name } of unreadShorts(portfolio)) {
    const instrument = name === null ? null : byName(name);
    const what = name === null ? 'a position' : `a position of ${name}`;
    const reason = `it may cover ${what} whose row cannot be read: name its instrument to close it all the same`;
    if (instrument === null) ofAny = reason;
    else if (instrument.segment === 'DERIVATIVE') add(instrument, reason);
  }
  return { short, shortPut, ofAny };
}

/** What the name of an instrument tells that no list has: an exchange adds strikes during the day. */
const byItsName = (name: InstrumentName): NamedInstrument => ({
  name,
  segment: segmentOf(name, { byName: () => null }),
  tradingSymbol: name.slice(name.indexOf(':') + 1),
});

const isPut = ({ segment, tradingSymbol }: NamedInstrument): boolean =>
  segment === 'DERIVATIVE' && tradingSymbol.endsWith('PE');

const isOption = (instrument: Instrument | null): boolean =>
  (instrument?.optionType ?? null) !== null;
