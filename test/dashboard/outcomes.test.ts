import { describe, expect, it } from 'vitest';
import type { Schemas } from '../../client/index.ts';
import {
  cancelAllOutcome,
  cancelOutcome,
  closingOutcome,
  deleteTriggerOutcome,
  modifyOutcome,
  type Outcome,
  OUTCOME_CLASSES,
  orderOutcome,
} from '../../dashboard/src/pure/outcomes.ts';
import { orderOf } from './support/samples.ts';

/** How it is shown: only what went as it was asked for is green. */
const shown = ({ kind }: Outcome) => [kind, OUTCOME_CLASSES[kind]];
const DONE = ['done', 'notice good'];
const LOOK = ['look', 'notice warn'];

describe('an answer', () => {
  it('is a good notice where the order is at the broker, and one to look at where that is not known', () => {
    expect(shown(orderOutcome(orderOf({ status: 'working' })))).toEqual(DONE);
    for (const status of ['uncertain', 'disputed'] as const) {
      const outcome = orderOutcome(orderOf({ status }));
      expect(shown(outcome), status).toEqual(LOOK);
      expect(outcome.words).toContain('Do not place it again');
    }
  });

  it('to a change is good once the broker has taken it', () => {
    expect(shown(modifyOutcome(orderOf({}), 200))).toEqual(DONE);
    expect(shown(modifyOutcome(orderOf({}), 202))).toEqual(LOOK);
  });

  it.each([
    ['cancelled', DONE, 'The order is cancelled.'],
    ['working', DONE, 'The cancel is under way; the order is working at the broker.'],
    ['filled', LOOK, 'The order is over, and not cancelled: filled.'],
    ['uncertain', LOOK, 'The cancel is kept until it is known whether'],
    ['disputed', LOOK, 'the order is disputed'],
  ] as const)('to a cancel of an order that is then %s: %s', (status, as, words) => {
    const outcome = cancelOutcome(orderOf({ status }));
    expect(shown(outcome)).toEqual(as);
    expect(outcome.words).toContain(words);
  });

  it.each([
    ['ended', DONE, 'The trigger is cancelled.'],
    ['absent', DONE, 'The trigger is cancelled.'],
    ['refused', DONE, 'the broker has no such trigger'],
    ['waiting', DONE, 'under way; the trigger is waiting'],
    ['triggered', LOOK, 'had placed its order before'],
    ['uncertain', LOOK, 'not known yet whether the broker has the trigger'],
  ] as const)('to the cancel of a trigger that is then %s: %s', (status, as, words) => {
    const outcome = deleteTriggerOutcome({ status });
    expect(shown(outcome)).toEqual(as);
    expect(outcome.words).toContain(words);
  });

  it.each([
    [DONE, ['cancelled', 'cancelling', 'over'], 0],
    [DONE, [], 0],
    [LOOK, ['cancelled', 'refused'], 0],
    [LOOK, ['not_sent'], 0],
    [LOOK, ['cancelled', 'uncertain'], 0],
    [LOOK, ['cancelled'], 1],
  ] as const)('to cancel all is %s after %j, with %d books unread', (as, results, unread) => {
    const errors = Array.from({ length: unread }, () => ({ broker: 'alt', reason: 'away' }));
    const data = results.map((result) => ({
      ...{ id: 'o', broker: 'alt', order: orderOf({}), result, reason: null },
    }));
    const outcome = cancelAllOutcome({ data, meta: { estimatedSeconds: 0, errors } });
    expect(shown(outcome)).toEqual(as);
    expect(outcome.items).toHaveLength(results.length + unread);
  });
});

type Closing = Schemas['Closing'];

describe('the answer to close all', () => {
  const position = {
    ...{ broker: 'alt', mode: 'live', instrument: 'NSE:INFY', product: 'INTRADAY' },
    ...{ net: 10, quantity: null, underlying: 'NSE:INFY', phase: 2 },
    ...{ status: 'running', exitId: 'exit_1', reason: null },
  } as Closing['positions'][number];
  const row = {
    ...{ broker: 'alt', mode: 'live', list: 'positions', instrument: 'NSE:TCS' },
    ...{ product: 'INTRADAY', quantity: null, reason: 'quantity is no number' },
  } as Closing['unread'][number];
  const detail = 'it closes 1 position';

  it.each([
    [DONE, 'running', 0],
    [LOOK, 'running', 1],
    [LOOK, 'kept', 0],
    [LOOK, 'stopped', 0],
  ] as const)('is %s with a position that is %s and %d unread rows', (as, status, unread) => {
    const rows = Array.from({ length: unread }, () => row);
    const positions = [position, { ...position, status }];
    expect(shown(closingOutcome({ detail, positions, unread: rows }))).toEqual(as);
  });

  it('lists each position, and each row that cannot be read and stays open', () => {
    const kept = { ...position, status: 'kept', reason: 'no list has it' } as const;
    const nameless = { ...row, instrument: null, product: null };
    const { words, items } = closingOutcome({
      ...{ detail, positions: [position, kept], unread: [row, nameless] },
    });
    expect(words).toBe('The closing has begun: it closes 1 position.');
    expect(items).toEqual([
      'NSE:INFY INTRADAY: running',
      'NSE:INFY INTRADAY: kept (no list has it)',
      'NSE:TCS INTRADAY: not closed, since its row in the positions at alt cannot be read (quantity is no number). Look at it in the app of alt.',
      'an instrument that cannot be read: not closed, since its row in the positions at alt cannot be read (quantity is no number). Look at it in the app of alt.',
    ]);
  });
});
