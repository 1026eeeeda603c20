import { describe, expect, it } from 'vitest';
import type { LossRecord } from '../../../src/execution/journal/records.ts';
import type { MutableState } from '../../../src/execution/journal/state.ts';
import {
  armedFrom,
  decideLossArmed,
  decideLossReached,
  lossOf,
} from '../../../src/execution/loss/decide-loss.ts';
import { createLossLimit } from '../../../src/execution/loss/loss-limit.ts';
import { decideKillSwitch, killSwitchOf } from '../../../src/execution/submit/brakes.ts';
import type { Decision } from '../../../src/platform/single-writer.ts';
import type { Change } from '../../../src/execution/journal/records.ts';
import { plus } from '../../../src/units/branded.ts';
import { VirtualTime } from '../../support/virtual-time.ts';
import { accept, alertsOf, AT, DAY, stateOf } from '../support/makers.ts';

const REACHED = {
  ...{ broker: 'alt', day: DAY, profit: -6_000, limit: 5_000, message: 'a loss', at: AT },
  closes: false,
};
const turn = (state: MutableState, engaged: boolean): void =>
  void accept(state, decideKillSwitch(state, { engaged, reason: null, changedBy: null, at: AT }));
const kindOf = (state: MutableState): LossRecord['state']['kind'] | null =>
  lossOf(state, 'alt', DAY)?.state.kind ?? null;

/** A kill switch that a loss has engaged. */
function engagedState(): MutableState {
  const state = stateOf();
  turn(state, true);
  accept(state, decideLossReached(state, REACHED));
  return state;
}

describe('a loss that has engaged the kill switch', () => {
  it('is kept with its figures and a critical alert, once', () => {
    const state = stateOf();
    turn(state, true);
    const decision = decideLossReached(state, REACHED);
    expect(alertsOf(decision)).toEqual(['critical']);
    accept(state, decision);
    expect(lossOf(state, 'alt', DAY)).toMatchObject({ profit: -6_000, limit: 5_000, at: AT });
    expect(decideLossReached(state, REACHED).changes).toEqual([]);
    expect(killSwitchOf(state)?.engaged).toBe(true);
  });

  it('is that of its account and its day', () => {
    const state = engagedState();
    expect(lossOf(state, 'primary', DAY)).toBeNull();
    expect(lossOf(state, 'alt', '2026-11-09')).toBeNull();
    expect(armedFrom(lossOf(state, 'primary', DAY))).toBe(0);
  });

  it('is released with the kill switch, and counts from the next figure', () => {
    const state = engagedState();
    turn(state, true);
    expect([kindOf(state), armedFrom(lossOf(state, 'alt', DAY))]).toEqual(['engaged', null]);
    turn(state, false);
    expect([kindOf(state), armedFrom(lossOf(state, 'alt', DAY))]).toEqual(['released', null]);
    const figure = { profit: -6_500, message: 'armed', at: AT };
    const decision = decideLossArmed(state, { broker: 'alt', day: DAY }, figure);
    expect(alertsOf(decision)).toEqual(['warning']);
    accept(state, decision);
    expect(armedFrom(lossOf(state, 'alt', DAY))).toBe(-6_500);
    expect(decideLossArmed(state, { broker: 'alt', day: DAY }, figure).changes).toEqual([]);
    turn(state, true);
    turn(state, false);
    expect(armedFrom(lossOf(state, 'alt', DAY))).toBe(-6_500);
  });

  it('keeps no gateway unarmed where a crash came before the kill switch was on disk', () => {
    const state = stateOf();
    state.switchNotOnDisk.record = {
      ...{ engaged: true, reason: 'a loss', changedAt: AT, changedBy: null },
    };
    accept(state, decideLossReached(state, REACHED));
    state.switchNotOnDisk.record = null;
    expect(armedFrom(lossOf(state, 'alt', DAY))).toBe(0);
  });

  it('begins anew where the kill switch was released before it was written', () => {
    const state = stateOf();
    accept(state, decideLossReached(state, REACHED));
    expect(kindOf(state)).toBe('released');
  });
});

/** A limit of ₹5,000 of an account, with what it did. */
function limitOf({ isDiskFull = false } = {}) {
  const time = new VirtualTime(AT);
  const state = stateOf();
  const closed: string[] = [];
  const alerts: unknown[] = [];
  const submit = async <Reply>(
    decide: (current: MutableState) => Decision<Change, Reply>,
  ): Promise<Reply> => {
    const decision = decide(state);
    alerts.push(...alertsOf(decision));
    return accept(state, decision);
  };
  const limit = createLossLimit('alt', {
    limit: 5_000,
    writer: { state, submit, idle: () => Promise.resolve(), onChange: () => undefined },
    // On a full disk a commit is tried again later.
    commitRetry: {
      commit: (decide) =>
        isDiskFull ? Promise.resolve(null) : submit((now) => decide(now, false)),
      stop: () => undefined,
    },
    clock: time,
    now: () => time.now(),
    engage: (command) => submit((current) => decideKillSwitch(current, { ...command, at: AT })),
    closeIntraday: ({ day }) => void closed.push(day),
  });
  const note = async (profit: number, ms = 3_000): Promise<boolean> => {
    await limit.note(profit);
    await time.advance(ms);
    return killSwitchOf(state)?.engaged === true;
  };
  return { limit, note, closed, alerts, time, state };
}

describe('the limit', () => {
  it('is reached by a loss just as large, in two figures three seconds apart', async () => {
    const { note, closed } = limitOf();
    expect([await note(-4_999.99), await note(-5_000), await note(-4_999)]).not.toContain(true);
    expect([await note(-5_000, 2_999), await note(-5_000, 1), await note(-5_000)]).toEqual([
      ...[false, false, true],
    ]);
    expect(closed).toEqual([DAY]);
  });

  it('stays reached by a loss that was seen while the figure cannot be read', async () => {
    const { limit, note } = limitOf();
    expect(await note(-5_000)).toBe(false);
    await limit.noteUnread('no answer', true);
    expect(limit.isReached()).toBe(true);
    expect(await note(-5_000)).toBe(true);
  });

  it('asks for closing once, and alerts once, however long the loss lasts', async () => {
    const { note, closed, alerts } = limitOf();
    for (let each = 0; each < 9; each += 1) await note(-9_000);
    expect([closed, alerts]).toEqual([[DAY], ['critical']]);
  });

  it('engages once as well where the disk is full', async () => {
    const { note, closed } = limitOf({ isDiskFull: true });
    for (let each = 0; each < 9; each += 1) await note(-9_000);
    expect(closed).toEqual([DAY]);
  });

  it('does not take a figure that cannot be read for a denial', async () => {
    const { limit, note, time } = limitOf();
    await note(-6_000);
    await limit.noteUnread('HTTP 500', true);
    await time.advance(3_000);
    expect(await note(-6_000)).toBe(true);
  });

  it('alerts to a figure that cannot be read after thirty seconds, unless nobody need look', async () => {
    const { limit, alerts, time } = limitOf();
    await limit.noteUnread('HTTP 500', true);
    await time.advance(29_999);
    await limit.noteUnread('HTTP 500', true);
    expect(alerts).toEqual([]);
    await time.advance(1);
    await limit.noteUnread('no session', false);
    expect(alerts).toEqual([]);
    await limit.noteUnread('HTTP 500', true);
    await limit.noteUnread('HTTP 500', true);
    expect(alerts).toEqual(['critical']);
    await limit.note(0);
    expect(alerts).toEqual(['critical', 'warning']);
  });

  it('forgets at the close what it saw', async () => {
    const { limit, note } = limitOf();
    await note(-6_000);
    limit.forget();
    expect(await note(-6_000)).toBe(false);
    expect(limit.state()).toMatchObject({ profit: -6_000, at: plus(AT, 3_000), from: 0 });
  });
});
