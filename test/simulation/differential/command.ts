import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { DAY_KINDS, type DayKind } from '../hours.ts';
import { createBar, whole } from '../terminal.ts';
import { firstDifference, PARTS } from './compare.ts';
import { playForLog, type DayLog } from './play.ts';
import { headerOf, readRecorded, writeRecorded, type RecordedSeed } from './recorded.ts';

const HELP = `Plays the recorded seeds again: the requests to the brokers, and the orders and fills at
the end, must be those of the recorded version.

  npm run simulate -- --differential [--day KIND] [--from S] [--seeds N] [--workers W]
  npm run simulate -- --differential --seed S [--day KIND] [--log FILE] [--against FILE]
  npm run simulate -- --differential --accept REASON [--day KIND] [--from S] [--seeds N]
  npm run simulate -- --differential --record VERSION

  --day KIND        session or night: only these (all that are recorded; session with --seed)
  --from S          the first seed (1)
  --seeds N         how many seeds (all that are recorded)
  --workers W       threads (one for each core)
  --seed S          plays this seed alone
  --log FILE        writes all its requests, orders and fills there, to be compared with diff
  --against FILE    prints the first line that differs from a log that another version has written
  --accept REASON   records the seeds that differ as this version plays them, and notes why they do,
                    as "commit 1234567: each list is read by itself"
  --record VERSION  replaces the recording by what this version does; VERSION names it, as "commit b78c87b"
`;

/** What --record plays. */
const RECORDED_SEEDS: readonly (readonly [DayKind, number])[] = [
  ['session', 800],
  ['night', 200],
];

/** Runs the command; returns the exit code. Throws for an option that it cannot read. */
export async function runDifferential(args: string[]): Promise<number> {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const { values } = parseArgs({
    args,
    options: {
      ...{ differential: flag, help: flag, day: text, from: text, seeds: text, workers: text },
      ...{ seed: text, log: text, against: text, record: text, accept: text },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const workers = whole('workers', values.workers, availableParallelism());
  const kind = values.day === undefined ? null : dayKind(values.day);
  if (values.record !== undefined) {
    const wanted = RECORDED_SEEDS.flatMap(([day, count]) =>
      Array.from({ length: count }, (_, index) => ({ kind: day, seed: index + 1 })),
    );
    writeRecorded(headerOf(values.record), await playAll(wanted, workers));
    return 0;
  }
  if (values.seed !== undefined) {
    const log = await playForLog(kind ?? 'session', String(whole('seed', values.seed, 1)));
    return showOne(log, values);
  }
  const from = whole('from', values.from, 1);
  const last = from + whole('seeds', values.seeds, Number.MAX_SAFE_INTEGER / 2) - 1;
  return compareAll(
    (each) => (kind === null || each.kind === kind) && each.seed >= from && each.seed <= last,
    workers,
    values.accept ?? null,
  );
}

function dayKind(text: string): DayKind {
  const kind = DAY_KINDS.find((each) => each === text);
  if (kind) return kind;
  throw new Error(`--day is "${text}": it takes ${DAY_KINDS.join(' or ')}`);
}

function showOne(log: DayLog, { log: file, against }: { log?: string; against?: string }): number {
  const lines = ['requests', ...log.requests, 'orders', ...log.orders];
  if (file !== undefined) writeFileSync(file, `${lines.join('\n')}\n`);
  process.stdout.write(`${log.requests.length} requests, ${log.orders.length} orders\n`);
  if (against === undefined) return 0;
  const recorded = readFileSync(against, 'utf8').trimEnd().split('\n');
  const difference = firstDifference(recorded, lines);
  process.stdout.write(difference === null ? 'no difference\n' : `${difference}\n`);
  return difference === null ? 0 : 1;
}

/** Plays the chosen seeds. With a reason, what differs is recorded anew, and is no failure. */
async function compareAll(
  chosen: (each: RecordedSeed) => boolean,
  workers: number,
  reason: string | null,
): Promise<number> {
  const { header, seeds } = readRecorded();
  const all = new Map(seeds.map((each) => [nameOf(each), each]));
  const wanted = seeds.filter(chosen);
  if (wanted.length === 0) throw new Error('none of these seeds is recorded');
  process.stdout.write(`${header}\n`);
  const differing: RecordedSeed[] = [];
  await playAll(wanted, workers, (played) => {
    const before = all.get(nameOf(played));
    const parts = PARTS.filter((part) => before?.[part] !== played[part]);
    if (parts.length === 0) return null;
    differing.push(played);
    return `${nameOf(played)}: ${parts.join(' and ')} differ`;
  });
  process.stdout.write(`${wanted.length} seeds played, ${differing.length} differ\n`);
  if (reason === null) return differing.length === 0 ? 0 : 1;
  for (const each of differing) {
    const earlier = all.get(nameOf(each))?.since;
    const since = earlier === undefined ? reason : `${earlier}; ${reason}`;
    all.set(nameOf(each), { ...each, since });
  }
  writeRecorded(header, [...all.values()]);
  return 0;
}

const nameOf = ({ kind, seed }: { kind: DayKind; seed: number }): string => `${kind} ${seed}`;

/** Plays seeds on several threads; prints what `judge` says of one, as soon as it is played. */
async function playAll(
  wanted: readonly { readonly kind: DayKind; readonly seed: number }[],
  workers: number,
  judge: (played: RecordedSeed) => string | null = () => null,
): Promise<RecordedSeed[]> {
  const played: RecordedSeed[] = [];
  const bar = createBar(wanted.length);
  const left = [...wanted].reverse();
  let bad = 0;
  const work = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker = new Worker(new URL('./worker.ts', import.meta.url));
      const more = (): void => {
        const next = left.pop();
        if (next) worker.postMessage(next);
        else void worker.terminate().then(() => resolve(), reject);
      };
      worker.on('error', reject);
      worker.on('message', (each: RecordedSeed) => {
        played.push(each);
        const text = judge(each);
        if (text !== null) {
          bad += 1;
          bar.clear();
          process.stdout.write(`${text}\n`);
        }
        bar.show(played.length, bad);
        more();
      });
      more();
    });
  await Promise.all(Array.from({ length: Math.min(workers, wanted.length) }, work));
  bar.clear();
  return played;
}
