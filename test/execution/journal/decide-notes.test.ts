import { describe, expect, it } from 'vitest';
import { decidePostback } from '../../../src/execution/journal/decide-notes.ts';
import { AT, eventsOf, stateOf } from '../support/makers.ts';

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
