import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OWN_TRIGGER_STATUSES } from '../../src/domain/trigger.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { continueFrom, type Continued, endOf } from './continued.ts';
import { openOldDataDirectory } from './open.ts';
import { TRIGGERS } from './triggers.ts';

/** State when the old gateway was killed, half a minute after the next start, and ten minutes after it. */
const ENDS: readonly (readonly [key: string, before: string, soon: string, after: string])[] = [
  ['triggered', 'triggered', 'triggered', 'triggered'],
  ['refused', 'refused', 'refused', 'refused'],
  ['never left', 'not_sent', 'not_sent', 'not_sent'],
  ['ended', 'ended', 'ended', 'ended'],
  ['called absent', 'absent', 'absent', 'absent'],
  ['waiting', 'waiting', 'waiting', 'waiting'],
  ['changed', 'waiting', 'waiting', 'waiting'],
  ['change refused', 'waiting', 'waiting', 'waiting'],
  ['deletion refused', 'waiting', 'waiting', 'waiting'],
  ['changing', 'waiting', 'waiting', 'waiting'],
  ['deleting', 'waiting', 'ended', 'ended'],
  ['lost', 'waiting', 'waiting', 'waiting'],
  ['late', 'uncertain', 'uncertain', 'waiting'],
  ['late, to be deleted', 'uncertain', 'uncertain', 'ended'],
  ['never there', 'uncertain', 'uncertain', 'absent'],
  ['sending', 'sending', 'waiting', 'waiting'],
];
const column = (at: 1 | 2 | 3) => Object.fromEntries(ENDS.map((row) => [row[0], row[at]]));

/** What a query of the journal of the kept directory finds, a column named `value` of each row. */
function inJournal(sql: string): unknown[] {
  using old = openOldDataDirectory('triggers');
  const database = openDatabase(join(old.directory, 'journal.db'));
  try {
    return database
      .prepare(sql)
      .all()
      .map(({ value }) => value);
  } finally {
    database.close();
  }
}

const triggersOf = ({ running }: Continued) => [
  ...running.composed.execution.state.triggers.values(),
];
const statesOf = (continued: Continued) =>
  Object.fromEntries(
    triggersOf(continued).map(({ idempotencyKey, state }) => [idempotencyKey, state.kind]),
  );

describe('the directory with triggers, as the old version left it', () => {
  it('has a journal of version 8, with a trigger in every state', () => {
    expect(inJournal('SELECT user_version AS value FROM pragma_user_version')).toEqual([8]);
    const states = inJournal(
      `SELECT json_array(idempotency_key, record ->> '$.state.kind') AS value FROM triggers`,
    ).map((text) => JSON.parse(String(text)) as [string, string]);
    expect(Object.fromEntries(states)).toEqual(column(1));
    expect(new Set(states.map(([, state]) => state))).toEqual(new Set(OWN_TRIGGER_STATUSES));
  });

  it('has changes under way, uncertain, taken and refused, of each kind', () => {
    const changes = inJournal(
      `SELECT record ->> '$.kind' || ' ' || (record ->> '$.state') AS value FROM trigger_changes ORDER BY 1`,
    );
    expect(changes).toEqual([
      ...['delete acknowledged', 'delete refused', 'delete sending', 'delete uncertain'],
      ...['modify acknowledged', 'modify refused', 'modify sending', 'modify uncertain'],
      'resolve taken',
    ]);
  });

  it('has an exit and a closing that have just begun, and an order of a basket on its way', () => {
    const doing = `SELECT record ->> '$.doing' AS value FROM exits`;
    expect(inJournal(doing)).toEqual(['begun']);
    expect(inJournal(`SELECT record ->> '$.over' AS value FROM closings`)).toEqual([null]);
    const sending = `SELECT idempotency_key AS value FROM orders WHERE status = 'sending'`;
    expect(inJournal(sending)).toEqual(['basket 5']);
  });
});

describe('the directory with triggers, continued by this version', () => {
  let continued: Continued;
  const kite = () => continued.brokers.sandbox.kite;
  /** What there is to see 20 seconds after the start; the tests run when it is ten minutes more. */
  let soon: { states: Record<string, string>; placed: number; changed: number | undefined };
  let placedBefore: number;
  beforeAll(async () => {
    continued = await continueFrom('triggers');
    placedBefore = kite().triggers().length;
    await continued.brokers.time.advance(20_000);
    const changing = triggersOf(continued).find((each) => each.idempotencyKey === 'changing');
    soon = {
      states: statesOf(continued),
      placed: kite().triggers().length,
      changed: changing?.terms.legs[0].triggerPrice,
    };
    await continued.brokers.time.advance(600_000);
  });
  afterAll(() => continued[Symbol.asyncDispose]());
  const orders = async () =>
    Object.fromEntries(
      [...(await continued.byKey(TRIGGERS.day))].flatMap(([key, order]) =>
        key.includes('#') ? [] : [[key, endOf(order)]],
      ),
    );

  it('finds what was on its way, and sends the deletion that had not worked again', () => {
    expect(soon).toEqual({ states: column(2), placed: placedBefore, changed: 1_449 });
  });

  it('carries out the exit and the closing, and sends no order of the basket again', async () => {
    const { exits, closings } = continued.running.composed.execution.state;
    expect([...exits.values()].map(({ instrument, over }) => [instrument, over?.end])).toEqual([
      ['NSE:ITC', 'flat'],
      ['NSE:SBIN', 'flat'],
    ]);
    expect([...closings.values()].map(({ over }) => over?.end)).toEqual(['flat']);
    expect(await orders()).toEqual({
      held: 'filled 40',
      'held, too': 'filled 30',
      'basket 5': 'working 0 by tag',
    });
    const sold = kite()
      .orders()
      .filter(({ side }) => side === 'SELL')
      .map(({ instrument, filledQuantity }) => `${instrument} ${filledQuantity}`);
    expect(sold.sort()).toEqual(['NSE:INFY 10', 'NSE:ITC 40', 'NSE:SBIN 30']);
  });

  it('comes to the right end of each trigger, and of each change', () => {
    expect(statesOf(continued)).toEqual(column(3));
    const { state } = continued.running.composed.execution;
    const open = [...state.triggerChanges.values()].filter(
      (change) => change.state === 'sending' || change.state === 'uncertain',
    );
    expect(open).toEqual([]);
    const lost = [...state.triggerChanges.values()].filter(
      (change) => change.state === 'not_taken',
    );
    expect(lost.map(({ kind }) => kind)).toEqual(['modify']);
    const live = triggersOf(continued).filter((each) => each.state.kind === 'waiting');
    expect(
      kite()
        .triggers()
        .filter(({ status }) => status === 'active'),
    ).toHaveLength(live.length);
  });

  it('answers a key of the old version with the trigger that it made', async () => {
    const request = { instrument: 'NSE:INFY', broker: 'alt', mode: null, lastPrice: 1_500 };
    const leg = { triggerPrice: 1_461, price: 1_460, quantity: 10 };
    const legs = [{ ...leg, side: 'SELL', product: 'CNC' }] as const;
    const before = kite().triggers().length;
    const { running } = continued;
    const again = await running.settle(
      running.composed.gateway.placeTrigger(
        { ...request, legs },
        { caller: 'trader', idempotencyKey: 'late' },
      ),
    );
    expect([again.repeated, again.trigger.status]).toEqual([true, 'waiting']);
    expect(kite().triggers()).toHaveLength(before);
  });
});
