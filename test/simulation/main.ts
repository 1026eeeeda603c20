import { execFileSync, type StdioOptions } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { faultKinds } from '../../sandbox/kernel/faults.ts';
import { DAY_KINDS, type DayKind } from './hours.ts';
import { MISHAPS, MORE_MISHAPS } from './mishaps.ts';
import {
  addSeed,
  countFromText,
  countToText,
  emptySummary,
  missingPairs,
  ratesAbove,
  writeSummary,
  type SeedNote,
  type Summary,
} from './report.ts';
import { createBar, whole } from './terminal.ts';

const TROUBLES: readonly string[] = [...faultKinds, ...MISHAPS, ...MORE_MISHAPS];

/** What a day allocates is mostly dead a moment later: with more memory for it, there is less to collect. */
const YOUNG_MB = 64;

const HELP = `Plays whole trading days against the sandbox brokers, and checks what the gateway promises.

  npm run simulate -- --seeds N [--from S] [--day KIND] [--fault NAME]
                      [--workers W] [--report FILE] [--stop]

  --seeds N      how many days (100)
  --from S       the first seed (1); a seed that failed is replayed with --from S --seeds 1
  --day KIND     session: an afternoon of trading (what is played otherwise)
                 night: after-market orders, from an evening to the close of the next day
                 stretch: three sessions in a row, with positions carried over
  --fault NAME   this one kind of trouble only: ${TROUBLES.join(', ')}
  --workers W    threads (one for each core)
  --report FILE  also writes the summary there, as Markdown
  --count FILE   adds what is counted to FILE: a long run in parts, one after the other;
                 the summary is that of all parts
  --stop         ends at the first violation
  --until S5,S3  ends at the first violation of one of these properties
  --only-seeds 7,9   these seeds, in this order, instead of --seeds and --from
  --plain        prints each violation on a line, \`seed property text\`, and nothing else

  npm run simulate -- --planted         plays planted bugs; --bug TEXT chooses, --seeds and --from as above
  npm run simulate -- --differential    compares with a recorded version; add --help for its options
`;

interface Options {
  readonly seeds: readonly number[];
  readonly day: DayKind;
  readonly fault: string | null;
  readonly workers: number;
  readonly report: string | null;
  /** Where the parts of a long run are added up. */
  readonly count: string | null;
  readonly stop: boolean;
  /** Properties; a violation of any of them ends the run. */
  readonly until: readonly string[];
  readonly plain: boolean;
}

function readOptions(): Options {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    options: {
      seeds: text,
      from: text,
      day: text,
      fault: text,
      workers: text,
      report: text,
      count: text,
      until: text,
      'only-seeds': text,
      stop: { type: 'boolean', default: false },
      plain: { type: 'boolean', default: false },
    },
  });
  const { fault = null } = values;
  if (fault !== null && !TROUBLES.some((kind) => kind === fault)) {
    throw new Error(`--fault is "${fault}": see the list below`);
  }
  const day = DAY_KINDS.find((kind) => kind === (values.day ?? 'session'));
  if (day === undefined) throw new Error(`--day is "${values.day}": see the list below`);
  const from = whole('from', values.from, 1);
  const only = values['only-seeds']?.split(',');
  return {
    seeds:
      only?.map((each) => whole('only-seeds', each, 1)) ??
      Array.from({ length: whole('seeds', values.seeds, 100) }, (_, index) => from + index),
    day,
    fault,
    workers: whole('workers', values.workers, availableParallelism()),
    report: values.report ?? null,
    count: values.count ?? null,
    stop: values.stop,
    until: values.until?.split(',') ?? [],
    plain: values.plain,
  };
}

const readCount = (file: string | null): Summary =>
  file !== null && existsSync(file) ? countFromText(readFileSync(file, 'utf8')) : emptySummary();

async function simulate(options: Options): Promise<boolean> {
  const summary = readCount(options.count);
  const left = [...options.seeds].reverse();
  let stopped = false;
  let played = 0;
  const bar = createBar(options.seeds.length);

  function work(): Promise<void> {
    return new Promise((resolve, reject) => {
      const worker = new Worker(new URL('./worker.ts', import.meta.url), {
        workerData: { only: options.fault, day: options.day },
        resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
      });
      const more = (): void => {
        const next = stopped ? undefined : left.pop();
        if (next !== undefined) return worker.postMessage(String(next));
        void worker.terminate();
        resolve();
      };
      worker.on('error', reject);
      worker.on('message', ({ note, timeline }: { note: SeedNote; timeline: string[] }) => {
        addSeed(summary, note);
        if (note.violations.length > 0) {
          stopped ||= options.stop || note.violations.some((text) => endsRun(text, options));
          bar.clear();
          process.stdout.write(failure(note, timeline, options));
        }
        played += 1;
        bar.show(played, summary.failed.length);
        more();
      });
      more();
    });
  }

  const { seeds, workers } = options;
  await Promise.all(Array.from({ length: Math.min(workers, seeds.length) }, work));
  bar.clear();
  if (options.count !== null) writeFileSync(options.count, countToText(summary));
  if (options.plain) return summary.failed.length === 0;
  const command = commandOf(
    options,
    summary.seeds,
    String(Number(seeds[0]) + seeds.length - summary.seeds),
  );
  const text = writeSummary(summary, command, commitOfSources());
  process.stdout.write(`${text}\n`);
  if (options.report !== null) writeFileSync(options.report, `${text.trimEnd()}\n`);
  if (summary.seeds >= 1_000 && missingPairs(summary).length > 0) {
    process.stdout.write('Not every pair was met: more seeds, or a richer plan, are needed.\n');
  }
  const above = ratesAbove(summary);
  for (const text of above) process.stdout.write(`${text}\n`);
  return summary.failed.length === 0 && above.length === 0;
}

/** A run of an unpacked archive, which has no history, still ends with its summary. */
function commitOfSources(): string {
  try {
    const stdio: StdioOptions = ['ignore', 'pipe', 'ignore'];
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
      encoding: 'utf8',
      stdio,
    }).trim();
  } catch {
    return 'unknown';
  }
}

const commandOf = ({ day, fault }: Options, seeds: number, from: string): string =>
  [
    `npm run simulate -- --seeds ${seeds} --from ${from}`,
    ...(day === 'session' ? [] : [`--day ${day}`]),
    ...(fault === null ? [] : [`--fault ${fault}`]),
  ].join(' ');

/** `S5 what is wrong`: whether the property in front is one that the run is to end at. */
const endsRun = (text: string, { until }: Options): boolean =>
  until.includes(text.split(' ')[0] ?? '');

function failure(note: SeedNote, timeline: readonly string[], options: Options): string {
  if (options.plain) return note.violations.map((text) => `${note.seed} ${text}\n`).join('');
  return [
    '',
    ...timeline,
    '',
    `seed ${note.seed} broke:`,
    ...note.violations.map((text) => `  ${text}`),
    `replay: ${commandOf(options, 1, note.seed)}`,
    '',
    '',
  ].join('\n');
}

/** Answers the exit code. The other commands load the whole gateway, which the days' workers load themselves. */
async function runCommand(args: string[]): Promise<number> {
  if (args.includes('--differential')) {
    return (await import('./differential/command.ts')).runDifferential(args);
  }
  if (args.includes('--planted')) return (await import('./planted-command.ts')).runPlanted(args);
  return (await simulate(readOptions())) ? 0 : 1;
}

try {
  process.exitCode = await runCommand(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`);
  process.exitCode = 2;
}
