import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createSqliteJournal } from '../../../src/execution/journal/journal.ts';
import {
  applyChange,
  createState,
  type ExecutionState,
} from '../../../src/execution/journal/state.ts';
import { openDatabase } from '../../../src/platform/database.ts';
import { CALLER_KEYS } from '../callers-file.ts';
import { SECRETS } from '../world-settings.ts';
import { violation, type Day, type Violation } from './context.ts';

/** S7: events have no gap and keep their order. */
export function eventsWhole({ world, state }: Day): Violation[] {
  const database = openDatabase(join(world.directory, 'data', 'journal.db'));
  try {
    const rows = database.prepare('SELECT sequence, at FROM events ORDER BY sequence').all();
    const gap = rows.findIndex((row, index) => row.sequence !== index + 1);
    const violations = gap < 0 ? [] : [violation('S7', `event ${gap + 1} is missing`)];
    if (rows.length !== state.lastEvent) {
      violations.push(
        violation('S7', `${rows.length} events on disk, ${state.lastEvent} in memory`),
      );
    }
    return violations;
  } finally {
    database.close();
  }
}

const TABLES = [
  'orders',
  'attempts',
  'fills',
  'observed',
  'killSwitch',
  'echoes',
  'exits',
] as const;

/** S10: the journal read again gives the live state. */
export async function replayAgrees({ world, state }: Day): Promise<Violation[]> {
  const database = openDatabase(join(world.directory, 'data', 'journal.db'));
  try {
    const replayed = createState();
    const { changes } = await createSqliteJournal(database).load('2026-01-01');
    for (const change of changes) {
      applyChange(replayed, change);
    }
    return TABLES.filter((table) => textOf(replayed, table) !== textOf(state, table)).map((table) =>
      violation('S10', `${table} on disk are not ${table} in memory`),
    );
  } finally {
    database.close();
  }
}

const textOf = (state: ExecutionState, table: (typeof TABLES)[number]): string =>
  JSON.stringify(
    [...state[table]].sort(([left], [right]) => (left < right ? -1 : 1)),
    // In what order a record has its fields says nothing.
    (_, value: unknown) =>
      isRecord(value) ? Object.fromEntries(Object.entries(value).sort()) : value,
  );

const isRecord = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** S11: a planted secret appears in no log line, event or order. */
export function secretsKept({ world }: Day): Violation[] {
  const tokens = world.sent.flatMap(
    ({ request }) => /token kitekey:(\S+)/.exec(request.headers.Authorization ?? '')?.[1] ?? [],
  );
  const secrets = [...Object.values(SECRETS), ...CALLER_KEYS, ...new Set(tokens)];
  const leaks: Violation[] = [];
  for (const secret of secrets) {
    const line = world.logs.find((each) => each.includes(secret));
    if (line) leaks.push(violation('S11', `a log line shows a secret: ${line.slice(0, 200)}`));
  }
  for (const name of readdirSync(join(world.directory, 'data'))) {
    if (!name.startsWith('journal')) continue;
    const content = readFileSync(join(world.directory, 'data', name), 'latin1');
    if (secrets.some((secret) => content.includes(secret))) {
      leaks.push(violation('S11', `${name} holds a secret`));
    }
  }
  return leaks;
}
