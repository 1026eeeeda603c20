import { describe, expect, it } from 'vitest';
import type { Schemas } from '../../client/index.ts';
import { closingOutcome } from '../../dashboard/src/pure/outcomes.ts';

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
