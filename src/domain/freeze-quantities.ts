import type { CalendarDay, TradingDay } from '../units/branded.ts';

/** One of the exchange's lists: the most that it accepts in one order, units (not lots). */
export interface FreezeList {
  /** The first day on which it holds. */
  readonly from: string;
  /** By underlying, as contracts are named: `NIFTY` of `NFO:NIFTY26NOV24450CE`. */
  readonly quantities: ReadonlyMap<string, number>;
}

const UNDERLYINGS = ['NIFTY', 'BANKNIFTY', 'FINNIFTY', 'MIDCPNIFTY', 'NIFTYNXT50'] as const;

/** Index derivatives of the National Stock Exchange, oldest first (docs/spec/freeze-quantities.md). */
const LISTS: readonly FreezeList[] = (
  [
    ['2025-07-01', [1_800, 600, 1_800, 2_800, 600]],
    ['2025-09-01', [1_800, 900, 1_800, 2_800, 600]],
    ['2025-11-03', [1_800, 600, 1_800, 2_800, 600]],
    ['2025-12-01', [1_800, 600, 1_200, 2_800, 600]],
    ['2026-02-01', [1_800, 600, 1_800, 2_800, 600]],
  ] as const
).map(([from, quantities]) => ({
  from,
  quantities: new Map(quantities.map((quantity, place) => [UNDERLYINGS[place] ?? '', quantity])),
}));

/** The newest of the lists in this version that is not after the day; null before the first one. */
export function freezeListOn(day: CalendarDay | TradingDay): FreezeList | null {
  return LISTS.findLast(({ from }) => from <= day) ?? null;
}

/** Whether the exchange has made another list since: it makes one for each month. */
export function isOutdated({ from }: FreezeList, day: CalendarDay): boolean {
  return monthOf(day) - monthOf(from) >= 1;
}

/** Months since the year 0. */
function monthOf(day: string): number {
  const [year = 0, month = 0] = day.split('-').map(Number);
  return year * 12 + month;
}
