import { describe, expect, it } from 'vitest';
import { decidePortfolio, decidePostback } from '../../../src/execution/journal/decide-notes.ts';
import { accept, AT, eventsOf, position, stateOf } from '../support/makers.ts';
import { epochMs } from '../../../src/units/branded.ts';

describe('a postback', () => {
  const hint = {
    broker: 'alt',
    brokerOrderId: 'b1',
    subject: 'di',
    digest: 'digest',
    rawStatus: 'COMPLETE',
  } as const;

  it('is put in the inbox, with an event', () => {
    const decision = decidePostback(stateOf(), { hint, at: AT });
    expect(decision.changes[0]).toMatchObject({
      table: 'postbacks',
      key: 'digest',
      row: { brokerOrderId: 'b1', receivedAt: AT },
    });
    expect(eventsOf(decision).map(({ type }) => type)).toEqual(['postback.received']);
  });
});

describe('what an account has', () => {
  const read = (quantity: number, lastPrice: number | null, at: number) => ({
    broker: 'alt' as const,
    mode: 'live' as const,
    positions: [position({ quantity, lastPrice })],
    holdings: [],
    at: epochMs(at),
  });

  it('is kept with the time at which it was read', () => {
    const state = stateOf();
    expect(accept(state, decidePortfolio(read(10, 1_500, AT)))).toBe(true);
    expect(state.portfolios.get('alt')).toMatchObject({ readAt: AT, mode: 'live' });
  });

  it('is as new as the last read, also when that showed the same', () => {
    const state = stateOf();
    accept(state, decidePortfolio(read(10, 1_500, AT)));
    accept(state, decidePortfolio(read(10, 1_500, AT + 5)));
    expect(state.portfolios.get('alt')).toMatchObject({ readAt: AT + 5 });
  });
});
