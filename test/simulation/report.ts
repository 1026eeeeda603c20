import { accountFaultKinds, faultKinds } from '../../sandbox/kernel/faults.ts';
import { DIRECTED_MISHAPS, MISHAPS, MORE_MISHAPS } from './mishaps.ts';
import type { SeedResult } from './run-seed.ts';

/** What a run of many seeds adds up to. */
export interface Summary {
  seeds: number;
  orders: number;
  crashes: number;
  twinsBound: number;
  disputed: number;
  uncertain: number;
  fewestOrders: number;
  fewestCrashes: number;
  readonly strikes: Map<string, number>;
  readonly pairs: Map<string, number>;
  readonly failed: { readonly seed: string; readonly violations: readonly string[] }[];
}

export const emptySummary = (): Summary => ({
  seeds: 0,
  orders: 0,
  crashes: 0,
  twinsBound: 0,
  disputed: 0,
  uncertain: 0,
  fewestOrders: Infinity,
  fewestCrashes: Infinity,
  strikes: new Map(),
  pairs: new Map(),
  failed: [],
});

/** What a worker sends of one seed: all but the timeline of a day that went well. */
export type SeedNote = Omit<SeedResult, 'timeline' | 'violations'> & {
  readonly violations: readonly string[];
};

export function addSeed(summary: Summary, result: SeedNote): void {
  summary.seeds += 1;
  summary.orders += result.orders;
  summary.crashes += result.crashes;
  summary.twinsBound += result.twinsBound;
  summary.disputed += result.disputed;
  summary.uncertain += result.uncertain;
  summary.fewestOrders = Math.min(summary.fewestOrders, result.orders);
  summary.fewestCrashes = Math.min(summary.fewestCrashes, result.crashes);
  for (const [fault, count] of result.strikes) add(summary.strikes, fault, count);
  for (const [pair, count] of result.pairs) add(summary.pairs, pair, count);
  if (result.violations.length > 0) {
    summary.failed.push({ seed: result.seed, violations: result.violations });
  }
}

/** A summary as text that `countFromText` reads: the parts of a long run are added up in a file. */
export const countToText = (summary: Summary): string =>
  `${JSON.stringify({ ...summary, strikes: [...summary.strikes], pairs: [...summary.pairs] }, null, 1)}\n`;

export function countFromText(text: string): Summary {
  const read = JSON.parse(text) as Omit<Summary, 'strikes' | 'pairs'> & {
    strikes: [string, number][];
    pairs: [string, number][];
  };
  // JSON has no Infinity: the fewest of no seeds are null there.
  const fewestOrders = read.fewestOrders ?? Infinity;
  const fewestCrashes = read.fewestCrashes ?? Infinity;
  const maps = { strikes: new Map(read.strikes), pairs: new Map(read.pairs) };
  return { ...read, fewestOrders, fewestCrashes, ...maps };
}

const add = (counts: Map<string, number>, key: string, count: number): void => {
  counts.set(key, (counts.get(key) ?? 0) + count);
};

/**
 * How many orders of a run may end disputed, and how many a caller may be told uncertain: who disputes
 * everything, or is never sure, breaks no other property. Trouble is far denser here than at any broker.
 */
const MOST = { disputed: 0.1, uncertain: 0.3 } as const;
/** Fewer seeds say little of a rate. */
const SEEDS_FOR_RATES = 50;

/** Which rates of a run are above their bound, in words. */
export function ratesAbove(summary: Summary): string[] {
  if (summary.seeds < SEEDS_FOR_RATES) return [];
  return (['disputed', 'uncertain'] as const)
    .filter((name) => summary[name] > summary.orders * MOST[name])
    .map((name) => `L4: ${summary[name]} of ${summary.orders} orders were ${name}`);
}

const shareOf = (summary: Summary, name: keyof typeof MOST): string => {
  const percent = (100 * summary[name]) / Math.max(1, summary.orders);
  return `${summary[name]}, ${percent.toFixed(1)} % (at most ${100 * MOST[name]} %)`;
};

/** The states of an order that a fault can meet: those in which something is still to come. */
const STATES = ['sending', 'working', 'uncertain', 'disputed'] as const;
const CRASHES = ['before_commit', 'after_commit', 'before_send', 'after_send'].map(
  (point) => `crash_${point}`,
);
const ALL_MISHAPS = [...MISHAPS, ...MORE_MISHAPS, ...DIRECTED_MISHAPS] as const;
export type CountedMishap = (typeof ALL_MISHAPS)[number];
const TROUBLES: readonly string[] = [
  ...faultKinds,
  ...accountFaultKinds,
  ...ALL_MISHAPS,
  ...CRASHES,
];

export function missingPairs(summary: Summary): string[] {
  return TROUBLES.flatMap((trouble) =>
    STATES.map((state) => `${trouble} × ${state}`).filter((pair) => !summary.pairs.has(pair)),
  );
}

/** The summary as Markdown: for the terminal, and to be kept under docs/. */
export function writeSummary(summary: Summary, command: string, commit: string): string {
  const missing = missingPairs(summary);
  const rows = TROUBLES.map((trouble) => {
    const met = STATES.map((state) => summary.pairs.get(`${trouble} × ${state}`) ?? 0);
    return `| ${trouble} | ${summary.strikes.get(trouble) ?? 0} | ${met.join(' | ')} |`;
  });
  return [
    '# Results of the simulation',
    '',
    `Written by \`${command}\` on commit \`${commit}\`: later sources have not been run here. What is played and checked: [simulation.md](simulation.md).`,
    '',
    '| | |',
    '|---|---|',
    `| Seeds, a working day each | ${summary.seeds} |`,
    `| Orders | ${summary.orders} (at least ${summary.fewestOrders} a seed) |`,
    `| Crashes and power losses | ${summary.crashes} (at least ${summary.fewestCrashes} a seed) |`,
    `| Violations | ${summary.failed.length === 0 ? 'none' : `${summary.failed.length} seeds`} |`,
    `| Orders bound to a twin made by hand (the stated limit) | ${summary.twinsBound} |`,
    `| Orders disputed when all was over | ${shareOf(summary, 'disputed')} |`,
    `| Orders told uncertain at some time | ${shareOf(summary, 'uncertain')} |`,
    `| Pairs of trouble and order state never met | ${missing.length === 0 ? 'none' : missing.join(', ')} |`,
    '',
    'How often each trouble struck, and how often it met an order in each state:',
    '',
    `| trouble | struck | ${STATES.join(' | ')} |`,
    `|---|---|${STATES.map(() => '---').join('|')}|`,
    ...rows,
    '',
    ...summary.failed.map(({ seed, violations }) => `- seed ${seed}: ${violations.join('; ')}`),
  ].join('\n');
}
