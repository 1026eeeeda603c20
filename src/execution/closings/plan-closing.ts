import type { ClosingPosition } from '../../domain/closing.ts';
import type { Instrument, InstrumentLookup, InstrumentName } from '../../domain/instrument.ts';
import { PRODUCTS } from '../../domain/order.ts';
import type { PortfolioRecord } from '../journal/records.ts';
import { positionsOf } from '../reconcile/held.ts';
import { heldUnderOtherNames, notUnderThatName } from '../reconcile/under-other-names.ts';
import { underlyingOf } from '../submit/preflight.ts';
import type { ClosingFilter } from './closing-filter.ts';
import { keepCover, KEPT } from './keep-cover.ts';

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
    const ofKey = netOfKey === null ? null : netOfKey(name, product);
    const own = ofKey === null ? ofAccount(row) : ownOf(row, ofKey);
    if (own.quantity === 0 && own.unsure === null) return [];
    const position = { broker, mode, instrument: name, product, net };
    const reason = instrument && notCovered(instrument, product);
    if (instrument === null || reason !== null) {
      const why = reason ?? 'no instrument list has it now';
      return [{ ...position, ...KEPT, underlying: name, reason: why }];
    }
    const underlying = underlyingOf(instrument);
    // What others add to the position meanwhile is not the key's.
    const isAll = ofKey === null && product !== 'CNC';
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
    net === 0 && product === 'CNC' && isWanted(filter)({ ...row, product, net, most: 1 });
  return rows.filter(isNamed).flatMap(({ instrument, product, net }) => {
    const shares = { instrument, product: 'CNC', side: 'SELL' } as const;
    const names = heldUnderOtherNames(portfolio, shares, (name) => byName(name)?.isin ?? null);
    if (names.length === 0) return [];
    const position = { broker, mode, instrument, product, net, underlying: instrument };
    return [{ ...position, ...KEPT, reason: notUnderThatName(shares, names) }];
  });
}

interface Row {
  readonly instrument: InstrumentName;
  readonly product: string;
  /** The least that is held by any reading, negative when short. */
  readonly net: number;
  /** The most: figures contradict one another, or lack fills of today. */
  readonly most: number;
}

/** Whether more of a position may be held than a closing would end, so that another read may tell. */
export const mayBeMore = (
  portfolio: PortfolioRecord,
  filter: ClosingFilter,
  scope: 'mine' | 'account',
): boolean =>
  [...tradedRows(portfolio, filter), ...heldRows(portfolio, filter)]
    .filter(isWanted(filter))
    .some(({ net, most, product }) => net !== most && (scope === 'mine' || product === 'CNC'));

/** Positions that were traded. Of delivery only those that a person has named count, with the holdings. */
function tradedRows(portfolio: PortfolioRecord, { holdings }: ClosingFilter): readonly Row[] {
  const most = positionsOf(portfolio, { most: true });
  return positionsOf(portfolio)
    .map(({ instrument, product, quantity }, place) => {
      return { instrument, product, net: quantity, most: most[place]?.quantity ?? quantity };
    })
    .filter(({ net, product }) => net !== 0 && product !== 'CNC')
    .filter(({ product, instrument }) => product !== '' || !holdings.includes(instrument));
}

function heldRows(
  portfolio: PortfolioRecord,
  { holdings: named, includeUndelivered }: ClosingFilter,
): readonly Row[] {
  const { holdings } = portfolio;
  return named.map((instrument) => {
    const held = holdings
      .filter((row) => row.instrument === instrument)
      .reduce((sum, row) => sum + row.quantity - (includeUndelivered ? 0 : row.t1Quantity), 0);
    const leftOf = (positions: ReturnType<typeof positionsOf>): number => {
      const ofToday = positions
        .filter((row) => row.instrument === instrument && row.product === 'CNC')
        .reduce((sum, { quantity }) => sum + quantity, 0);
      return Math.max(0, held + (includeUndelivered ? ofToday : Math.min(0, ofToday)));
    };
    const net = leftOf(positionsOf(portfolio));
    return {
      instrument,
      product: 'CNC',
      net,
      most: leftOf(positionsOf(portfolio, { most: true })),
    };
  });
}

const isWanted =
  ({ instrument, product, side }: ClosingFilter) =>
  (row: Row): boolean =>
    row.most !== 0 &&
    (instrument === null || row.instrument === instrument) &&
    (product === null || row.product === product) &&
    (side === null || row.most > 0 === (side === 'BUY'));

/** What of a position is to be closed: shares or units, without a sign. */
interface Own {
  readonly quantity: number;
  /** Why more of it may have to be closed; null where that is known. */
  readonly unsure: string | null;
}

/** An exit of all that is held goes on until nothing is; one of delivery shares sells what certainly is there. */
function ofAccount({ net, most, product }: Row): Own {
  const more = product === 'CNC' ? most - net : 0;
  return { quantity: Math.abs(net), unsure: more > 0 ? mayBeThere(more) : null };
}

/** What certainly is a key's, and never more than the account certainly has. What may be its own is kept, and said. */
function ownOf(row: Row, { least, most, unknown, nameless = [] }: OwnNet): Own {
  const [held, atMost] = [Math.abs(row.net), Math.abs(row.most)];
  const within = (quantity: number, bound: number): number =>
    Math.min(Math.max(quantity, 0), bound);
  const quantity = within(row.most > 0 ? least : -most, held);
  const own = within(row.most > 0 ? most : -least, atMost);
  const [open, more] = [Math.min(own, held) - quantity, Math.max(0, own - held)];
  const orders = unknown.join(', ');
  const reasons = [
    ...(open > 0
      ? [`how much of ${orders} has filled is not known: ${open} of these may be the key's`]
      : []),
    ...(more > 0 ? [mayBeThere(more)] : []),
  ];
  const unsure = reasons.length === 0 ? null : `${reasons.join('. ')}${wayOut(nameless)}`;
  return { quantity, unsure };
}

const mayBeThere = (more: number): string =>
  `its figures contradict one another, or do not show yet all that has filled today: ${more} more may be held. ` +
  'Close it again once they do';

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
