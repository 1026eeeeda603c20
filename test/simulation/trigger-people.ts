import { sleep } from '../../src/platform/clock.ts';
import type { SandboxTrigger } from '../../sandbox/kite/gtt-inspector.ts';
import { triggerBindingOf } from '../../src/execution/triggers/trigger.ts';
import { call, type CallersParts } from './call.ts';
import { createDice, type Dice } from './dice.ts';
import type { PlannedTriggers, TriggerAct } from './planned-triggers.ts';
import type { World } from './world.ts';

/** When a person looks at triggers whose outcome is open: after the close, minutes after the last placing. */
const LOOKED_AT_AFTER_MS = 25 * 60_000;

/** What people do with triggers in the broker's own app, and what they tell the gateway. */
export async function runTriggerPeople(
  parts: CallersParts,
  { acts, misnames }: PlannedTriggers,
): Promise<void> {
  const { world } = parts;
  const { time, plan } = world;
  const dice = createDice(`${plan.seed}/people/triggers`);
  const each = [...acts].sort((one, other) => one.at - other.at);
  if (misnames === true) {
    world.sandbox.kite.onTrigger((row) => {
      time.after(dice.whole(200, 12_000), () => void misname(parts, row));
    });
  }
  await Promise.all([
    (async () => {
      for (const planned of each) {
        await sleep(time, planned.at - time.now());
        if (planned.kind === 'settle') await settleOpen(parts);
        else perform(world, dice, planned);
      }
    })(),
    (async () => {
      for (const { until } of plan.hours.placing) {
        await sleep(time, until + LOOKED_AT_AFTER_MS - time.now());
        await settleOpen(parts);
      }
    })(),
  ]);
}

function perform(world: World, dice: Dice, act: TriggerAct): void {
  const { sandbox, timeline } = world;
  const { kite } = sandbox;
  const active = kite
    .triggers()
    .filter(({ status, placedBy }) => status === 'active' && placedBy === 'api');
  const one = active.length === 0 ? null : dice.pick(active);
  if (act.kind === 'hand_place') return placeByHand(world, dice, act.twin);
  const latest = active.at(-1);
  if (act.kind === 'hand_change' && latest) return changeByHand(world, dice, latest);
  if (one === null) return;
  timeline.note('world', `trigger ${one.id}: ${JSON.stringify(act)}`);
  if (act.kind === 'hand_delete') kite.deleteTriggerByHand(one.id);
  if (act.kind === 'hide') kite.hideTrigger(one.id, act.forMs);
  if (act.kind !== 'fire') return;
  kite.fireTrigger(one.id, dice.whole(0, one.orders.length - 1));
  if (act.lateMs === 0) return;
  for (const id of kite.trigger(one.id)?.orderIds ?? []) kite.hide(id, act.lateMs, 'all');
}

/** Fewer shares, or another price: what a list shows then is not what was asked for. */
function changeByHand(world: World, dice: Dice, latest: SandboxTrigger): void {
  const { sandbox, timeline, asked, takenTriggers, time } = world;
  const [{ quantity } = { quantity: 1 }] = latest.orders;
  const isCut = dice.chance(0.5) && quantity > 1;
  const change = isCut ? { quantity: quantity - 1, lowerBy: 0 } : { quantity, lowerBy: 1 };
  timeline.note('world', `by hand: trigger ${latest.id} is changed: ${JSON.stringify(change)}`);
  sandbox.kite.changeTriggerByHand(latest.id, change);
  const wanted = takenTriggers.find(({ triggerId }) => triggerId === latest.id)?.wanted ?? '';
  // A later change of the gateway is made to what the person has left.
  const legs = latest.orders.map(({ price }) => ({
    ...{ quantity: change.quantity, price: price - change.lowerBy, triggerPrice: null },
  }));
  asked.triggers.changes.push({ at: time.now(), wanted, legs });
}

/**
 * Takes a row that the broker has just made of one trigger for another one of the same instrument, which was called absent or
 * is open. Where that is accepted, the one that the row belongs to must not be called absent.
 */
async function misname({ world }: CallersParts, row: SandboxTrigger): Promise<void> {
  const { asked, takenTriggers, timeline } = world;
  const owner = takenTriggers.find(({ triggerId }) => triggerId === row.id)?.wanted;
  const state = world.current()?.composed?.execution.state;
  const other = [...(state?.triggers.values() ?? [])].find(
    (each) =>
      (each.state.kind === 'uncertain' || each.state.kind === 'absent') &&
      each.terms.instrument === row.instrument &&
      `${each.caller}/${each.idempotencyKey}` !== owner,
  );
  if (other === undefined) return;
  const wanted = `${other.caller}/${other.idempotencyKey}`;
  timeline.note('world', `a person takes ${row.id} for ${wanted}`);
  const word = { kind: 'placed', triggerId: row.id, force: false } as const;
  const context = { caller: 'person', idempotencyKey: null };
  const heard = await call(world, wanted, (gateway) =>
    gateway.resolveTrigger(other.id, word, context),
  );
  if (heard.kind !== 'problem') asked.triggers.worded.add(other.id);
}

/** A twin has the terms of the gateway's latest: it was placed after that, so that a list shows both. */
function placeByHand({ sandbox, timeline }: World, dice: Dice, isTwin: boolean): void {
  const { kite, exchange } = sandbox;
  const model = kite.triggers().findLast(({ placedBy }) => placedBy === 'api');
  const last = exchange.price('NSE:INFY') / 100;
  const price = Math.round(last * 0.9);
  const own = {
    ...{ instrument: 'NSE:INFY', triggers: [price] },
    orders: [
      {
        ...{ transaction_type: 'SELL', product: 'CNC', order_type: 'LIMIT' },
        ...{ quantity: dice.pick([4, 9]), price },
      },
    ],
  };
  const { instrument, triggers, orders } = isTwin && model ? model : own;
  const type = triggers.length === 1 ? ('single' as const) : ('two-leg' as const);
  const lastPrice = exchange.price(instrument) / 100;
  const made = kite.placeTriggerByHand({ instrument, triggers, orders, type, lastPrice });
  timeline.note('world', `by hand: trigger ${made.id}, ${isTwin ? 'a twin' : 'no twin'}`);
}

/** Looks in the broker's app at what is open, and says what is there. */
async function settleOpen({ world }: CallersParts): Promise<void> {
  const state = world.current()?.composed?.execution.state;
  if (!state) return;
  const { asked, takenTriggers, timeline, sandbox } = world;
  for (const trigger of [...state.triggers.values()]) {
    if (trigger.state.kind !== 'uncertain' || triggerBindingOf(trigger) !== null) continue;
    const wanted = `${trigger.caller}/${trigger.idempotencyKey}`;
    const found = takenTriggers.find((each) => each.wanted === wanted);
    const word = found
      ? ({ kind: 'placed', triggerId: found.triggerId, force: true } as const)
      : ({ kind: 'absent' } as const);
    if (found && (sandbox.kite.trigger(found.triggerId)?.hiddenUntil ?? 0) > world.time.now())
      continue;
    asked.triggers.worded.add(trigger.id);
    timeline.note('world', `a person says of ${wanted}: ${JSON.stringify(word)}`);
    const context = { caller: 'person', idempotencyKey: null };
    await call(world, wanted, (gateway) => gateway.resolveTrigger(trigger.id, word, context));
  }
}
