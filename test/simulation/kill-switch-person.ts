import { sleep } from '../../src/platform/clock.ts';
import { killSwitchOf } from '../../src/execution/submit/brakes.ts';
import { call } from './call.ts';
import type { Turned } from './asked.ts';
import { engagedInVain } from './checks/kill-switch-reasons.ts';
import { violation } from './checks/violation.ts';
import type { Dice } from './dice.ts';
import type { ToldSwitch } from './http-callers.ts';
import type { World } from './world.ts';

/** The person at the kill switch. */
export interface KillSwitchPerson {
  /** When the kill switch was engaged and released, as told to the one who did it. */
  readonly killSwitch: readonly Turned[];
  throwKillSwitch(forMs: number): Promise<void>;
  keepTrading(): Promise<void>;
}

export function createKillSwitchPerson(world: () => World, roll: () => Dice): KillSwitchPerson {
  const killSwitch: Turned[] = [];
  /** Throws of a person's own that are not released yet. */
  let held = 0;

  async function throwKillSwitch(forMs: number): Promise<void> {
    held += 1;
    for (const engaged of [true, false]) {
      // Told late, a release has happened since it was asked for; a throw holds once it is told.
      const asked = world().time.now();
      if (!engaged && world().plan.http) await tryTradeKey();
      let told = await turnKillSwitch(engaged);
      while (told === null) {
        await sleep(world().time, 1_000);
        told = await turnKillSwitch(engaged);
      }
      const at = engaged ? world().time.now() : asked;
      killSwitch.push({ at, engaged, isOnDisk: told.onDisk });
      world().timeline.note('world', `kill switch ${engaged ? 'engaged' : 'released'}`);
      if (engaged) await sleep(world().time, forMs);
    }
    held -= 1;
  }

  /** The gateway throws it too, when it finds itself wrong. Somebody looks, and goes on trading. */
  async function keepTrading(): Promise<void> {
    const { time, timeline, plan } = world();
    // Nobody releases it before the books are compared: that takes longer than the day.
    if (plan.directed === 'restored') return;
    while (time.now() < plan.hours.evening) {
      await sleep(time, roll().between(10_000, 60_000));
      const state = world().current()?.composed?.execution.state;
      if (held > 0 || !state || !killSwitchOf(state)?.engaged) continue;
      for (const each of engagedInVain(world(), state)) world().notice(each);
      const at = time.now();
      if ((await turnKillSwitch(false)) === null) continue;
      killSwitch.push({ at, engaged: false, isOnDisk: true });
      timeline.note('world', 'kill switch released: the gateway had engaged it');
    }
  }

  /** S9: a key that may trade cannot let trading begin again. */
  async function tryTradeKey(): Promise<void> {
    const context = { caller: 'caller-1', idempotencyKey: null };
    const heard = await call(world(), 'person/kill-switch', (gateway) =>
      gateway.setKillSwitch(false, 'rehearsal', context),
    );
    if (heard.kind !== 'answer') return;
    world().notice(violation('S9', 'a key that may only trade has released the kill switch'));
  }

  /** Null when nothing definite was heard. */
  async function turnKillSwitch(engaged: boolean): Promise<ToldSwitch | null> {
    const context = { caller: 'person', idempotencyKey: null };
    const heard = await call(world(), 'person/kill-switch', (gateway) =>
      gateway.setKillSwitch(engaged, 'rehearsal', context),
    );
    // S9: the switch holds in memory where the disk does not take it.
    if (heard.kind === 'problem' && engaged) {
      const { code, detail } = heard.problem.fields;
      if (code === 'journal_unavailable') {
        world().notice(violation('S9', `the kill switch was not engaged: ${detail}`));
      }
    }
    return heard.kind === 'answer' ? heard.value : null;
  }

  return { killSwitch, throwKillSwitch, keepTrading };
}
