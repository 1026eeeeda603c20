import { describe, expect, it } from 'vitest';
import {
  decideKillSwitch,
  killSwitchOf,
  passesKillSwitch,
} from '../../src/execution/kill-switch.ts';
import { accept, AT, eventsOf, portfolio, position, stateOf, terms } from './support/makers.ts';

const set = (thrown: boolean, reason: string | null = null, at = AT) => ({ thrown, reason, at });
const thrown = (reason: string | null = null) => ({ thrown: true, reason, changedAt: AT });
const blocked = (state = stateOf(), side: 'BUY' | 'SELL' = 'BUY'): string | null =>
  passesKillSwitch(state, 'primary', terms({ side }), 'ord_9', AT);

describe('the kill switch', () => {
  it('lets everything pass while nobody has touched it', () => {
    expect(blocked()).toBeNull();
    expect(killSwitchOf(stateOf())).toBeNull();
  });

  it('lets everything pass once it is released', () => {
    const state = stateOf({ killSwitch: thrown() });
    accept(state, decideKillSwitch(state, set(false)));
    expect(blocked(state)).toBeNull();
  });

  it('blocks a new order, and says why', () => {
    expect(blocked(stateOf({ killSwitch: thrown('too fast') }))).toBe(
      'the kill switch is thrown: too fast',
    );
    expect(blocked(stateOf({ killSwitch: thrown() }))).toBe('the kill switch is thrown');
  });

  it('lets an order pass that only reduces', () => {
    const positions = [position({ quantity: 10 })];
    const state = stateOf({ killSwitch: thrown(), portfolios: [portfolio({ positions })] });
    expect(blocked(state, 'SELL')).toBeNull();
    expect(blocked(state, 'BUY')).not.toBeNull();
  });

  it('does not take what one account has for another’s', () => {
    const positions = [position({ quantity: 10 })];
    const portfolios = [portfolio({ broker: 'alt', positions })];
    expect(blocked(stateOf({ killSwitch: thrown(), portfolios }), 'SELL')).not.toBeNull();
  });
});

describe('throwing and releasing', () => {
  it('is written with its event', () => {
    const state = stateOf();
    const decision = decideKillSwitch(state, set(true, 'why'));
    expect(accept(state, decision)).toEqual({ thrown: true, reason: 'why', changedAt: AT });
    expect(killSwitchOf(state)).toEqual({ thrown: true, reason: 'why', changedAt: AT });
    expect(eventsOf(decision)).toMatchObject([
      { type: 'kill_switch.changed', data: { thrown: true, reason: 'why' } },
    ]);
  });

  it('again changes nothing, and keeps the first reason', () => {
    const state = stateOf({ killSwitch: thrown('first') });
    expect(decideKillSwitch(state, set(true, 'second', AT + 9))).toEqual({
      changes: [],
      reply: thrown('first'),
    });
  });
});
