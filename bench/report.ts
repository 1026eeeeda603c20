import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as prettier from 'prettier';
import { type KeptRow, readResults } from './results.ts';

const PAGE = fileURLToPath(new URL('../docs/performance.md', import.meta.url));

/** Writes the figures of bench/results.json into docs/performance.md (`npm run bench -- report`). */
export async function writeReport(): Promise<void> {
  const page = withFigures(readFileSync(PAGE, 'utf8'), readResults());
  const options = await prettier.resolveConfig(PAGE);
  writeFileSync(PAGE, await prettier.format(page, { ...options, filepath: PAGE }));
}

/** `<!-- figures: market -->` and what follows it, up to `<!-- end -->`. */
const PLACE = /<!-- (figures|growth): (\w+) -->\n[^]*?<!-- end -->/g;

/**
 * The page with the rows of each bench in its place. A bench without rows keeps what the page has, so that one of
 * them can be measured anew alone.
 */
export function withFigures(page: string, rows: readonly KeptRow[]): string {
  return page.replaceAll(PLACE, (whole, kind: string, bench: string) => {
    const own = rows.filter((row) => row.bench === bench);
    if (own.length === 0) return whole;
    const text = kind === 'growth' ? growth(own) : table(own);
    return `<!-- ${kind}: ${bench} -->\n\n${text}\n\n<!-- end -->`;
  });
}

function table(rows: readonly KeptRow[]): string {
  const lines = rows.map(({ name, value, unit, bound, met }) => {
    const verdict = met === null ? '' : met ? 'yes' : '**no**';
    return `| ${name} | ${shown(value)} ${unit} | ${bound ?? ''} | ${verdict} |`;
  });
  return [
    told(rows),
    '',
    '| | measured | bound | met |',
    '| --- | --- | --- | --- |',
    ...lines,
  ].join('\n');
}

function told(rows: readonly KeptRow[]): string {
  const day = rows[0]?.day ?? '';
  return rows.some(({ busy }) => busy)
    ? `Measured on ${day} **while other programs were at work**: the ratios and the times of this table are worse than on a quiet machine.`
    : `Measured on ${day} on a quiet machine.`;
}

const LOAD = /^(\d+) symbols: processor time in a second$/;

/** The processor time at 1, 2, 4 and 8 times the load, beside a growth that is linear. */
function growth(rows: readonly KeptRow[]): string {
  const points = rows.flatMap(({ name, value }) => {
    const load = LOAD.exec(name)?.[1];
    return load === undefined ? [] : [{ load: Number(load), value }];
  });
  const [first] = points;
  if (first === undefined) return 'Not measured.';
  const linear = points.map(({ load }) => (first.value * load) / first.load);
  const list = (values: readonly number[]): string =>
    values.map((value) => shown(value)).join(', ');
  const most = Math.ceil(Math.max(...linear, ...points.map(({ value }) => value)));
  return [
    '```mermaid',
    'xychart-beta',
    '    title "Processor time of the gateway in a second, ms (bars), and linear growth (line)"',
    `    x-axis "symbols" [${points.map(({ load }) => load).join(', ')}]`,
    `    y-axis "ms" 0 --> ${most}`,
    `    bar [${list(points.map(({ value }) => value))}]`,
    `    line [${list(linear)}]`,
    '```',
  ].join('\n');
}

const shown = (value: number): string => value.toFixed(Math.abs(value) < 100 ? 2 : 0);
