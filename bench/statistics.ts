/** The value below which a share of the samples lies; `share` in [0, 1]. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

/** A line of a table, and whether its bound was kept. */
export interface Figure {
  readonly name: string;
  readonly value: string;
  readonly bound: string;
  readonly kept: boolean;
}

export function printFigures(title: string, figures: readonly Figure[]): boolean {
  process.stdout.write(`\n${title}\n`);
  for (const { name, value, bound, kept } of figures) {
    const verdict = bound === '' ? '' : `  ${kept ? 'kept' : 'BROKEN'}: ${bound}`;
    process.stdout.write(`  ${name.padEnd(46)} ${value.padStart(14)}${verdict}\n`);
  }
  return figures.every((figure) => figure.kept);
}
