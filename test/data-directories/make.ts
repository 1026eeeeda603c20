import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { AFTERNOON, playAfternoon } from './afternoon.ts';
import { EVENING, playEvening } from './evening.ts';
import { playSignals, SIGNALS } from './signals.ts';
import { playTriggers, TRIGGERS } from './triggers.ts';
import { KEPT } from './open.ts';
import { run } from './running.ts';
import { booksOf, createBrokers, type Brokers } from './brokers.ts';

/**
 * Makes the directories under `kept/` that are named, or all. `afternoon` and `evening` were made with the sources of
 * commit b78c87b (journal 1), `triggers` with those of commit 58af2b1 (journal 8), `signals` with those of
 * commit 7107ab1 (journal 9): copy this folder into a checkout of
 * that commit, and run `node test/data-directories/make.ts triggers` there. The files are copied while requests are under way, as a killed process leaves them: byte for byte, databases
 * compressed with gzip. SQLite's shared-memory files are left out: each start makes them anew.
 */
const SCENARIOS = [
  { name: 'afternoon', ...AFTERNOON, play: playAfternoon },
  { name: 'evening', ...EVENING, play: playEvening },
  { name: 'triggers', ...TRIGGERS, play: playTriggers },
  { name: 'signals', ...SIGNALS, play: playSignals },
] as const;

const named = process.argv.slice(2);
for (const scenario of SCENARIOS) {
  if (named.length > 0 && !named.includes(scenario.name)) continue;
  const directory = mkdtempSync(join(tmpdir(), 'abg-make-'));
  try {
    const brokers = createBrokers(scenario.start);
    const running = await run(brokers, directory, scenario.name);
    await scenario.play(brokers, running);
    keep(scenario.name, directory, brokers);
    running.kill();
    process.stdout.write(`${scenario.name}: ${brokers.steps.length} steps\n`);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function keep(name: string, directory: string, brokers: Brokers): void {
  const kept = join(KEPT, name);
  rmSync(kept, { recursive: true, force: true });
  mkdirSync(join(kept, 'files'), { recursive: true });
  for (const file of readdirSync(directory)) {
    const from = join(directory, file);
    const to = join(kept, 'files', file);
    if (file.endsWith('-shm')) continue;
    if (/\.db(-wal)?$/.test(file))
      writeFileSync(`${to}.gz`, gzipSync(readFileSync(from), { level: 9 }));
    else copyFileSync(from, to);
  }
  const lines = brokers.steps.map((step) => JSON.stringify(step));
  writeFileSync(join(kept, 'brokers.jsonl'), `${lines.join('\n')}\n`);
  const end = { at: brokers.time.elapsed(), books: booksOf(brokers.sandbox) };
  writeFileSync(join(kept, 'end.json'), `${JSON.stringify(end, null, 2)}\n`);
}
