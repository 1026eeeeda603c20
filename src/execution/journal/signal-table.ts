import { z } from 'zod';
import { MODES } from '../../domain/broker.ts';
import { ORDER_TYPES, SIDES, VALIDITIES } from '../../domain/order.ts';
import {
  type OpenSignals,
  type Signal,
  type SignalQuery,
  signalState,
  type UnreadSignal,
} from '../../domain/signal.ts';
import type { Database, Row } from '../../platform/database.ts';
import type { Log } from '../../platform/log.ts';
import { epochMs } from '../../units/branded.ts';
import { removeInOne, type Retention } from './old-rows.ts';

/**
 * Signals. An alert is accepted once for each hook: the database itself refuses a second one. One that was
 * refused before its orders were known has no such id, so that it can be sent again once its cause is mended.
 */
export const SIGNAL_TABLE = `
CREATE TABLE signals (
  id TEXT PRIMARY KEY,
  hook_id TEXT NOT NULL,
  caller TEXT NOT NULL,
  alert_id TEXT,
  state TEXT NOT NULL CHECK (state IN ('accepted', 'placed', 'refused')),
  record TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX one_signal_of_an_alert ON signals (hook_id, alert_id)
  WHERE alert_id IS NOT NULL;
CREATE INDEX open_signals ON signals (id) WHERE state = 'accepted';
`;

export interface SignalReads {
  /** The signal that was accepted of an alert, however long ago. */
  signalOfAlert(hookId: string, alertId: string): Promise<Signal | null>;
  /** Newest first. Those whose rows do not fit are left out. */
  newestSignals(query: SignalQuery): Promise<readonly Signal[]>;
  /** Accepted ones of which an order is neither placed nor refused. */
  openSignals(): Promise<OpenSignals>;
}

export interface SignalRows {
  /**
   * Removes signals, at most `step` of them; how many went. One of which an order is neither placed nor refused stays,
   * and so do the orders of all: a repeat of an alert finds them by their keys. Throws where the database refuses.
   */
  removeSignals(retention: Retention, step: number): number;
}

/** Rejects where a row does not fit. */
type Read = (table: 'signals', sql: string) => (...values: (string | number)[]) => Signal[];
/** One row, or what does not fit of it. */
type ReadOne = (
  record: unknown,
) =>
  | { readonly kind: 'row'; readonly row: Signal }
  | { readonly kind: 'unfit'; readonly reason: string };

/** Above every id, which are of lower-case letters, digits, `-` and `_`. */
const ABOVE_ALL = '~';

export function createSignalReads(
  database: Database,
  read: Read,
  { readOne, log }: { readonly readOne: ReadOne; readonly log: Log | null },
): SignalReads {
  const ofAlert = read('signals', 'SELECT record FROM signals WHERE hook_id = ? AND alert_id = ?');
  const newest = database.prepare(
    `SELECT id, record FROM signals
     WHERE id < ? AND (? = '' OR caller = ?) AND (? = '' OR state = ?) ORDER BY id DESC LIMIT ?`,
  );
  const open = database.prepare(
    `SELECT id, record FROM signals WHERE state = 'accepted' ORDER BY id`,
  );
  const logged = new Set<string>();

  function readEach(rows: readonly Row[]): OpenSignals {
    const signals: Signal[] = [];
    const unread: UnreadSignal[] = [];
    for (const row of rows) {
      const one = readOne(row['record']);
      if (one.kind === 'row') signals.push(one.row);
      else unread.push({ id: String(row['id']), reason: one.reason });
    }
    return { signals, unread };
  }

  return {
    signalOfAlert: async (hookId, alertId) => ofAlert(hookId, alertId)[0] ?? null,
    newestSignals: async ({ caller, state, before, limit }) => {
      const [ofCaller, ofState] = [caller ?? '', state ?? ''];
      const found: Signal[] = [];
      let last = before ?? ABOVE_ALL;
      for (;;) {
        const left = limit - found.length;
        const rows = newest.all(last, ofCaller, ofCaller, ofState, ofState, left);
        const { signals, unread } = readEach(rows);
        found.push(...signals);
        for (const { id, reason } of unread) {
          if (!logged.has(id))
            log?.error('a signal is left out of the list', { source: id, reason });
          logged.add(id);
        }
        if (rows.length < left || found.length === limit) return found;
        last = String(rows.at(-1)?.['id']);
      }
    },
    openSignals: async () => readEach(open.all()),
  };
}

/** Ids begin with the time, so that they sort by age. */
export function createSignalRows(database: Database): SignalRows {
  const count = database.prepare('SELECT count(*) AS count FROM signals');
  const oldest = database.prepare(
    `SELECT id, iif(json_valid(record), json_extract(record, '$.receivedAt'), 0) AS at FROM signals
     WHERE state <> 'accepted' ORDER BY id LIMIT ?`,
  );
  const remove = database.prepare(`DELETE FROM signals WHERE id <= ? AND state <> 'accepted'`);
  return {
    removeSignals({ before, atLeast, atMost }, step) {
      const all = Number(count.get()?.['count'] ?? 0);
      let last: string | null = null;
      for (const [place, { id, at }] of oldest.all(step).entries()) {
        const newer = all - place;
        const isOld = epochMs(Number(at)) < before && newer > atLeast;
        if (!isOld && newer <= atMost) break;
        last = String(id);
      }
      if (last === null) return 0;
      const upTo = last;
      return removeInOne(database, () => remove.run(upTo));
    },
  };
}

export function createSignalWriter(database: Database): (row: Signal) => void {
  const put = database.prepare(
    `INSERT INTO signals (id, hook_id, caller, alert_id, state, record) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET state = excluded.state, record = excluded.record`,
  );
  return (row) => {
    const { id, hookId, caller, alertId, problem } = row;
    const accepted = problem === null ? alertId : null;
    put.run(id, hookId, caller, accepted, signalState(row), JSON.stringify(row));
  };
}

const text = z.string();
const instant = z.number().int().transform(epochMs);
const problem = z.object({
  ...{ code: text, detail: text },
  mayHaveExecuted: z.literal(true).exactOptional(),
});
const price = z.number().nullable();

const request = z.object({
  instrument: text,
  side: z.enum(SIDES),
  quantity: z.number(),
  orderType: z.enum(ORDER_TYPES),
  product: z.enum(['CNC', 'INTRADAY', 'MARGIN']),
  validity: z.enum(VALIDITIES),
  ...{ price, triggerPrice: price },
  amo: z.boolean(),
  ...{ algoId: text.exactOptional(), marketProtection: z.number().exactOptional() },
  tag: text.nullable(),
  broker: text.nullable(),
  mode: z.enum(MODES).nullable(),
});

export const signalRow = z.object({
  id: text,
  hookId: text,
  hookName: text,
  caller: text,
  mode: z.enum(MODES),
  alertId: text.nullable(),
  alertAt: instant.nullable(),
  receivedAt: instant,
  orders: z.array(
    z.object({
      ...{ idempotencyKey: text, request },
      ...{ orderId: text.nullable(), problem: problem.nullable() },
    }),
  ),
  problem: problem.nullable(),
});
