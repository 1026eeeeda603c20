import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signalState } from '../../src/domain/signal.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { createActions } from './actions.ts';
import { continueFrom, type Continued, endOf } from './continued.ts';
import { KEPT, openOldDataDirectory } from './open.ts';
import { SIGNALS } from './signals.ts';

/** What a query of the journal of the kept directory finds, a column named `value` of each row. */
function inJournal(sql: string): unknown[] {
  using old = openOldDataDirectory('signals');
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

const WANTED: ReadonlySet<unknown> = new Set(['order.updated', 'signal.accepted']);

describe('the directory with signals, as the old version left it', () => {
  it('has a journal of version 9, with a signal in every state', () => {
    expect(inJournal('SELECT user_version AS value FROM pragma_user_version')).toEqual([9]);
    expect(inJournal(`SELECT alert_id || ': ' || state AS value FROM signals ORDER BY id`)).toEqual(
      [
        'placed: placed',
        'refused: refused',
        'wrong: refused',
        'on its way: accepted',
        'taken: accepted',
      ],
    );
  });

  it('has the leg of an exit and the order of a signal on their way', () => {
    const of = `SELECT record ->> '$.terms.instrument' AS value FROM orders`;
    expect(inJournal(`${of} WHERE status = 'sending' ORDER BY 1`)).toEqual(['NSE:ITC', 'NSE:SBIN']);
    expect(inJournal(`SELECT record ->> '$.doing' AS value FROM exits`)).toEqual([
      'leg 1: SELL 40 at ₹398.8',
    ]);
  });
});

describe('the directory with signals, continued by this version', () => {
  let continued: Continued;
  beforeAll(async () => {
    continued = await continueFrom('signals');
    await continued.brokers.time.advance(40_000);
  });
  afterAll(() => continued[Symbol.asyncDispose]());
  const execution = () => continued.running.composed.execution;
  const taken = () =>
    [continued.brokers.sandbox.kite, continued.brokers.sandbox.primary].flatMap((broker) =>
      broker.orders().map(({ side, instrument, quantity }) => `${side} ${quantity} ${instrument}`),
    );

  it('finds the orders that were on their way, and sends none again', async () => {
    expect(taken().sort()).toEqual([
      ...[
        'BUY 40 NSE:ITC',
        'BUY 5 NSE:INFY',
        'BUY 7 NSE:INFY',
        'BUY 9 NSE:SBIN',
        'SELL 40 NSE:ITC',
      ],
    ]);
    const ends = [...(await continued.byKey(SIGNALS.day)).values()].map(
      (order) => `${order.instrument} ${endOf(order)}`,
    );
    expect(ends.sort()).toEqual([
      ...['NSE:INFY filled 5', 'NSE:INFY filled 7', 'NSE:INFY rejected 0', 'NSE:ITC filled 40'],
      ...['NSE:ITC filled 40 by tag', 'NSE:SBIN filled 9 by tag'],
    ]);
  });

  it('says what has become of each signal', async () => {
    const all = { caller: null, state: null, before: null, limit: 100 };
    const signals = await execution().signals.newest(all);
    const said = signals.map((signal) => {
      const [order] = signal.orders;
      return `${signal.alertId}: ${signalState(signal)} ${order?.problem?.code ?? ''}`;
    });
    expect(said.reverse()).toEqual([
      ...['placed: placed ', 'refused: refused order_refused', 'wrong: refused unknown_instrument'],
      ...['on its way: placed ', 'taken: refused order_not_sent'],
    ]);
  });

  it('stops the exit, whose leg nobody knew the outcome of, and sends no other leg', () => {
    const [exit] = execution().state.exits.values();
    expect(exit?.over).toMatchObject({ end: 'stopped', why: 'leg_uncertain' });
    expect(exit?.legs).toHaveLength(1);
  });

  it('delivers the events of the webhook from the one on that was half delivered, without a gap', () => {
    const file = readFileSync(join(KEPT, 'signals', 'files', 'webhooks.json'), 'utf8');
    const [{ cursor }] = JSON.parse(file).webhooks as [{ cursor: string }];
    const at = Number(cursor.split('-')[1]);
    const [name] = cursor.split('-');
    const events = inJournal(
      `SELECT sequence || ' ' || type AS value FROM events WHERE sequence > ${at} ORDER BY sequence`,
    ).map((text) => String(text).split(' '));
    const owed = events.filter(([, type]) => WANTED.has(type)).map(([id]) => `${name}-${id}`);
    const { received } = continued.running.receiver;
    expect(owed.length).toBeGreaterThan(1);
    expect(received.slice(0, owed.length)).toEqual(owed);
    expect(received.length).toBeGreaterThan(owed.length);
  });

  it('keeps the orders of a stopped key stopped', () => {
    const stopped = continued.running.composed.callers
      .list()
      .filter((key) => key.stopped !== null)
      .map(({ name }) => name);
    expect(stopped).toEqual(['stopped']);
    expect([...execution().state.keys.values()].flatMap((key) => key.stopped ?? [])).toEqual([
      'it misbehaves',
    ]);
  });
});

describe('the directory with signals, continued on the days after', () => {
  it('carries the positions of keys over, once their orders have left memory', async () => {
    await using continued = await continueFrom('signals');
    await continued.brokers.time.advance(40_000);
    await continued.restartAt('2026-11-20T11:00:00+05:30');
    await continued.running.logIn();
    const actions = createActions(continued.brokers, continued.running, '2026-11-20');
    actions.begin('newer');
    await actions.pause(2_000);
    await continued.restartAt('2026-11-23T11:00:00+05:30');
    const { state, books } = continued.running.composed.execution;
    expect([...state.orders.values()].map((order) => order.idempotencyKey)).toEqual(['newer']);
    const positions = books.positions('2026-11-23', () => true);
    expect(
      positions.map(({ line, carried }) => [line.caller, line.instrument, carried.quantity]),
    ).toEqual([['trader', 'NSE:INFY', 5]]);
  });
});
