import type { ClosingPosition } from '../../domain/closing.ts';
import type { Instrument, InstrumentLookup, InstrumentName } from '../../domain/instrument.ts';
import { PRODUCTS } from '../../domain/order.ts';
import type { PortfolioRecord } from '../journal/records.ts';
import { positionsOf } from '../reconcile/held.ts';
import { heldUnderOtherNames, notUnderThatName } from '../reconcile/under-other-names.ts';
import { underlyingOf } from '../submit/preflight.ts';
import type { ClosingFilter } from './closing-filter.ts';
import { unreadShorts } from './unread-positions.ts';

/** What a key has bought of a position, less what it has sold. */
export interface OwnNet {
  /** Shares or units, negative where it has sold more; `most` where open questions were answered the other way. */
  readonly least: number;
  readonly most: number;
  /** Orders and triggers of which it is not known how much has filled. */
  readonly unknown: readonly string[];
  /** Those of them of which nothing tells what they are of: they may be a part of any position. */
  readonly nameless?: readonly string[];
}

/** Null where whole positions are closed. */
export type NetOfKey = ((instrument: InstrumentName, product: string) => OwnNet) | null;

/**
 * The positions of an account that a closing ends, in the order in which that may happen: of each underlying,
 * what is short first, and what is long, which may cover it, after that (docs/exits.md).
 */
export function planClosing(
  portfolio: PortfolioRecord,
  filter: ClosingFilter,
  {
    byName,
    netOfKey,
  }: { readonly byName: InstrumentLookup['byName']; readonly netOfKey: NetOfKey },
): readonly ClosingPosition[] {
  const { broker, mode } = portfolio;
  const rows = [...tradedRows(portfolio, filter), ...heldRows(portfolio, filter)];
  const planned = rows.filter(isWanted(filter)).flatMap((row): ClosingPosition[] => {
    const { instrument: name, product, net } = row;
    const instrument = byName(name);
    const own = netOfKey === null ? whole(net) : ownOf(net, netOfKey(name, product));
    if (own.quantity === 0 && own.unsure === null) return [];
    const position = { broker, mode, instrument: name, product, net };
    const reason = instrument && notCovered(instrument, product);
    if (instrument === null || reason !== null) {
      const why = reason ?? 'no instrument list has it now';
      return [{ ...position, ...KEPT, underlying: name, reason: why }];
    }
    const underlying = underlyingOf(instrument);
    // What others add to the position meanwhile is not the key's.
    const isAll = netOfKey === null && product !== 'CNC';
    const closed: ClosingPosition = {
      ...{ ...position, underlying, status: 'waiting', exitId: null, reason: null },
      quantity: isAll ? null : own.quantity,
      phase: net < 0 ? 1 : 2,
    };
    const kept = { ...position, ...KEPT, underlying, reason: own.unsure };
    return [...(own.quantity > 0 ? [closed] : []), ...(own.unsure === null ? [] : [kept])];
  });
  // Whoever names an instrument means it.
  const closed = filter.instrument === null ? keepCover(portfolio, planned, byName) : planned;
  return netOfKey === null
    ? [...closed, ...underOtherNames(portfolio, rows, filter, byName)]
    : closed;
}

/** Shares that were named, and are held under the name of another exchange alone: no closing is flat without a word of them. */
function underOtherNames(
  portfolio: PortfolioRecord,
  rows: readonly Row[],
  filter: ClosingFilter,
  byName: InstrumentLookup['byName'],
): readonly ClosingPosition[] {
  const { broker, mode } = portfolio;
  const isNamed = ({ net, product, ...row }: Row): boolean =>
    net === 0 && product === 'CNC' && isWanted(filter)({ ...row, product, net: 1 });
  return rows.filter(isNamed).flatMap(({ instrument, product, net }) => {
    const shares = { instrument, product: 'CNC', side: 'SELL' } as const;
    const names = heldUnderOtherNames(portfolio, shares, (name) => byName(name)?.isin ?? null);
    if (names.length === 0) return [];
    const position = { broker, mode, instrument, product, net, underlying: instrument };
    return [{ ...position, ...KEPT, reason: notUnderThatName(shares, names) }];
  });
}

/**
 * Keeps what may cover a short contract that is not closed whole: long positions of the same underlying, and of a short
 * put also short futures and shares, which gain where it loses. A row that cannot be read may be such a contract.
 */
function keepCover(
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
  const add = (instrument: Instrument, reason: string): void => {
    if (instrument.segment !== 'DERIVATIVE') return;
    short.set(underlyingOf(instrument), reason);
    if (instrument.optionType === 'PE') shortPut.set(underlyingOf(instrument), reason);
  };
  for (const { instrument: name, product, quantity } of positionsOf(portfolio)) {
    const instrument = byName(name);
    const isClosed = planned.some(
      (each) =>
        each.instrument === name &&
        each.product === product &&
        each.status === 'waiting' &&
        (each.quantity ?? Infinity) >= -quantity,
    );
    if (instrument === null || quantity >= 0 || isClosed) continue;
    add(instrument, `it may cover ${quantity} ${name} (${product}), which is not closed`);
  }
  let ofAny: string | null = null;
  for (const { instrument: name } of unreadShorts(portfolio)) {
    const instrument = name === null ? null : byName(name);
    const what = name === null ? 'a position' : `a position of ${name}`;
    const reason = `it may cover ${what} whose row cannot be read: name its instrument to close it all the same`;
    if (instrument === null) ofAny = reason;
    else add(instrument, reason);
  }
  return { short, shortPut, ofAny };
}

const isOption = (instrument: Instrument | null): boolean =>
  (instrument?.optionType ?? null) !== null;

const KEPT = { quantity: null, phase: 1, status: 'kept', exitId: null } as const;

interface Row {
  readonly instrument: InstrumentName;
  readonly product: string;
  readonly net: number;
}

/** Positions that were traded. Of delivery only those that a person has named count, with the holdings. */
function tradedRows(portfolio: PortfolioRecord, { holdings }: ClosingFilter): readonly Row[] {
  return positionsOf(portfolio)
    .filter(({ quantity, product }) => quantity !== 0 && product !== 'CNC')
    .filter(({ product, instrument }) => product !== '' || !holdings.includes(instrument))
    .map(({ instrument, product, quantity }) => ({ instrument, product, net: quantity }));
}

function heldRows(
  portfolio: PortfolioRecord,
  { holdings: named, includeUndelivered }: ClosingFilter,
): readonly Row[] {
  const { holdings } = portfolio;
  return named.map((instrument) => {
    const ofToday = positionsOf(portfolio)
      .filter((row) => row.instrument === instrument && row.product === 'CNC')
      .reduce((sum, { quantity }) => sum + quantity, 0);
    const held = holdings
      .filter((row) => row.instrument === instrument)
      .reduce((sum, row) => sum + row.quantity - (includeUndelivered ? 0 : row.t1Quantity), 0);
    const net = held + (includeUndelivered ? ofToday : Math.min(0, ofToday));
    return { instrument, product: 'CNC', net: Math.max(0, net) };
  });
}

const isWanted =
  ({ instrument, product, side }: ClosingFilter) =>
  (row: Row): boolean =>
    row.net !== 0 &&
    (instrument === null || row.instrument === instrument) &&
    (product === null || row.product === product) &&
    (side === null || row.net > 0 === (side === 'BUY'));

/** What of a position is to be closed: shares or units, without a sign. */
interface Own {
  readonly quantity: number;
  /** Why more of it may have to be closed; null where that is known. */
  readonly unsure: string | null;
}

const whole = (net: number): Own => ({ quantity: Math.abs(net), unsure: null });

/** What certainly is a key's, and never more than the account has. What may be its own is kept, and said. */
function ownOf(net: number, { least, most, unknown, nameless = [] }: OwnNet): Own {
  const held = Math.abs(net);
  const within = (quantity: number): number => Math.min(Math.max(quantity, 0), held);
  const quantity = within(net > 0 ? least : -most);
  const open = within(net > 0 ? most : -least) - quantity;
  if (open === 0) return { quantity, unsure: null };
  const orders = unknown.join(', ');
  return {
    quantity,
    unsure: `how much of ${orders} has filled is not known: ${open} of these may be the key's${wayOut(nameless)}`,
  };
}

/** What a person does where an order holds back all that is held at its broker. */
function wayOut(nameless: readonly string[]): string {
  if (nameless.length === 0) return '';
  return (
    `. What ${nameless.join(', ')} is an order of cannot be read in the journal, nor in the order book, so it holds every position at ` +
    "its broker back. Look for it in the broker's app; to close a position all the same, send an exit of it, or a closing with scope " +
    'account'
  );
}

function notCovered(instrument: Instrument, product: string): string | null {
  if (PRODUCTS.some((each) => each === product)) return null;
  const named = product === '' ? 'a product that is not named' : product;
  return `no order of ${instrument.name} can have ${named}: use the broker's app`;
}

/** Whether an instrument is held under several products, so that a request has to name one. */
export function productsOf(
  positions: readonly Pick<ClosingPosition, 'instrument' | 'product'>[],
  instrument: InstrumentName,
): readonly string[] {
  return [
    ...new Set(
      positions.filter((each) => each.instrument === instrument).map(({ product }) => product),
    ),
  ];
}
