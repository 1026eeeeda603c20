import { z } from 'zod';
import type { Instrument } from '../../domain/instrument.ts';
import type { TradedQuantities, Turnover } from '../../domain/portfolio.ts';
import type { FiguresOfRow } from '../kit/other-quantities.ts';
import { badPayload } from './envelope.ts';
import { number } from './schemas.ts';

type Row = Readonly<Record<string, unknown>>;

/** Of today, and of what was carried over. */
type Group = 'day' | 'cf';

/** What a row states of its contract; a field is null where the row omits it. */
export interface Contract {
  /** IST day `YYYY-MM-DD`. */
  readonly expiry: string | null;
  readonly strike: number | null;
  readonly optionType: 'CE' | 'PE' | null;
}

/** The groups of figures that a position may have beyond those of every row. */
export const positionFigures = z.record(z.string(), z.unknown()).transform((fields) => ({
  day: turnover(fields, 'day'),
  carried: turnover(fields, 'cf'),
  contract: contract(fields),
  isUntold: isUntold(fields),
  told: toldFigures(fields),
}));

/** The same of a row of which amounts cannot be read; throws where one of its quantities cannot be read either. */
export const positionQuantities = z.record(z.string(), z.unknown()).transform((fields) => ({
  day: quantities(fields, 'day'),
  carried: quantities(fields, 'cf'),
  isUntold: isUntold(fields),
  told: toldFigures(fields),
}));

/** The figures that a row does tell: null counts as 0 elsewhere, and contradicts nothing here. */
function toldFigures(fields: Row): Omit<FiguresOfRow, 'quantity'> {
  const told = (names: readonly string[]): FiguresOfRow['sums'] => {
    const [buyQuantity = null, sellQuantity = null] = names.map((name) =>
      (fields[name] ?? '') === '' ? null : number(fields[name]),
    );
    if (buyQuantity === null && sellQuantity === null) return null;
    return { buyQuantity: buyQuantity ?? 0, sellQuantity: sellQuantity ?? 0 };
  };
  const [sums, day, cf] = ['', 'day_', 'cf_'].map((group) =>
    told([`${group}buy_qty`, `${group}sell_qty`]),
  );
  // Where nothing is told of what was carried over, only sums that are those of the day say that it is nothing.
  const isOfDay =
    !sums || (sums.buyQuantity === day?.buyQuantity && sums.sellQuantity === day.sellQuantity);
  const carried = cf ? cf.buyQuantity - cf.sellQuantity : isOfDay ? 0 : null;
  return { sums: sums ?? null, day: day ?? null, carried };
}

/**
 * Whether the row has traded, and says neither what of it today nor what was carried over. Null counts as 0, as the
 * documentation has it, but not against what the row itself has bought or sold.
 */
function isUntold(fields: Row): boolean {
  const isNull = (name: string): boolean => (fields[name] ?? '') === '';
  const hasNone = (['day', 'cf'] as const).every((group) => namesOf(group).every(isNull));
  const isAbsent = namesOf('cf').every((name) => fields[name] === undefined);
  return hasNone && isAbsent && ['buy_qty', 'sell_qty'].some((name) => number(fields[name]));
}

const namesOf = (group: Group): readonly string[] =>
  ['buy_qty', 'buy_val', 'sell_qty', 'sell_val'].map((name) => `${group}_${name}`);

/**
 * Null counts as 0; a value that is not a number throws. Undefined where the row has no figure of
 * the group.
 */
function turnover(fields: Row, group: Group): Turnover | undefined {
  const traded = quantities(fields, group);
  if (!traded) return undefined;
  const buyValue = figure(fields, `${group}_buy_val`);
  return { ...traded, buyValue, sellValue: figure(fields, `${group}_sell_val`) };
}

/** As `turnover`, whatever the amounts are. */
function quantities(fields: Row, group: Group): TradedQuantities | undefined {
  if (namesOf(group).every((name) => fields[name] === undefined)) return undefined;
  const buyQuantity = figure(fields, `${group}_buy_qty`);
  return { buyQuantity, sellQuantity: figure(fields, `${group}_sell_qty`) };
}

function figure(fields: Row, name: string): number {
  const value = fields[name] ?? '';
  const read = value === '' ? 0 : number(value);
  if (read === null) throw badPayload(`a position has a ${name} that is not a number`);
  return read;
}

/** What a row states of its contract, also where its figures cannot be read. */
export function contractOf(row: unknown): Contract {
  return contract(z.record(z.string(), z.unknown()).safeParse(row).data ?? {});
}

/** The expiry has the form `07/16/2026 14:00`, month first. */
function contract(fields: Row): Contract {
  const date = /^(\d{2})\/(\d{2})\/(\d{4})\b/.exec(String(fields.drv_expiry_date ?? ''));
  const strike = number(fields.drv_strike_price);
  const type = String(fields.drv_option_type ?? '').toUpperCase();
  return {
    expiry: date ? `${date[3]}-${date[1]}-${date[2]}` : null,
    strike: strike !== null && strike > 0 ? strike : null,
    optionType: type === 'CE' || type === 'PE' ? type : null,
  };
}

/** Whether an instrument may be the contract of the row: every field that both state is equal. */
export function agrees(instrument: Instrument, row: Contract): boolean {
  return (
    same(instrument.expiry, row.expiry) &&
    same(instrument.strike, row.strike) &&
    same(instrument.optionType, row.optionType)
  );
}

function same<T>(left: T | null, right: T | null): boolean {
  return left === null || right === null || left === right;
}
