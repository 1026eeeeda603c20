import { describe, expect, it } from 'vitest';
import type { KillSwitchRecord } from '../../../src/execution/journal/records.ts';
import {
  type AccountKnowledge,
  decideKillSwitch,
  killSwitchOf,
  stoppedByBrake,
} from '../../../src/execution/submit/brakes.ts';
import {
  accept,
  AT,
  eventsOf,
  portfolio,
  position,
  stateOf,
  terms,
  NOTHING_BESIDE,
  NOTHING_KNOWN,
} from '../support/makers.ts';
import { epochMs } from '../../../src/units/branded.ts';

const set = (isEngaged: boolean, reason: string | null = null, at = AT) => ({
  engaged: isEngaged,
  reason,
  changedBy: 'someone',
  at,
});
const engaged = (reason: string | null = null): KillSwitchRecord => ({
  engaged: true,
  reason,
  changedAt: AT,
  changedBy: 'someone',
});
const KNOWN: AccountKnowledge = NOTHING_KNOWN;
const blocked = (
  state = stateOf(),
  side: 'BUY' | 'SELL' = 'BUY',
  known: Partial<AccountKnowledge> = {},
): string | null => {
  const order = { broker: 'primary', terms: terms({ side }), orderId: 'ord_9', at: AT };
  return stoppedByBrake(state, order, { ...KNOWN, ...known })?.reason ?? null;
};

describe('the kill switch', () => {
  it('lets everything pass while nobody has touched it', () => {
    expect(blocked()).toBeNull();
    expect(killSwitchOf(stateOf())).toBeNull();
  });

  it('lets everything pass once it is released', () => {
    const state = stateOf({ killSwitch: engaged() });
    accept(state, decideKillSwitch(state, set(false)));
    expect(blocked(state)).toBeNull();
  });

  it('blocks a new order, and says why', () => {
    expect(blocked(stateOf({ killSwitch: engaged('too fast') }))).toBe(
      'the kill switch is engaged: too fast',
    );
    expect(blocked(stateOf({ killSwitch: engaged() }))).toBe('the kill switch is engaged');
  });

  it('lets an order pass that only reduces', () => {
    const positions = [position({ quantity: 10 })];
    const state = stateOf({ killSwitch: engaged(), portfolios: [portfolio({ positions })] });
    expect(blocked(state, 'SELL')).toBeNull();
    expect(blocked(state, 'BUY')).not.toBeNull();
  });

  it('blocks it where our orders have moved it since the account was read', () => {
    const positions = [position({ quantity: 10 })];
    const state = stateOf({ killSwitch: engaged(), portfolios: [portfolio({ positions })] });
    expect(blocked(state, 'SELL', { beside: { ...NOTHING_BESIDE, moved: 1 } })).not.toBeNull();
  });

  it('goes by no portfolio of an account that could not be read, unless an admin forces it', () => {
    const positions = [position({ quantity: 10 })];
    const state = stateOf({ killSwitch: engaged(), portfolios: [portfolio({ positions })] });
    expect(blocked(state, 'SELL', { unread: 'HTTP 500' })).toMatch(
      /could not be read \(HTTP 500\)/,
    );
    expect(blocked(state, 'SELL', { unread: 'HTTP 500', forcedBy: 'admin' })).toBeNull();
    expect(blocked(state, 'BUY', { forcedBy: 'admin' })).toMatch(
      /^the kill switch is engaged\. By/,
    );
  });

  it('does not take what one account has for another’s', () => {
    const positions = [position({ quantity: 10 })];
    const portfolios = [portfolio({ broker: 'alt', positions })];
    expect(blocked(stateOf({ killSwitch: engaged(), portfolios }), 'SELL')).not.toBeNull();
  });
});

describe('engaging and releasing', () => {
  it('is written with its event', () => {
    const state = stateOf();
    const decision = decideKillSwitch(state, set(true, 'why'));
    expect(accept(state, decision)).toEqual(engaged('why'));
    expect(killSwitchOf(state)).toEqual(engaged('why'));
    expect(eventsOf(decision)).toMatchObject([
      {
        type: 'kill_switch.changed',
        data: { engaged: true, thrown: true, reason: 'why', changedBy: 'someone' },
      },
    ]);
  });

  it('again changes nothing, and keeps the first reason', () => {
    const state = stateOf({ killSwitch: engaged('first') });
    expect(decideKillSwitch(state, set(true, 'second', epochMs(AT + 9)))).toEqual({
      changes: [],
      reply: engaged('first'),
    });
  });
});
