import { describe, expect, it } from 'vitest';
import { EVENTS_KEPT } from '../../src/execution/journal/event-retention.ts';
import { type Database, openDatabase } from '../../src/platform/database.ts';
import { loggedInRig, place, BUY } from './walk.ts';

const DAY_MS = 86_400_000;
const MORE = 700;

/** Adds copies of the newest event, as if the gateway had written them after it. */
function addEvents(database: Database, copies: number): void {
  database.exec(`
    WITH RECURSIVE
      newest AS MATERIALIZED (SELECT * FROM events ORDER BY sequence DESC LIMIT 1),
      count(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM count WHERE n < ${copies})
    INSERT INTO events (sequence, at, type, order_id, record, epoch)
    SELECT sequence + n, at, type, order_id, json_set(record, '$.sequence', sequence + n), epoch
    FROM count, newest ORDER BY n`);
}

function sequencesIn(database: Database): readonly [number, number] {
  const found = database
    .prepare('SELECT min(sequence) AS first, max(sequence) AS last FROM events')
    .get();
  return [Number(found?.['first']), Number(found?.['last'])];
}

describe('events that are more than are kept', () => {
  it('go from the journal of a gateway that runs, and a reader of a removed one is told', async () => {
    let journal: Database | null = null;
    let starts = 0;
    await using rig = await loggedInRig({
      overrides: {
        openDatabase(path) {
          const database = openDatabase(path);
          if (!path.endsWith('journal.db')) return database;
          starts += 1;
          if (starts > 1) addEvents(database, EVENTS_KEPT.atLeast + MORE);
          return (journal = database);
        },
      },
    });
    await place(rig, BUY, 'one');
    await rig.time.advance(2_000);
    const [oldest] = (await rig.get('/api/v1/events?limit=1')).body.data;
    await rig.restart();
    rig.time.stepWall((EVENTS_KEPT.days + 1) * DAY_MS);
    await rig.time.advance(60_000);
    const [first, last] = sequencesIn(journal!);
    // What the start itself has written counts among the newest.
    expect(last - first + 1).toBeGreaterThanOrEqual(EVENTS_KEPT.atLeast);
    expect(last - first + 1).toBeLessThan(EVENTS_KEPT.atLeast + 50);
    const expired = await rig.get(`/api/v1/events?after=${oldest.id}`);
    expect([expired.status, expired.body.code]).toEqual([410, 'cursor_expired']);
  });
});
